/** Names are compared with the thing itself, and with parts of its picture only where nothing is said of it. */
import { expect, it } from 'vitest';
import { contradiction } from '../../src/scenario/looks.js';

const DOOR = 'Closed wooden door, two strap hinges, brass ring';

it.each([
  ['iron door', DOOR, { said: 'iron', shown: ['wooden'] }],
  ['brass door', DOOR, { said: 'brass', shown: ['wooden'] }],
  ['oak door', DOOR, null],
  ['silver goblet', 'Golden goblet with red stones', { said: 'silver', shown: ['golden'] }],
  ['golden goblet', 'Golden goblet with red stones', null],
  ['wooden altar', 'Altar, stone slab under a white cloth', { said: 'wooden', shown: ['stone'] }],
  ['white robe', 'Cleric: white robe with a red cross', null],
])('%s, drawn as: %s', (name, description, found) => {
  expect(contradiction(name, description)).toEqual(found);
});

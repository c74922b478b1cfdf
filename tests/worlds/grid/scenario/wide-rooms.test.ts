/** Where only the picture tells what is in a room, `check` says if it is larger than what an agent in it sees. */
import { expect, it } from 'vitest';
import { load } from '../../../scenario/support.js';

interface Room {
  render?: string;
  sight?: number;
  side?: number;
  things?: string;
  more?: string;
}

function warnings({ render = 'channel: image', sight = 9, side = 6, things = 'gem: {}', more = '' }: Room) {
  const source = `
title: T
generate: { size: [${side + 4}, ${side + 4}], rooms: 1, room_size: [${side}, ${side}] }
agents: [{ id: ann, sprite: knight, sight: 1 }, { id: bob, sprite: knight, sight: ${sight} }]
things: { ${things.replaceAll('{}', '{ sprite: bread }')} }
render: { window: [11, 11], ${render} }
${more}`;
  return load(source, { known: {} }).warnings.map(
    ({ line, column, message, suggestion }) => `${line}:${column} ${message} → ${suggestion ?? ''}`,
  );
}

it.each<[string, Room, string]>([
  [
    'the window ends before the far wall',
    { side: 7 },
    'write render.window: [13, 13], or make the room smaller',
  ],
  ['the sight of all agents does', { sight: 6 }, 'write sight: 7 for bob, or make the room smaller'],
  [
    'both do',
    { side: 8, sight: 7 },
    'write render.window: [15, 15] and sight: 10 for bob, or make the room smaller',
  ],
  ['no sight is far enough', { side: 40 }, '→ make the room smaller'],
])('if %s', (_, room, hint) => {
  const side = room.side ?? 6;
  const [warning, ...others] = warnings(room);
  expect(others).toEqual([]);
  expect(warning).toContain(
    `3:1 room-1 is ${side} × ${side} tiles, and bob doesn't see all of it from everywhere`,
  );
  expect(warning).toContain(hint);
});

it.each([
  ['somebody sees all of it from everywhere', {}],
  ['the text tells it, too', { side: 8, render: 'channel: both' }],
  ['there is nothing to see in it', { side: 8, things: 'gem: { sprite: bread, held_by: ann }' }],
  ['no distance hides anything in the window', { sight: 6, more: 'rules: { fog: false }' }],
])('but not if %s', (_, room) => {
  expect(warnings(room)).toEqual([]);
});

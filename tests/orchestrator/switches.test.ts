/** What an agent is shown can be switched, one thing at a time: paired runs with the same seed and replies differ in that alone. */
import { describe, expect, it } from 'vitest';
import { at } from '../../src/base/assert.js';
import { UNKNOWN } from '../../src/environment/scene.js';
import { play } from '../support/play.js';
import { teller, textOf } from '../support/teller.js';
import { corridor } from './two-agents.js';

const REPLIES = [
  'ACTION: GO SOUTH',
  'ACTION: GO EAST',
  'no answer',
  'ACTION: TAKE coin',
  'ACTION: READ sign',
];

async function played(set: readonly string[]) {
  const ann = teller({ words: null, reply: (turn) => REPLIES[turn % REPLIES.length] ?? '' });
  const bob = teller({ words: null, reply: () => 'ACTION: LOOK' });
  const { sink, end } = await play(corridor('max: 6'), { controllers: { ann, bob }, set });
  const requests = sink.entries.flatMap((entry) => (entry.kind === 'request' ? [entry.call] : []));
  return { end, ann, requests, steps: sink.steps };
}

/** The walled half of the map, where the one agent can't see. */
const WALLED = `title: Walled
map: |
  #######
  #.A#..#
  #..#k.#
  #######
legend:
  A: { agent: ann }
  k: { thing: coin }
rooms:
  left: { area: [1, 1, 2, 2] }
  right: { area: [4, 1, 2, 2] }
things:
  coin: { kind: item, name: coin, sprite: item/coin }
agents:
  - { id: ann, sprite: figure/knight }
rules: { movement: tile }
turns: { max: 4 }
`;

describe('a switch', () => {
  it.each([
    'render.channel=text',
    // With pictures alone, refusals are plain by default, which is a rule.
    'render={channel: image, names: true}',
    'render.marks=true',
    'render.ruler=true',
    'render.legend=true',
    'render.skin=7',
    'prompt.offers=false',
    'prompt.snapshot=true',
  ])('%s changes what is shown and nothing else', async (set) => {
    const [plain, switched] = [await played([]), await played([set])];
    const shown = ({ requests }: typeof plain) =>
      JSON.stringify(requests.map(({ messages, frameHash }) => [textOf(messages.slice(-1)), frameHash]));
    expect(shown(switched)).not.toBe(shown(plain));
    expect(switched.steps.map(({ stateHash }) => stateHash)).toEqual(
      plain.steps.map(({ stateHash }) => stateHash),
    );
    expect(switched.steps.map(({ acts }) => acts)).toEqual(plain.steps.map(({ acts }) => acts));
    const kept = [switched, plain].map(({ requests }) =>
      requests.map(({ observation }) => observation.offered),
    );
    expect(kept[0]).toEqual(kept[1]);
  });

  it('rules.fog=false lets agents see the whole frame, in picture and text alike; the rest of the world is the same', async () => {
    const run = async (set: readonly string[]) => {
      const controllers = { ann: teller({ words: null, reply: (turn) => REPLIES[turn] ?? 'ACTION: WAIT' }) };
      const { sink } = await play(WALLED, { controllers, set });
      const [first] = sink.entries.flatMap((entry) => (entry.kind === 'request' ? [entry.call] : []));
      return { steps: sink.steps, first: at([first], 0) };
    };
    const [fog, clear] = [await run([]), await run(['rules.fog=false'])];
    expect(textOf(fog.first?.messages.slice(-1))).not.toContain('coin');
    expect(textOf(clear.first?.messages.slice(-1))).toContain('coin');
    const scene = clear.first?.observation.scene;
    const onMap = scene?.ground.filter((tile) => tile !== -1).length;
    expect(onMap).toBe(7 * 4);
    expect(scene?.visibility.filter((one) => one !== UNKNOWN)).toHaveLength(7 * 4);
    expect(clear.first?.frameHash).not.toBe(fog.first?.frameHash);
    const world = ({ steps }: typeof fog) =>
      steps.map(({ parts }) => ({ ...parts, knowledge: '', speech: '' }));
    expect(world(clear)).toEqual(world(fog));
  });
});

/**
 * Promise 7: two worlds that differ only in what an agent can't perceive give it the same messages and the same pixels, byte for byte. States are
 * compared in pairs (things, doors, bodies, minds, terrain, random streams, speech out of range), then whole runs in
 * which the others' prompts, replies and side of the map and the seed differ. Planted leaks show that both would notice.
 */
import * as fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { aided } from '../../src/agent/aids.js';
import type { Composer } from '../../src/agent/prompt.js';
import { at, known } from '../../src/base/assert.js';
import { canonicalJson } from '../../src/base/canonical.js';
import type { Observation } from '../../src/environment/observation.js';
import { MemorySink } from '../../src/trajectory/memory-sink.js';
import type { Message } from '../../src/model/chat.js';
import type { Painter } from '../../src/orchestrator/run-context.js';
import { TurnOrchestrator } from '../../src/orchestrator/turn-orchestrator.js';
import { knowsTile } from '../../src/worlds/grid/knowledge.js';
import { observe } from '../../src/worlds/grid/observe.js';
import { gridRegistry } from '../../src/worlds/grid/registry.js';
import { doorOf, openWorld } from '../../src/worlds/grid/world.js';
import { corridor } from '../orchestrator/two-agents.js';
import { NEVER_STOPPED, partsFor } from '../support/play.js';
import { AGENT, changed } from '../worlds/grid/hidden-change.js';
import type { Change } from '../worlds/grid/hidden-change.js';
import { randomGame } from '../worlds/grid/random-world.js';
import type { Played } from '../worlds/grid/random-world.js';
import { chance } from './chance.js';
import { dressed } from './dressed.js';
import { LONG_SIZED, SIZED, grouped, reached, sizeOf } from '../support/sizes.js';
import { partedRun } from './parted-run.js';

/** So many changes are made behind the agent's back in one game. */
const CHANGES = 40;

let composer: Composer;
let painter: Painter;
let scenario: Awaited<ReturnType<typeof partsFor>>['scenario'];

beforeAll(async () => {
  const set = ['render.marks=true', 'render.legend=true', 'prompt.snapshot=true', 'render.ruler=true'];
  const parts = await partsFor(corridor(), new MemorySink(), { set });
  scenario = parts.scenario;
  composer = at(parts.seats, 0).composer;
  painter = known(parts.painter, 'a painter');
});

type Observer = (game: Played) => Observation;

const seen: Observer = ({ world, state }) => observe(world, state, AGENT, gridRegistry(world));

/** The exact messages of the agent's next request, the picture left out. */
function text(observation: Observation): string {
  const shown = aided(observation, scenario, painter);
  return canonicalJson([composer.messages([], composer.turnText(shown, null), null), shown]);
}

function pixels({ scene }: Observation): Uint8Array {
  return painter.paint(known(scene, 'a scene')).png;
}

interface Sizes {
  textPairs: number;
  pixelPairs: number;
}

/** The first pair that differs, as text around the place; null where none does. */
function firstLeak(observer: Observer, { textPairs, pixelPairs }: Sizes): string | null {
  const games = fc.sample(randomGame, { numRuns: Math.ceil(textPairs / CHANGES), seed: 7 });
  const below = chance('no leaks');
  let pairs = 0;
  for (const game of games.map(dressed)) {
    const before = observer(game);
    const [said, drawn] = [text(before), pixels(before)];
    for (let n = 0; n < CHANGES; n++, pairs++) {
      const after = observer(changed(game, anyChange(below)));
      const other = text(after);
      if (other !== said) return firstDifference(said, other);
      const isDrawn =
        pairs * pixelPairs < textPairs * pixelPairs && pairs % Math.ceil(textPairs / pixelPairs) === 0;
      if (isDrawn && Buffer.compare(pixels(after), drawn) !== 0) return 'the pixels differ';
    }
  }
  return null;
}

function anyChange(below: (bound: number) => number): Change {
  return { numbers: Array.from({ length: 40 }, () => below(10_000)), seed: String(below(1_000_000)) };
}

function firstDifference(one: string, other: string): string {
  let place = 0;
  while (one[place] === other[place]) place += 1;
  return `${one.slice(Math.max(0, place - 80), place + 80)}\n${other.slice(Math.max(0, place - 80), place + 80)}`;
}

describe('two states that differ in what the agent can’t perceive', () => {
  it('give the same messages and pixels', SIZED, () => {
    const [textPairs, pixelPairs] = [sizeOf('leakTextPairs'), sizeOf('leakPixelPairs')];
    expect(firstLeak(seen, { textPairs, pixelPairs })).toBeNull();
    reached(
      '7 no leaks, states',
      `${grouped(textPairs)} text pairs, ${grouped(pixelPairs)} pixel pairs, 0 differ`,
    );
  });
});

function saying(observation: Observation, line: string): Observation {
  return { ...observation, sections: [...observation.sections, { id: 'planted', lines: [line] }] };
}

/** Each tells the agent a little more than it perceives. */
const PLANTED: Readonly<Record<string, Observer>> = {
  'the random stream': (game) => saying(seen(game), canonicalJson(game.state.rng)),
  'another mind': (game) => saying(seen(game), game.state.minds['bea']?.last ?? ''),
  'speech out of range': (game) => saying(seen(game), String(game.state.minds['bea']?.inbox.length)),
  'where another body is': (game) => saying(seen(game), String(game.state.bodies['bea']?.x)),
  'a door out of sight': (game) => {
    const doors = game.world.definition.doors.filter((door) => knowsTile(game.state, AGENT, door));
    return saying(seen(game), doors.map(({ id }) => doorOf(game.state, id)?.state).join(' '));
  },
};

describe.each(Object.entries(PLANTED))('a planted leak of %s', (_name, observer) => {
  it('is caught', { tags: ['long'] }, () => {
    expect(firstLeak(observer, { textPairs: 2000, pixelPairs: 0 })).not.toBeNull();
  });
});

it('a planted leak in the picture is caught', () => {
  const farSighted: Observer = ({ world, state }) => {
    const { scene } = seen({ world, state });
    const wide = openWorld({ ...world.definition, rules: { ...world.definition.rules, fog: false } });
    return { ...seen({ world, state }), scene: scene && seen({ world: wide, state }).scene };
  };
  expect(firstLeak(farSighted, { textPairs: 200, pixelPairs: 200 })).not.toBeNull();
});

/** The messages of ann's requests, and what goes with each: guided forms, tools, what programs are told. */
async function asked(
  game: Parameters<typeof partedRun>[0],
): Promise<readonly (readonly [readonly Message[], string])[]> {
  const { yaml, controllers, asked: forms } = partedRun(game);
  const sink = new MemorySink();
  await new TurnOrchestrator(await partsFor(yaml, sink, { controllers })).run(NEVER_STOPPED);
  const messages = sink.entries.flatMap((entry) =>
    entry.kind === 'request' && entry.call.agent === 'ann' ? [entry.call.messages] : [],
  );
  return messages.map((each, index) => [each, forms[index] ?? '']);
}

describe('two runs that differ behind a wall', () => {
  it('ask the agent the same at every step', LONG_SIZED, async () => {
    let messages = 0;
    for (let seed = 0; seed < sizeOf('leakRuns'); seed++) {
      const [one, other] = await Promise.all(
        [seed, seed + 1_000_000].map((hidden) => asked({ seed, hidden, isDeaf: true })),
      );
      expect(other).toEqual(one);
      messages += known(one, 'a run').length;
    }
    reached('7 no leaks, runs', `${grouped(messages)} requests with their pictures, 0 differ`);
  });

  it('are told apart where the wall lets words through', { tags: ['long'] }, async () => {
    const [one, other] = await Promise.all(
      [0, 1_000_000].map((hidden) => asked({ seed: 0, hidden, isDeaf: false })),
    );
    expect(other).not.toEqual(one);
  });
});

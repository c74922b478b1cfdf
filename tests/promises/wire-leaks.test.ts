/**
 * Promise 7, over the wire: two worlds that differ only in what an agent can't perceive send whoever controls it the same bytes, in every part of
 * an observation that its role may ask for. Planted leaks show that a difference would be noticed.
 */
import { create, toBinary } from '@bufbuild/protobuf';
import * as fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { aided } from '../../src/agent/aids.js';
import type { Composer } from '../../src/agent/prompt.js';
import { at, known } from '../../src/base/assert.js';
import { FREE_FORM } from '../../src/model/chat.js';
import { ObservationSchema, Part } from '../../src/serve/gen/orchestrate/world/v1/world_pb.js';
import { observationInit } from '../../src/serve/observations.js';
import type { Painter } from '../../src/orchestrator/run-context.js';
import { MemorySink } from '../../src/trajectory/memory-sink.js';
import { observe } from '../../src/worlds/grid/observe.js';
import { gridRegistry } from '../../src/worlds/grid/registry.js';
import { corridor } from '../orchestrator/two-agents.js';
import { partsFor } from '../support/play.js';
import { AGENT, changed } from '../worlds/grid/hidden-change.js';
import { randomGame } from '../worlds/grid/random-world.js';
import type { Played } from '../worlds/grid/random-world.js';
import { chance } from './chance.js';
import { dressed } from './dressed.js';
import { SIZED, grouped, reached, sizeOf } from '../support/sizes.js';

/** So many changes are made behind the agent's back in one game. */
const CHANGES = 40;
/** All that an agent may ask for; the numbers of PART_LEGAL are for those who may see everything. */
const PARTS = [
  Part.FACTS,
  Part.OFFERS,
  Part.EVENTS,
  Part.TEXT,
  Part.FRAME,
  Part.PROMPT,
  Part.FACTS_JSON,
  Part.FORMS,
];

let composer: Composer;
let painter: Painter;
let scenario: Awaited<ReturnType<typeof partsFor>>['scenario'];

beforeAll(async () => {
  const parts = await partsFor(corridor(), new MemorySink(), { set: ['prompt.snapshot=true'] });
  scenario = parts.scenario;
  composer = at(parts.seats, 0).composer;
  painter = known(parts.painter, 'a painter');
});

type Teller = (game: Played) => Uint8Array;

const sent: Teller = ({ world, state }) => {
  const actions = gridRegistry(world);
  const observation = aided(observe(world, state, AGENT, actions), scenario, painter);
  const picture = painter.paint(known(observation.scene, 'a scene'));
  const frame = { png: picture.png, hash: picture.hash };
  const messages = composer.messages([], composer.turnText(observation, null), frame);
  const { turn } = observation;
  const input = { agent: AGENT, turn, attempt: 1, observation, messages, form: FREE_FORM, memory: null };
  const init = observationInit(input, {
    run: 'run',
    epoch: 1,
    timeLeftMs: 1000,
    skippedTicks: 0,
    protocol: 'command',
    briefing: '',
    isSpatial: true,
    frame: { tilePixels: 16, marginPixels: 0 },
    actions,
    parts: PARTS,
  });
  return toBinary(ObservationSchema, create(ObservationSchema, init));
};

/** The number of the first pair whose bytes differ; null where none do. */
function firstLeak(tell: Teller, pairs: number): number | null {
  const below = chance('wire leaks');
  const games = fc.sample(randomGame, { numRuns: Math.ceil(pairs / CHANGES), seed: 11 });
  let pair = 0;
  for (const game of games.map(dressed)) {
    const before = tell(game);
    for (let n = 0; n < CHANGES; n++, pair++) {
      const numbers = Array.from({ length: 40 }, () => below(10_000));
      const after = tell(changed(game, { numbers, seed: String(below(1_000_000)) }));
      if (Buffer.compare(before, after) !== 0) return pair;
    }
  }
  return null;
}

it('whatever is hidden, the bytes of an observation are the same', SIZED, () => {
  const pairs = sizeOf('leakWirePairs');
  expect(firstLeak(sent, pairs)).toBeNull();
  reached('7 no leaks, wire', `${grouped(pairs)} pairs of observations, every byte of every part the same`);
});

it.each<[string, Teller]>([
  ['where another body is', (game) => tail(game, String(game.state.bodies['bea']?.x))],
  ['which way it faces', (game) => tail(game, String(game.state.bodies['bea']?.facing))],
  ['what another agent saw', (game) => tail(game, JSON.stringify(game.state.minds['bea']?.inbox))],
])('a planted leak of %s is caught', (_what, tell) => {
  expect(firstLeak(tell, 2000)).not.toBeNull();
});

function tail(game: Played, leaked: string): Uint8Array {
  return Buffer.concat([sent(game), Buffer.from(leaked)]);
}

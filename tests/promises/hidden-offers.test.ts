/**
 * Promise 7, of what may be done: two worlds that differ only in what an agent has not perceived offer it the same, in the same forms, help,
 * schemas and guided answers of every protocol, refuse the same acts in the same words, and go on doing so as it acts, until an act shows it.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { at } from '../../src/base/assert.js';
import { MemorySink } from '../../src/trajectory/memory-sink.js';
import { corridor } from '../orchestrator/two-agents.js';
import { partsFor } from '../support/play.js';
import { chance } from './chance.js';
import { gridPair } from './hidden-grid.js';
import { toolboxPair, workcellPair } from './hidden-rooms.js';
import type { HiddenPair, PairTelling } from './hidden-pair.js';
import { followPair } from './hidden-pair.js';
import { SIZED, grouped, reached, sizeOf } from '../support/sizes.js';

let telling: PairTelling;

beforeAll(async () => {
  const { scenario } = await partsFor(corridor(), new MemorySink(), { set: ['prompt.snapshot=true'] });
  telling = { scenario, spec: at(scenario.agents, 0), turns: 6 };
});

/** As many as are told. */
const LEAKS_MAX = 3;

/** The first pairs that were told apart, and how much was compared. */
function leaksIn(pairs: number, make: (seed: number) => HiddenPair) {
  const leaks: string[] = [];
  let moments = 0;
  for (let seed = 0; seed < pairs && leaks.length < LEAKS_MAX; seed++) {
    const { leak, moments: compared } = followPair(make(seed), telling, chance(`acts ${seed}`));
    if (leak !== null) leaks.push(`pair ${seed}, ${leak}`);
    moments += compared;
  }
  return { leaks, moments };
}

describe('two worlds that differ in what an agent has not perceived', () => {
  it.each([
    ['grids', gridPair, 1],
    ['workcells', workcellPair, 5],
    ['toolboxes', toolboxPair, 10],
  ] as const)('offer and refuse the same in %s', SIZED, (kind, make, share) => {
    const pairs = Math.ceil(sizeOf('offerPairs') / share);
    const { leaks, moments } = leaksIn(pairs, make);
    expect(leaks).toEqual([]);
    reached(
      '7 no leaks, offers',
      `${grouped(pairs)} pairs of ${kind}, ${grouped(moments)} moments, 0 differ`,
    );
  });
});

/** Many agents who decide outside this process, all at once: whoever is asked first need not wait until the last one is asked. */
import { setImmediate as nextRound } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { TurnOrchestrator } from '../../src/orchestrator/turn-orchestrator.js';
import { MemorySink } from '../../src/trajectory/memory-sink.js';
import { answering } from '../support/controllers.js';
import { NEVER_STOPPED, partsFor } from '../support/play.js';

const CROWD = 20;

const HALL = `
title: A hall
map: |
  ${'#'.repeat(CROWD + 2)}
  #${'.'.repeat(CROWD)}#
  ${'#'.repeat(CROWD + 2)}
agents:
${Array.from({ length: CROWD }, (_, i) => `  - { id: a${i}, sprite: knight, at: [${i + 1}, 1] }`).join('\n')}
turns: { max: 1, order: simultaneous }
`;

/** How many were asked when the first one could have answered from outside, and the chain at the end. */
async function askedBeforeAnswer(isServed: boolean): Promise<readonly [number, string]> {
  let asked = 0;
  let atAnswer = 0;
  const controllers = Object.fromEntries(
    Array.from({ length: CROWD }, (_, i) => {
      const waits = answering(['ACTION: WAIT']);
      const decide: typeof waits.decide = async (input, signal) => {
        asked += 1;
        if (asked === 1) {
          await nextRound();
          atAnswer = asked;
        }
        return waits.decide(input, signal);
      };
      return [`a${i}`, { ...waits, decide }];
    }),
  );
  const parts = await partsFor(HALL, new MemorySink(), { controllers });
  const served = isServed ? { ...parts, beforeSettle: () => Promise.resolve() } : parts;
  const { chain } = await new TurnOrchestrator(served).run(NEVER_STOPPED);
  return [atAnswer, chain];
}

it('the first answers are taken while others have not been asked, and the run is the same', async () => {
  const [alone, chain] = await askedBeforeAnswer(false);
  expect(alone).toBe(CROWD);
  const [served, same] = await askedBeforeAnswer(true);
  expect(served).toBeLessThan(CROWD);
  expect(same).toBe(chain);
});

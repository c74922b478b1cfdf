/** A run that was cut off at any moment goes on to the very end of the one that was not. */
import { describe, expect, it } from 'vitest';
import { LogReader } from '../../src/log/reader.js';
import { corridor } from '../orchestrator/two-agents.js';
import { cutOff, goOn, remembering } from '../support/going-on.js';
import { verified } from './support.js';

const ANSWERS = ['hm', 'ACTION: GO NORTH', 'ACTION: LOOK', 'ACTION: GO EAST', 'x', 'y', 'z'];

/** Steps and calls of a log: nothing may be there twice. */
function countsIn(path: string) {
  const reader = new LogReader(path);
  const [run] = reader.runs();
  const steps = [...reader.steps(run?.runId ?? '')];
  const unanswered = steps.flatMap(({ step }) =>
    reader.calls(run?.runId ?? '', step).filter(({ end }) => end === null),
  );
  const sittings = reader.sittings(run?.runId ?? '').length;
  reader.close();
  return { steps: steps.map(({ step }) => step), unanswered: unanswered.length, sittings };
}

describe('a run cut off at any moment', () => {
  const orders = ['sequential', 'simultaneous'] as const;
  const kinds = ['embedded', 'remote'] as const;
  const cases = orders.flatMap((order) => kinds.map((kind) => [order, kind] as const));

  it.each(cases)('ends as the whole one, in %s order with %s agents', async (order, kind) => {
    const text = corridor(`max: 4, order: ${order}`);
    let asked = 0;
    const players = () => ({
      ann: remembering(ANSWERS, kind === 'remote', () => (asked += 1)),
      bob: remembering(
        ['ACTION: READ sign', 'ACTION: TAKE coin', '???'],
        kind === 'remote',
        () => (asked += 1),
      ),
    });
    const whole = await cutOff(text, { controllers: players() });
    const askedWhole = asked;
    expect(whole.cuts.length).toBeGreaterThan(30);
    for (const [i, cut] of whole.cuts.entries()) {
      asked = 0;
      const end = await goOn(cut, { controllers: players() });
      expect({ ...end, endedAt: 0 }).toEqual({ ...whole.end, endedAt: 0 });
      const { steps, unanswered, sittings } = countsIn(cut);
      expect(steps).toEqual(Array.from({ length: whole.end.steps }, (_, i) => i + 1));
      expect(unanswered).toBeLessThanOrEqual(order === 'sequential' ? 1 : 2);
      expect(sittings).toBe(2);
      expect(asked).toBeLessThanOrEqual(askedWhole);
      if (i % 8 === 0)
        expect(await verified(cut)).toMatchObject({ difference: null, steps: whole.end.steps });
    }
  });
});

/** When a program is started again: doubling waits, at most ten restarts in ten minutes, whatever it does. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { programFor } from '../../src/runner/policy.js';
import { Restarts } from '../../src/runner/restarts.js';

const DEFAULT = { firstWaitMs: 250, longestWaitMs: 5000, max: 10, windowMs: 600_000 };

/** How long a program runs each time: about as long each time, from nothing to minutes. */
const LIVES = fc
  .integer({ min: 0, max: 200_000 })
  .chain((max) => fc.array(fc.integer({ min: Math.floor(max / 2), max }), { maxLength: 60, size: 'max' }));

describe('restarts', () => {
  it('wait longer and longer, and end after ten', () => {
    const restarts = new Restarts(DEFAULT);
    const waits = Array.from({ length: 11 }, () => {
      const next = restarts.ended(0);
      return next.kind === 'start' ? next.afterMs : next.kind;
    });
    expect(waits).toEqual([250, 500, 1000, 2000, 4000, 5000, 5000, 5000, 5000, 5000, 'given-up']);
  });

  it('wait and end as the file says', () => {
    const restarts = new Restarts({ firstWaitMs: 10, longestWaitMs: 30, max: 3, windowMs: 1000 });
    const waits = [0, 0, 0, 0, 2000].map((now) => restarts.ended(now));
    const started = (afterMs: number) => ({ kind: 'start', afterMs });
    expect(waits).toEqual([started(10), started(20), started(30), { kind: 'given-up' }, started(10)]);
  });

  it('are never more than ten within ten minutes, however long the program runs between', () => {
    fc.assert(
      fc.property(LIVES, (lives) => {
        const restarts = new Restarts(DEFAULT);
        const starts: number[] = [];
        let now = 0;
        for (const life of lives) {
          now += life;
          const next = restarts.ended(now);
          if (next.kind === 'given-up') break;
          now += next.afterMs;
          starts.push(now);
        }
        for (const start of starts) {
          const within = starts.filter((at) => at >= start && at < start + 600_000);
          expect(within.length).toBeLessThanOrEqual(10);
        }
      }),
      { numRuns: 1000 },
    );
  });
});

describe('a program', () => {
  const named = (name: string, tags: readonly string[]) => ({
    name,
    tags,
    program: `./${name}`,
    args: [],
    env: {},
    passEnv: [],
    config: '{}',
    configFile: null,
  });

  it('plays the entities that have all of its tags; the first one counts', () => {
    const programs = [named('eater', ['npc', 'hungry']), named('walker', ['npc'])];
    expect(programFor(['npc', 'hungry', 'x'], programs)?.name).toBe('eater');
    expect(programFor(['npc'], programs)?.name).toBe('walker');
    expect(programFor(['player'], programs)).toBeNull();
    expect(programFor(['player'], [...programs, named('any', [])])?.name).toBe('any');
  });
});

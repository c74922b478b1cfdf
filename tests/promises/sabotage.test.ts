/**
 * Promise 11: each planted bug is caught by the check that claims it. A check that nothing can fail proves nothing.
 * @module-tag long
 */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../support/children.js';
import { temporaryFolder } from '../support/folder.js';
import { SABOTAGES } from './sabotages.js';
import { reached } from '../support/sizes.js';

const CONFIG = fileURLToPath(new URL('sabotage.config.ts', import.meta.url));
const folder = temporaryFolder();

/** Each planted bug starts a check of its own: together they take some minutes beside the other tests on two cores, far more on a busy machine. */
const SABOTAGE_TIMEOUT_MS = 2_400_000;

interface Outcome {
  passed: number;
  failed: number;
  errors: readonly string[];
  /** What this machine lacks, by the tests that skipped themselves. */
  lacking: readonly string[];
}

type Outcomes = Readonly<Record<string, Outcome>>;

const NONE: Outcome = { passed: 0, failed: 0, errors: ['it did not run'], lacking: [] };

/** Whether its checks skipped themselves, because this machine lacks a server that they need. */
function isUntried({ passed, failed, errors, lacking }: Outcome): boolean {
  return passed + failed + errors.length === 0 && lacking.length > 0;
}

/** What came of each check, by the number of its planted bug, or `control …` where nothing was planted. */
async function tryAll(): Promise<Outcomes> {
  const report = join(folder, 'outcomes.json');
  const words = ['vitest', 'run', '--config', CONFIG];
  // The figures of checks under planted bugs are nobody's.
  const { PROMISES_REPORT: _report, TEST_COSTS: _costs, ...env } = process.env;
  // What a check that was broken off leaves behind goes with our folder: of killed runs alone some 9 GB.
  const child = spawn('npx', words, { cwd: ROOT, env: { ...env, TMPDIR: folder, SABOTAGE_REPORT: report } });
  let said = '';
  child.stdout.on('data', (data: Buffer) => (said += data.toString()));
  child.stderr.on('data', (data: Buffer) => (said += data.toString()));
  await new Promise((resolve) => child.on('close', resolve));
  try {
    return JSON.parse(readFileSync(report, 'utf8')) as Outcomes;
  } catch {
    throw new Error(`the checks did not run: ${said.slice(-2000)}`);
  }
}

describe('planted bugs', () => {
  it('are many, at least one for each promise', () => {
    expect(SABOTAGES.length).toBeGreaterThanOrEqual(25);
    for (let promise = 1; promise <= 9; promise++) {
      expect(
        SABOTAGES.some((one) => one.promise.startsWith(`${promise} `)),
        `promise ${promise}`,
      ).toBe(true);
    }
  });

  it('name checks that exist', () => {
    expect(
      SABOTAGES.map(({ check }) => check).filter((check) => !existsSync(join(ROOT, 'tests', check))),
    ).toEqual([]);
  });

  it(
    'are caught, each by the check that claims it',
    async () => {
      const outcomes = await tryAll();
      const outcomeOf = (key: string): Outcome => outcomes[key] ?? NONE;
      const lacking = SABOTAGES.flatMap((_, i) => (isUntried(outcomeOf(String(i))) ? [i] : []));
      const missed = SABOTAGES.flatMap(({ bug, check, tests }, i) => {
        const { passed, failed, errors } = outcomeOf(String(i));
        return failed > 0 || lacking.includes(i)
          ? []
          : [`${bug}: ${check} (${tests}) passed ${passed} tests and failed none ${errors.join()}`];
      });
      const upset = [...new Set(SABOTAGES.map(({ check }) => check))].flatMap((check) => {
        const outcome = outcomeOf(`control ${check}`);
        const { passed, failed, errors } = outcome;
        return failed === 0 && (passed > 0 || isUntried(outcome)) && errors.length === 0
          ? []
          : [`${check} fails with nothing planted ${errors.join()}`];
      });
      expect(upset).toEqual([]);
      expect(missed).toEqual([]);
      const untried = lacking.map((i) => `; not tried: ${SABOTAGES[i]?.bug}`).join('');
      reached(
        '11 sabotage',
        `${SABOTAGES.length - lacking.length} of ${SABOTAGES.length} planted bugs caught${untried}`,
      );
    },
    SABOTAGE_TIMEOUT_MS,
  );
});

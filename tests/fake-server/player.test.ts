/**
 * Players of the fake server: their replies follow from the request alone, so that a batch of them is played twice alike, whatever comes first.
 * @module-tag long
 */
import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RunReport } from '../../src/report/report.js';
import { orchestrate } from '../support/captured-io.js';
import { temporaryFolder } from '../support/folder.js';
import { nextOf, plansIn, player } from './player.mjs';
import { startFakeServer } from './server.mjs';
import type { FakeServer } from './server.mjs';

const cwd = temporaryFolder();
const on = (...args: readonly string[]) => orchestrate(args, { cwd });

describe('what comes next in a plan', () => {
  const plan = ['GO NORTH', 'TAKE key', 'GO NORTH', 'OPEN door'];
  const said = (...commands: readonly string[]) => commands.map((one) => `Well.\nACTION: ${one}`);

  test('follows what was said last, and of moves that come twice what was said before', () => {
    expect(nextOf(plan, [])).toBe('GO NORTH');
    expect(nextOf(plan, said('GO NORTH'))).toBe('TAKE key');
    expect(nextOf(plan, said('GO NORTH', 'WAIT', 'TAKE key'))).toBe('GO NORTH');
    expect(nextOf(plan, said('TAKE key', 'GO NORTH'))).toBe('OPEN door');
    expect(nextOf(plan, said('OPEN door'))).toBe('WAIT');
    expect(nextOf([], said('WAIT'))).toBe('WAIT');
  });
});

describe('a batch of players', () => {
  let server: FakeServer;

  beforeAll(async () => {
    copyFileSync('scenarios/brass-key.yaml', join(cwd, 'brass-key.yaml'));
    copyFileSync('scenarios/lever-gate.yaml', join(cwd, 'lever-gate.yaml'));
    const checked = await on('check', 'brass-key.yaml', 'lever-gate.yaml', '--plan', '--json');
    const plans = plansIn(checked.out);
    const players = { perfect: player(plans, 1), hasty: player(plans, 0.8), lost: player(plans, 0) };
    server = await startFakeServer({
      models: Object.keys(players),
      reply: (request) => players[request.body['model'] as keyof typeof players](request),
    });
    const models = Object.keys(players).map(
      (name) => `  ${name}: { base_url: "${server.baseUrl}", model: ${name}, temperature: 0.7 }`,
    );
    for (const [name, parallel] of [
      ['once', 1],
      ['again', 6],
    ] as const)
      writeFileSync(
        join(cwd, `${name}.yaml`),
        `scenarios: [brass-key.yaml, lever-gate.yaml]\nmodels:\n${models.join('\n')}\nseeds: 4\nmax_turns: 12\nparallel: ${parallel}\n`,
      );
    await on('batch', 'once.yaml', '--quiet');
    await on('batch', 'again.yaml', '--quiet');
  });

  afterAll(() => server.close());

  const reported = async (...logs: readonly string[]): Promise<RunReport> =>
    JSON.parse((await on('report', ...logs, '--json')).out) as RunReport;
  const logsOf = (name: string, parallel: number) =>
    Array.from({ length: parallel }, (_, i) => `runs/${name}/runs-00${i + 1}.sqlite`);

  test('goes the same ways one run after the other and six at a time', async () => {
    const ways = async (...logs: readonly string[]) => {
      const { runs } = await reported(...logs);
      return runs.map(({ run, trajectory }) => `${run} ${trajectory}`).toSorted();
    };
    const once = await ways(...logsOf('once', 1));
    expect(once).toHaveLength(24);
    expect(await ways(...logsOf('again', 6))).toEqual(once);
  });

  test('wins as its skill says', async () => {
    const { overview } = await reported(...logsOf('once', 1));
    const means = new Map(overview.rows.map(({ players, mean }) => [players, mean ?? -1]));
    expect(means.get('perfect')).toBe(1);
    expect(means.get('lost')).toBe(0);
    expect(means.get('hasty')).toBeGreaterThan(0);
  });

  test('differs with the seed, which reaches the sampler', async () => {
    const { cells } = await reported(...logsOf('once', 1));
    const hasty = cells.filter(({ players }) => players === 'hasty');
    expect(hasty.map(({ ignoresSeed }) => ignoresSeed)).toEqual([false, false]);
  });
});

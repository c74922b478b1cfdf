/**
 * The bench runs and tells of every stage; how fast is no test's business.
 * @module-tag long
 */
import http from 'node:http';
import { expect, it, vi } from 'vitest';
import { clientReport } from '../../bench/client.js';
import { crowdReport } from '../../bench/crowd.js';
import { ratesReport } from '../../bench/rates.js';
import { report } from '../../bench/report.js';
import { STAGES } from '../../bench/stage-clock.js';

it('plays a scenario and prints every stage, the whole step, the maps and the hostile replies', async () => {
  const amounts = {
    steps: 10,
    warmUp: 1,
    maps: [[20, 15]],
    mapTurns: 2,
    verifyRounds: 1,
    hostileCharacters: [500],
  } as const;
  const text = await report('scenarios/crypt.yaml', amounts);
  const rowOf = (name: string) => text.split('\n').find((line) => line.startsWith(`| ${name} `));
  for (const stage of STAGES) expect(rowOf(stage)).toMatch(/\| +[\d.]+ \| +(?!0\.0 )[\d.]+ \| +[\d.]+ \|/);
  for (const sized of ['observe', 'prompt', 'encode', 'parse', 'advance', 'log'])
    expect(rowOf(sized)).toMatch(/\|(?: +[\d.]+ \|){3} +[1-9]\d* \|/);
  const [, besideFloors = ''] = text.split('| beside its floor');
  for (const floored of ['observe', 'prompt', 'draw', 'encode', 'hash', 'log', 'whole step without `decide`'])
    expect(besideFloors).toMatch(
      new RegExp(`^\\| ${floored} +\\| +[\\d.]+ \\| +(?!0\\.0 )[\\d.]+ \\| +\\d+\\.\\d\\d \\| +\\w`, 'm'),
    );
  expect(rowOf('whole step without `decide`')).toBeDefined();
  expect(rowOf('20 × 15')).toBeDefined();
  expect(text).toMatch(/\d+ steps a second, /);
  expect(text).toMatch(/verify: [\d.]+ µs of processor time a step .*: \d+\.\d\d × as fast/);
  expect(text).toMatch(/Hostile replies of 500 characters, \d+ families: median/);
});

it('plays small and large frames with one and two commits a step', async () => {
  const text = await ratesReport('scenarios/crypt.yaml', { warmUp: 0, rounds: 1, runs: 1 });
  for (const commits of [1, 2])
    for (const frame of ['480 × 480', '1008 × 720'])
      expect(text).toMatch(
        new RegExp(`${frame} pixels +\\| +${commits} \\| +[1-9]\\d+ \\| +[1-9]\\d+ \\| +[1-9]\\d+ \\|`),
      );
});

it('asks a server in another process as a run does, and beside it as barely as can be', async () => {
  const requests = vi.spyOn(http, 'request');
  const text = await clientReport({ calls: 6, rounds: 1, atOnce: 2 });
  // Only the bare request has a callback for its answer.
  const asked = requests.mock.calls.map((args) => (args.length === 3 ? 'barely' : 'as a run does'));
  requests.mockRestore();
  // Each round, and the one before that is not counted.
  for (const way of ['as a run does', 'barely']) expect(asked.filter((one) => one === way)).toHaveLength(12);
  expect(text).toMatch(
    /^client: \d+ µs of processor time a call with 2\d KB of body, .* \d+ µs: \d+\.\d\d ×\n$/,
  );
});

it('plays few and many agents, and a long run beside a young one, by turns', async () => {
  const text = await crowdReport({
    agents: [1, 16],
    warmUp: 2,
    rounds: 2,
    stretch: 3,
    steps: 1100,
    young: 4,
  });
  expect(text).toMatch(/^\| 1 +\| +[1-9]\d+ \| +\d\.\d\d \| +\d+ \|$/m);
  expect(text).toMatch(/^\| 16 +\| +[1-9]\d+ \| +1\.00 \| +\d+ \|$/m);
  for (const steps of ['100\\d', '11\\d\\d'])
    expect(text).toMatch(
      new RegExp(`^\\| ${steps} +\\| +[1-9]\\d+ \\| +\\d\\.\\d\\d \\| +\\d+ \\| +\\d+ \\|$`, 'm'),
    );
});

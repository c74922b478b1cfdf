/** What report, show, export and the page tell of a served run: who played it, and the turns in which nobody did. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { LogReader } from '../../src/log/reader.js';
import type { RunReport } from '../../src/report/report.js';
import { orchestrate } from '../support/captured-io.js';
import { temporaryFolder } from '../support/folder.js';
import { servedWorld } from '../support/served-world.js';
import { dataOf } from '../view/support.js';
import type { Clients } from './served.js';

const ROOM = `
title: Two in a room
map: |
  ########
  #a....b#
  ########
legend: { a: { agent: ann }, b: { agent: bob } }
agents: [{ id: ann, sprite: knight }, { id: bob, sprite: wizard }]
turns: { max: 8 }
`;

/** Ann plays so many turns by each of so many leases, and nobody ever plays bob. */
async function playedRun(grants: number): Promise<string> {
  const one = await servedWorld(ROOM);
  for (let i = 0; i < grants; i += 1) await play(one, 2);
  await one.world.close();
  return one.log;
}

async function play({ leases, play: service }: Clients, turns: number): Promise<void> {
  const { lease } = await leases.acquireLease({ entity: 'ann', controller: 'tester' });
  let played = 0;
  for await (const { isFinal, tick, attempt } of service.streamObservations({ lease })) {
    if (isFinal) return;
    if (tick === 0n) continue;
    if (played === turns) break;
    played += 1;
    await service.submitIntent({ lease, tick, attempt, intent: { case: 'wait', value: {} } });
  }
  await leases.releaseLease({ lease });
}

it('the same program is one player, however often its lease was granted', async () => {
  const [once, often] = [await playedRun(1), await playedRun(2)];
  const report = JSON.parse((await orchestrate(['report', once, often, '--json'])).out) as RunReport;
  expect(report.cells.map(({ players }) => players)).toEqual(['lease:tester']);
  const shown = JSON.parse((await orchestrate(['show', often, '--json'])).out) as { players: string };
  expect(shown.players).toBe('lease:tester');
  expect((await orchestrate(['show', often])).out).toContain(' · lease:tester · ');
  const { runs } = await dataOf(often);
  expect(runs[0]?.agents.map(({ player }) => player)).toEqual(['lease:tester', '']);
  const rows = join(temporaryFolder(), 'rows');
  await orchestrate(['export', often, '--format', 'jsonl', '--out', rows]);
  const names = readFileSync(join(rows, 'train.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((row) => JSON.parse(row) as { player: string; controller?: string });
  expect(new Set(names.map(({ player }) => player))).toEqual(new Set(['lease:tester']));
  const reader = new LogReader(often);
  const [{ runId } = { runId: '' }] = reader.runs();
  const calls = [...reader.steps(runId)].flatMap(({ step }) => reader.calls(runId, step));
  reader.close();
  expect(new Set(calls.map(({ request }) => request.controller))).toEqual(
    new Set(['lease:tester#1', 'lease:tester#2']),
  );
});

it('a run that nobody held was played by nobody', async () => {
  const log = await playedRun(0);
  const report = JSON.parse((await orchestrate(['report', log, '--json'])).out) as RunReport;
  expect(report.runs.map(({ players }) => players)).toEqual(['nobody']);
});

it('turns without a controller are no forced WAITs, and make no first try worse', async () => {
  const log = await playedRun(1);
  const report = JSON.parse((await orchestrate(['report', log, '--json'])).out) as RunReport;
  const [run] = report.runs;
  const { steps = 0, uncontrolled = 0, agents = [], standIns = 0 } = run ?? {};
  // The tick in which ann was let go is the only one that asked in vain.
  expect(run).toMatchObject({ firstTries: 2, unread: {}, refused: {} });
  expect([0, 1]).toContain(standIns);
  expect(steps).toBe(2 + standIns);
  expect(uncontrolled).toBeGreaterThanOrEqual(steps);
  expect(agents).toMatchObject([
    { agent: 'ann', steps, firstTries: 2, standIns },
    { agent: 'bob', steps: 0, firstTries: 0, standIns: 0 },
  ]);
  const { out } = await orchestrate(['report', log]);
  expect(out.replaceAll(/\s+/g, ' ')).toContain(`${uncontrolled} turns without a controller`);
  const shown = (await orchestrate(['show', log])).out;
  expect(shown).toContain('(nobody controls it)');
  expect(shown).not.toContain('instead of uncontrolled');
});

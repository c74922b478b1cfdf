/** A player is called the same by every command: as the batch calls it, else by its model, else by its controller. */
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunReport } from '../../src/report/report.js';
import { startFakeServer } from '../fake-server/server.mjs';
import type { FakeServer } from '../fake-server/server.mjs';
import { corridor } from '../orchestrator/two-agents.js';
import { orchestrate } from '../support/captured-io.js';
import { temporaryFolder } from '../support/folder.js';
import { dataOf } from '../view/support.js';

const cwd = temporaryFolder();
const on = (...args: readonly string[]) => orchestrate(args, { cwd });
let server: FakeServer;

beforeAll(async () => {
  server = await startFakeServer({ reply: () => 'ACTION: WAIT', images: 'any' });
  const asked = corridor('max: 1').replace(
    'turns:',
    `models: { main: { base_url: "${server.baseUrl}" } }\nturns:`,
  );
  writeFileSync(join(cwd, 'asked.yaml'), asked.replaceAll(/(knight|wizard) }/g, '$1, model: main }'));
  const fixed = 'controller: replies, replies: ["ACTION: WAIT"] }';
  writeFileSync(
    join(cwd, 'fixed.yaml'),
    corridor('max: 1').replace('figure/wizard }', `figure/wizard, ${fixed}`),
  );
});

afterAll(() => server.close());

/** What each command calls whoever played the log's only run. */
async function namesIn(log: string, out: string) {
  const report = JSON.parse((await on('report', log, '--json')).out) as RunReport;
  const shown = JSON.parse((await on('show', log, '--json')).out) as { players: string };
  await on('export', log, '--format', 'jsonl', '--out', out);
  const rows = readFileSync(join(cwd, out, 'train.jsonl'), 'utf8')
    .trim()
    .split('\n');
  const { runs } = await dataOf(join(cwd, log));
  const agents = runs.flatMap((run) => run.agents);
  return {
    report: report.runs.map(({ players }) => players),
    show: shown.players,
    export: [...new Set(rows.map((row) => (JSON.parse(row) as { player: string }).player))],
    page: [...new Set(agents.map(({ player }) => player))],
    calls: [
      ...new Set(
        runs.flatMap(({ steps }) => steps.flatMap(({ calls }) => calls.map(({ player }) => player))),
      ),
    ],
  };
}

const all = (name: string) => ({ report: [name], show: name, export: [name], page: [name], calls: [name] });

describe('a player', () => {
  it('of a batch is called by its name there in batch, report, show, export and page', async () => {
    const model = `sharp: { base_url: "${server.baseUrl}" }`;
    writeFileSync(join(cwd, 'one.yaml'), `scenarios: [corridor.yaml]\nmodels: { ${model} }\nparallel: 1\n`);
    writeFileSync(join(cwd, 'corridor.yaml'), corridor('max: 1'));
    const { out } = await on('batch', 'one.yaml', '--out', 'one', '--json');
    const [cell] = (JSON.parse(out) as { cells: readonly { players: string }[] }).cells;
    expect(cell?.players).toBe('sharp');
    const log = join('one', readdirSync(join(cwd, 'one'))[0] ?? '');
    expect(await namesIn(log, 'one-rows')).toEqual(all('sharp'));
    expect((await on('show', log)).out).toContain(' · sharp · ');
    expect((await on('show', log, '--step', '1')).out).toContain('Sent to sharp, attempt 1');
    expect((await on('report', log)).out).toContain('sharp');
    await on('export', log, '--format', 'jsonl', '--player', 'sharp', '--out', 'chosen');
    expect(
      readFileSync(join(cwd, 'chosen', 'train.jsonl'), 'utf8')
        .trim()
        .split('\n'),
    ).toHaveLength(2);
  });

  it('that is a program keeps its name of the batch without what it is', async () => {
    writeFileSync(
      join(cwd, 'chance.yaml'),
      'scenarios: [corridor.yaml]\nmodels: { dice: { controller: random } }\n',
    );
    await on('batch', 'chance.yaml', '--out', 'chance', '--quiet');
    const log = join('chance', readdirSync(join(cwd, 'chance'))[0] ?? '');
    expect(await namesIn(log, 'chance-rows')).toEqual(all('dice'));
  });

  it('of a single run is called by its model, as the server names it', async () => {
    const { out } = await on('run', 'asked.yaml', '--out', 'asked.sqlite');
    expect(out).toContain('Ann (fake-vlm)');
    expect(await namesIn('asked.sqlite', 'asked-rows')).toEqual(all('fake-vlm'));
  });

  it('keeps its name of the batch in a fork and in a run that goes on', async () => {
    const model = `sharp: { base_url: "${server.baseUrl}" }`;
    writeFileSync(join(cwd, 'kept.yaml'), `scenarios: [corridor.yaml]\nmodels: { ${model} }\nparallel: 1\n`);
    await on('batch', 'kept.yaml', '--out', 'kept', '--quiet');
    const log = join('kept', readdirSync(join(cwd, 'kept'))[0] ?? '');
    const forked = await on('fork', log, '--at', '1', '--quiet');
    expect(forked.err).toBe('');
    const report = JSON.parse((await on('report', log, '--forks', '--json')).out) as RunReport;
    expect(report.runs.map(({ players }) => players)).toEqual(['sharp', 'sharp']);
    await on('fork', `${log}#${report.runs[0]?.run}`, '--at', '1', '--quiet', '--controller', 'random');
    const again = JSON.parse((await on('report', log, '--forks', '--json')).out) as RunReport;
    expect(again.runs.map(({ players }) => players)).toEqual(['sharp', 'sharp', 'random']);
  });

  it('is not an agent with fixed replies where others decide, which belongs to the scenario', async () => {
    await on(
      'run',
      'fixed.yaml',
      '--out',
      'mixed.sqlite',
      '--quiet',
      '--set',
      'agents.ann.controller=random',
    );
    const report = JSON.parse((await on('report', 'mixed.sqlite', '--json')).out) as RunReport;
    expect(report.runs.map(({ players }) => players)).toEqual(['random']);
  });
});

/** `--player` and `--model` choose the same runs in `report`, `export`, `show` and `view`, by one definition of both names. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunReport } from '../../src/report/report.js';
import { changed } from '../fake-server/behaviours.mjs';
import { startFakeServer } from '../fake-server/server.mjs';
import type { FakeServer } from '../fake-server/server.mjs';
import { corridor } from '../orchestrator/two-agents.js';
import { jsonLines } from '../export/runs.js';
import { orchestrate } from '../support/captured-io.js';
import { temporaryFolder } from '../support/folder.js';

const cwd = temporaryFolder();
const on = (...args: readonly string[]) => orchestrate(args, { cwd });
let server: FakeServer;

beforeAll(async () => {
  server = await startFakeServer({ reply: () => 'ACTION: WAIT' });
  writeFileSync(join(cwd, 'corridor.yaml'), corridor('max: 2'));
  writeFileSync(
    join(cwd, 'compare.yaml'),
    [
      'scenarios: [corridor.yaml]',
      'models:',
      `  eager: { model: fake-vlm, base_url: "${server.baseUrl}" }`,
      `  calm: { model: fake-vlm, temperature: 1, base_url: "${server.baseUrl}" }`,
      '  scripted: { controller: scripted }',
      'seeds: [1]',
      '',
    ].join('\n'),
  );
  const { code, err } = await on('batch', 'compare.yaml', '--out', 'runs', '--quiet');
  if (code !== 0) throw new Error(err);
});

afterAll(() => server.close());

/** The players of the runs that each command chooses. */
async function chosen(...words: readonly string[]) {
  const report = JSON.parse((await on('report', 'runs', '--json', ...words)).out) as RunReport;
  const name = `data${words.join('').replaceAll(/\W/g, '')}`;
  await on('export', 'runs', '--format', 'jsonl', '--out', name, '--all', '--duplicates', 'keep', ...words);
  const rows = jsonLines(readFileSync(join(cwd, name, 'train.jsonl')));
  const page = (await on('view', 'runs', '--out', `${name}.html`, ...words)).out;
  const players = ['eager', 'calm', 'scripted'];
  return {
    report: players.filter((player) => report.runs.some((run) => run.players === player)),
    planned: [...new Set(report.notPlayed.map((run) => run.players))],
    export: players.filter((player) => rows.some((row) => row['player'] === player)),
    models: [...new Set(rows.map((row) => row['model']))],
    viewedSteps: Number(/ (\d+) steps/.exec(page)?.[1]),
  };
}

describe('a player and a model', () => {
  it('are chosen alike by every command', async () => {
    // Every run has two turns of two agents and the world.
    const calm = { report: ['calm'], planned: [], export: ['calm'], models: ['fake-vlm'], viewedSteps: 6 };
    expect(await chosen('--player', 'calm')).toEqual(calm);
    const both = ['eager', 'calm'];
    expect(await chosen('--model', 'fake-vlm')).toEqual({
      ...calm,
      report: both,
      export: both,
      viewedSteps: 12,
    });
    const none = ['scripted'];
    expect(await chosen('--player', 'scripted')).toEqual({
      ...calm,
      report: none,
      export: none,
      models: [null],
    });
  });

  it('stand on the card with the batch, its plan, dates, versions, server and settings', async () => {
    await on('export', 'runs', '--format', 'jsonl', '--out', 'card', '--player', 'calm', '--redact', 'top_p');
    const card = readFileSync(join(cwd, 'card', 'README.md'), 'utf8');
    expect(card).toMatch(/^- Batch: compare \(3 planned runs, plan [0-9a-f]{12}\)\.$/m);
    expect(card).toMatch(
      /^- Played from 20[0-9]{2}-.* to 20.* \(UTC\) with orchestrate .*, rules .*, log .*, node .*\.$/m,
    );
    expect(card).toMatch(
      /^- calm: model fake-vlm on .*, temperature=1, \\\[redacted\\\]=1, max_tokens=.*\.$/m,
    );
    expect(card).not.toContain('eager: model');
    expect(card).toContain('## Players\n\n|  | rows |\n| --- | --- |\n| calm | 4 |');
    expect(card).toContain('## Models\n\n|  | rows |\n| --- | --- |\n| fake-vlm | 4 |');
  });

  it('stand in the report and on the card with the name by which the server called its model', async () => {
    const other = await startFakeServer();
    const named = changed((good: object) => ({ ...good, model: 'good-real-2026' }));
    other.next(...Array.from({ length: 40 }, () => named));
    const model = `{ model: fake-vlm, base_url: "${other.baseUrl}" }`;
    const batch = `scenarios: [corridor.yaml]\nmodels: { quick: ${model} }\nseeds: [1]\n`;
    writeFileSync(join(cwd, 'named.yaml'), batch);
    await on('batch', 'named.yaml', '--out', 'named', '--quiet');
    await other.close();
    const told = /quick: model fake-vlm on [^,]*, answered as good-real-2026, temperature/;
    expect((await on('report', 'named', '--table', 'markdown')).out).toMatch(told);
    expect((await on('report', 'named', '--table', 'latex')).out).toMatch(told);
    await on('report', 'named', '--out', 'named.html');
    expect(readFileSync(join(cwd, 'named.html'), 'utf8')).toMatch(told);
    await on('export', 'named', '--format', 'jsonl', '--out', 'named-card', '--all');
    expect(readFileSync(join(cwd, 'named-card', 'README.md'), 'utf8')).toMatch(told);
    expect((await on('report', 'runs', '--table', 'markdown')).out).not.toContain('answered as');
  });

  it('that no run has are told with those that there are', async () => {
    for (const command of [['report'], ['view', '--out', 'x.html']]) {
      const { code, err } = await on(...command, 'runs', '--model', 'scripted');
      expect(code).toBe(2);
      expect(err).toMatch(/no run is played by model "scripted"[^]*fake-vlm/);
    }
    const exported = await on('export', 'runs', '--format', 'jsonl', '--out', 'none', '--player', 'quick');
    expect(exported.err).toMatch(/no player "quick"; [^]*calm/);
  });

  it('of one run of a file choose it for show', async () => {
    const first = (await on('report', 'runs', '--player', 'calm', '--csv')).out.split('\r\n')[1]?.split(',');
    const [log = ''] = first ?? [];
    const shown = await on('show', log, '--player', 'calm');
    expect(shown.out).toContain('calm');
    for (const command of [
      ['show', log],
      ['report', 'runs', '--knowledge'],
      ['report', 'runs', '--questions'],
    ])
      expect((await on(...command, '--player', 'nobody-else')).err).toContain('no run is played by');
  });

  it('that no run of several logs has are told with those of all logs', { tags: ['long'] }, async () => {
    for (const name of ['random', 'scripted'])
      await on('run', 'corridor.yaml', '--controller', name, '--out', `several/${name}.sqlite`, '--quiet');
    const { code, err } = await on('view', 'several', '--player', 'nobody-else', '--out', 'several.html');
    expect(code).toBe(2);
    expect(err).toMatch(/no run is played by player "nobody-else"[^]*random, scripted/);
    const { out } = await on('view', 'several', '--player', 'scripted', '--out', 'one.html');
    expect(out).toContain('6 steps');
  });
});

/** A run shown from its tables alone is the run that its log shows: the same map after each turn, the same walks, words and results. */
import { copyFileSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { execFile, execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { at, known } from '../../src/base/assert.js';
import { LIMITS } from '../../src/base/limits.js';
import { unpackScene } from '../../src/view/packed-scene.js';
import { TablePages } from '../../src/view/exported/table-pages.js';
import { withPart, NO_DATA } from '../../src/view/page-data.js';
import { wordsOf } from '../../src/view/page/act-words.js';
import type { PageData, PageRun, PageStep } from '../../src/view/page-data.js';
import { duck } from '../export/readers.js';
import { served } from '../serve/served.js';
import { orchestrate } from '../support/captured-io.js';
import { SIZED, someOf } from '../support/sizes.js';
import { temporaryFolder } from '../support/folder.js';
import { dataOf } from './support.js';

async function exportedData(folder: string): Promise<PageData> {
  const pages = new TablePages([folder]);
  let data = NO_DATA;
  for (let part = await pages.part(); part !== null; part = await pages.part()) data = withPart(data, part);
  return data;
}

/** Played, exported, and its log deleted once the page was made of it. */
async function both(scenario: string, ...options: readonly string[]) {
  const cwd = temporaryFolder();
  const at = join(process.cwd(), `scenarios/${scenario}.yaml`);
  const played = await orchestrate(['run', at, '--out', 'run.sqlite', '--quiet', ...options], { cwd });
  expect(played.err).toBe('');
  const ran = await orchestrate(['export', 'run.sqlite', '--format', 'tables', '--out', 'tables'], { cwd });
  expect([ran.code, ran.err]).toEqual([0, '']);
  const log = await dataOf(join(cwd, 'run.sqlite'));
  for (const end of ['', '-wal', '-shm']) rmSync(join(cwd, `run.sqlite${end}`), { force: true });
  return { log, tables: await exportedData(join(cwd, 'tables')), folder: join(cwd, 'tables'), cwd };
}

/** A scene without the numbers of its legend; the order of things counts on each tile. */
function mapOf(data: PageData, step: Pick<PageStep, 'map'>) {
  if (step.map === null) return null;
  const { ground, legend, things, ...scene } = unpackScene(at(data.scenes, step.map), data);
  const sorted = things.toSorted((a, b) => a.layer - b.layer || a.y - b.y || a.x - b.x);
  return { ...scene, things: sorted, looks: ground.map((look) => legend[look] ?? null) };
}

/** What both know of a step. */
function told({ step, turn, agent, tick, acts, walks, said, notes }: PageStep) {
  const lines = said.map(({ speaker, text, hearers }) => ({ speaker, text, hearers }));
  const results = acts.map(({ message, problem }) => ({
    message: problem === null ? message : '',
    problem: problem?.code ?? null,
  }));
  return agent === 'world'
    ? { step, turn, agent, tick, said: lines }
    : { step, turn, agent, tick, said: lines, results, walks, notes };
}

const onlyRun = (data: PageData): PageRun => known(data.runs[0], 'a run');

const PLAYED = [
  ['crypt', ['--max-turns', '12']],
  ['two-robots', []],
  ['berries', ['--max-turns', '15']],
  ['brass-key', ['--set', 'rules.movement=tile']],
] as const;

describe.each(someOf(PLAYED, 'scenarios'))('%s', (name, options) => {
  it('is shown from its tables as from its log', SIZED, async () => {
    const { log, tables } = await both(name, ...options);
    const [a, b] = [onlyRun(log), onlyRun(tables)];
    expect(b.steps.length).toBeGreaterThan(5);
    expect([b.id, b.title, b.seed, b.end, b.skin]).toEqual([a.id, a.title, a.seed, a.end, a.skin]);
    expect(b.steps.map(told)).toEqual(a.steps.map(told));
    expect(mapOf(tables, b.start)).toEqual(mapOf(log, a.start));
    for (const [i, step] of b.steps.entries()) {
      const isLast = b.steps[i + 1]?.turn !== step.turn;
      if (isLast) expect(mapOf(tables, step), `step ${step.step}`).toEqual(mapOf(log, at(a.steps, i)));
    }
    expect(tables.tilesets).toEqual(log.tilesets);
  });
});

it(
  'speech is shown from the tables with its hearers and in quotation marks',
  { tags: ['long'] },
  async () => {
    const { log, tables } = await both('crypt');
    const spoken = (data: PageData) => onlyRun(data).steps.filter(({ said }) => said.length > 0);
    expect(spoken(tables).map(({ said }) => said)).toEqual(spoken(log).map(({ said }) => said));
    expect(spoken(tables).flatMap(({ said }) => said.flatMap(({ hearers }) => hearers))).not.toEqual([]);
    const [words] = spoken(tables).flatMap(({ acts }) => acts.map(wordsOf));
    expect(words).toMatch(/^(SPEAK|ANNOUNCE) "[^"]+"$/);
  },
);

describe('a served world', { tags: ['long'] }, () => {
  it('shows who sleeps and who stands idle, in the bits and in the picture', async () => {
    const cwd = temporaryFolder();
    const world = await served(join(process.cwd(), 'scenarios/berries.yaml'), cwd, { set: ['turns.max=3'] });
    const env = { PATH: process.env['PATH'] ?? '', WORLD_ADDR: world.address, ENTITY_ID: 'ash' };
    await promisify(execFile)(process.execPath, ['examples/served/agent.mjs'], { env });
    await world.close();
    await orchestrate(['export', world.log, '--format', 'tables', '--out', 'tables'], { cwd });
    const rows = await duck(`SELECT actor_id, status_bits FROM '${cwd}/tables/actor_state.parquet'
      WHERE tick_id = 3 AND actor_id IN ('ash', 'bryn', 'gus') ORDER BY 1`);
    expect(rows).toEqual([
      { actor_id: 'ash', status_bits: 3n },
      { actor_id: 'bryn', status_bits: 7n },
      { actor_id: 'gus', status_bits: 11n },
    ]);
    const [log, tables] = [await dataOf(world.log), await exportedData(join(cwd, 'tables'))];
    const last = (data: PageData) => mapOf(data, known(onlyRun(data).steps.at(-1), 'its last step'));
    expect(last(tables)).toEqual(last(log));
    const signs = last(tables)?.things.flatMap(({ layer, sprite }) => (layer === 2 ? [sprite] : []));
    expect(signs?.toSorted()).toEqual([
      ...Array<string>(2).fill('fx/asleep'),
      ...Array<string>(5).fill('fx/idle'),
    ]);
  });
});

describe('between two steps', () => {
  it('bodies stand where their walks end, one after the other where agents act in turn', async () => {
    const { log, tables } = await both('crypt', '--max-turns', '8');
    const [a, b] = [onlyRun(log), onlyRun(tables)];
    const bodies = (data: PageData, step: PageStep) =>
      mapOf(data, step)?.things.filter(({ layer }) => layer === 1);
    for (const [i, step] of b.steps.entries())
      if (step.agent !== 'world') expect(bodies(tables, step)).toEqual(bodies(log, at(a.steps, i)));
  });
});

/** The table of ticks with other last steps. */
async function retick(path: string, lastSteps: readonly number[]): Promise<void> {
  const [row] = await duck(`SELECT run_id FROM '${path}' LIMIT 1`);
  const rows = lastSteps.map((last, i) => `('${String(row?.['run_id'])}', ${i + 1}, ${last})`);
  await duck(`COPY (SELECT * FROM (VALUES ${rows.join(', ')}) AS t(run_id, tick_id, last_step))
    TO '${path}' (FORMAT parquet, COMPRESSION snappy)`);
}

describe('a folder of tables', () => {
  it('is shown by the command as a page, without the log', async () => {
    const { cwd } = await both('brass-key', '--max-turns', '3');
    const ran = await orchestrate(['view', 'tables', '--out', 'page.html'], { cwd });
    expect([ran.code, ran.err]).toEqual([0, '']);
    expect(ran.out).toMatch(/^page\.html {2}\d+ steps/);
    const mixed = await orchestrate(['view', 'tables', 'other.sqlite', '--out', 'x.html'], { cwd });
    expect([mixed.code, mixed.err]).toEqual([
      2,
      expect.stringContaining('other.sqlite is not a folder of exported tables'),
    ]);
    const own = await orchestrate(['view', 'tables', '--modules', 'x.mjs', '--out', 'x.html'], { cwd });
    expect([own.code, own.err]).toEqual([2, expect.stringContaining('--modules is only for logs')]);
    expect(() => new TablePages([]).annotate()).toThrow("verdicts can't be stored in exported tables");
  });

  it('that is damaged is refused with the file and the reason', async () => {
    const { folder } = await both('brass-key', '--max-turns', '3');
    const told = async (): Promise<string> =>
      exportedData(folder).then(
        () => 'shown',
        (error: unknown) => (error instanceof Error ? `${error.name}: ${error.message}` : ''),
      );
    expect(await told()).toBe('shown');
    const [meta, ticks] = [join(folder, 'meta.json'), join(folder, 'ticks.parquet')];
    const good = readFileSync(meta, 'utf8');
    for (const [bad, why] of [
      ['{', 'is not JSON'],
      ['{"runs": 3}', 'lists no runs'],
      [good.replace(/"width": \d+/u, '"width": 100000000'), 'a map can.t have 100000000'],
      [good.replace(/"width": \d+/u, '"width": 2'), 'a tile outside the map'],
      [good.replace(/"skin": 0/u, '"skin": "x"'), 'skin is not a whole number'],
      [good.replace(/"tileset": "[0-9a-f]+"/u, '"tileset": "none"'), 'does not contain the tileset'],
    ] as const) {
      writeFileSync(meta, bad);
      expect(await told()).toMatch(new RegExp(`^StorageError: .*${why}`, 'u'));
    }
    writeFileSync(meta, good);
    await retick(ticks, [1, 2, 2_000_000_000]);
    expect(await told()).toBe("StorageError: ticks.parquet: a tick can't have 1999999998 steps");
    await retick(ticks, [2, 2, 3]);
    expect(await told()).toBe("StorageError: ticks.parquet: a tick can't have 0 steps");
    writeFileSync(ticks, 'no parquet');
    expect(await told()).toMatch(/^StorageError: .*ticks\.parquet can't be read: /u);
    copyFileSync(join(folder, 'actor_state.parquet'), ticks);
    expect(await told()).toBe('StorageError: ticks.parquet, row 1: last_step is not a whole number');
    truncateSync(ticks, LIMITS.tableBytes + 1);
    expect(await told()).toContain('it has 500000001 bytes; the maximum is 500000000');
    // Nobody writes into these pipes: a read of one would wait for ever.
    for (const path of [ticks, meta]) {
      rmSync(path);
      execFileSync('mkfifo', [path]);
      expect(await told()).toMatch(/^StorageError: .*(meta\.json|ticks\.parquet) can't be read/u);
    }
  });
});

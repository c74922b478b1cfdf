/** `tables`, asked in SQL by DuckDB: where everybody was, what was done and said, what changed; the same as the log says. */
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { PROGRAM_VERSION } from '../../src/assembly/version.js';
import { LOG_VERSION } from '../../src/log/log-version.js';
import { gridKind } from '../../src/worlds/grid/grid.js';
import { orchestrate } from '../support/captured-io.js';
import { temporaryFolder } from '../support/folder.js';
import { duck, PYTHON, readByPython } from './readers.js';
import { filesIn, playInto } from './runs.js';

const cwd = temporaryFolder();
const table = (name: string): string => `'${join(cwd, 'tables', name)}.parquet'`;

beforeAll(async () => {
  await playInto(cwd, 'one');
  const ran = await orchestrate(['export', 'one.sqlite', '--format', 'tables', '--out', 'tables'], { cwd });
  expect([ran.code, ran.err]).toEqual([0, '']);
});

describe('tables', () => {
  it('say where everybody was after each turn, and which way they went last', async () => {
    const rows = await duck(`SELECT tick_id, x, y, status_bits, facing FROM ${table('actor_state')}
      WHERE actor_id = 'ann' ORDER BY tick_id`);
    expect(rows.slice(0, 2)).toEqual([
      { tick_id: 0n, x: 2n, y: 1n, status_bits: 3n, facing: 4n },
      { tick_id: 1n, x: 3n, y: 1n, status_bits: 3n, facing: 2n },
    ]);
    expect(rows).toHaveLength(5);
  });

  it('say how each body is called and looks, and where each turn ends in the log', async () => {
    const bodies = await duck(`SELECT DISTINCT actor_id, name, look FROM ${table('actor_state')} ORDER BY 1`);
    expect(bodies).toEqual([
      { actor_id: 'ann', name: 'Ann', look: expect.stringMatching(/^figure\//u) },
      { actor_id: 'bob', name: 'Bob', look: expect.stringMatching(/^figure\//u) },
    ]);
    const ends = await duck(`SELECT tick_id, last_step FROM ${table('ticks')} ORDER BY 1 LIMIT 2`);
    expect(ends).toEqual([
      { tick_id: 1n, last_step: 3n },
      { tick_id: 2n, last_step: 6n },
    ]);
  });

  it('hold the map, tile by tile, and the tileset that it is drawn with', async () => {
    const [tiles] = await duck(`SELECT count(*) AS tiles, count(DISTINCT (x, y)) AS places,
      count(*) FILTER (look = 'wall') AS walls FROM ${table('map_tiles')}`);
    const { runs } = JSON.parse(String(filesIn(join(cwd, 'tables'))['meta.json'])) as {
      runs: readonly [{ tileset: string; map: { width: number; height: number } }];
    };
    const [{ map, tileset }] = runs;
    const size = BigInt(map.width * map.height);
    expect(tiles).toEqual({ tiles: size, places: size, walls: 18n });
    const files = await duck(`SELECT tileset_id, name FROM ${table('tilesets')} ORDER BY name`);
    expect(files).toEqual(
      ['font.png', 'manifest', 'tileset.png'].map((name) => ({ tileset_id: tileset, name })),
    );
  });

  it('hold each act with what came of it, refused tries included', async () => {
    const rows =
      await duck(`SELECT tick_id, action_type, target_id, ok, reason FROM ${table('action_results')}
      WHERE actor_id = 'ann' AND tick_id <= 2 ORDER BY step, ok`);
    expect(rows).toEqual([
      { tick_id: 1n, action_type: 'GO', target_id: null, ok: true, reason: null },
      { tick_id: 2n, action_type: null, target_id: null, ok: false, reason: 'unparsable' },
      { tick_id: 2n, action_type: null, target_id: null, ok: false, reason: 'unknown-action' },
      { tick_id: 2n, action_type: 'TAKE', target_id: 'coin', ok: true, reason: null },
    ]);
  });

  it('hold what was said and where', async () => {
    const rows = await duck(`SELECT tick_id, actor_id, channel, text, x, y FROM ${table('utterances')}`);
    expect(rows).toEqual([
      {
        tick_id: 3n,
        actor_id: 'bob',
        channel: 'speak',
        text: expect.stringContaining('mind the'),
        x: 4n,
        y: 1n,
      },
    ]);
  });

  it('hold what changed: all things first, then the coin that was taken', async () => {
    const rows = await duck(`SELECT tick_id, field, new_value_json AS value FROM ${table('object_deltas')}
      WHERE object_id = 'coin' ORDER BY tick_id, field`);
    expect(rows).toEqual([
      { tick_id: 0n, field: 'look', value: '"item/coin"' },
      { tick_id: 0n, field: 'name', value: '"coin"' },
      { tick_id: 0n, field: 'there', value: 'true' },
      { tick_id: 0n, field: 'x', value: '3' },
      { tick_id: 0n, field: 'y', value: '2' },
      { tick_id: 2n, field: 'there', value: 'false' },
    ]);
  });

  it('hold who holds what, and how many are left', async () => {
    const held = await duck(`SELECT tick_id, item_id, amount, holder_id FROM ${table('items')}
      WHERE item_id = 'coin' ORDER BY tick_id`);
    // Ann takes the only coin in turn 2.
    expect(held).toEqual([
      { tick_id: 0n, item_id: 'coin', amount: 1n, holder_id: null },
      { tick_id: 2n, item_id: 'coin', amount: 1n, holder_id: 'ann' },
    ]);
  });

  it('tell the version of the world as a served world does, in meta.json and in each tick', async () => {
    const { runs } = JSON.parse(String(filesIn(join(cwd, 'tables'))['meta.json'])) as {
      runs: readonly [Readonly<Record<string, unknown>>];
    };
    const ticks = await duck(`SELECT DISTINCT world_version FROM ${table('ticks')}`);
    const version = `grid-${gridKind([]).rulesVersion}`;
    expect(ticks).toEqual([{ world_version: version }]);
    expect(runs[0]).toMatchObject({
      world_version: version,
      log_schema_version: LOG_VERSION,
      program_version: PROGRAM_VERSION,
    });
  });

  it('tell of runs and columns in meta.json, and refuse filters that they can not keep', async () => {
    const meta = JSON.parse(String(filesIn(join(cwd, 'tables'))['meta.json'])) as {
      runs: readonly object[];
    };
    expect(meta.runs).toEqual([
      expect.objectContaining({ scenario: 'answering', agents: ['ann', 'bob'], turns: 4 }),
    ]);
    const ran = await orchestrate(['export', 'one.sqlite', '--format', 'tables', '--out', 'no', '--ok'], {
      cwd,
    });
    expect([ran.code, ran.err]).toEqual([2, expect.stringContaining('whole runs')]);
  });
});

describe.skipIf(PYTHON === null)('read by pyarrow (node scripts/python-readers.mjs makes it)', () => {
  it('have the columns that the documentation promises', async () => {
    const found = (await readByPython('tables', join(cwd, 'tables'))).map(
      ({ answer }) =>
        JSON.parse(answer) as {
          table: string;
          columns: readonly string[];
          rows: readonly Readonly<Record<string, string>>[];
        },
    );
    const [number, words] = ['int64', 'string'];
    const columns = Object.fromEntries(found.map((one) => [one.table, one.columns.join(', ')]));
    const place = `run_id: ${words}, tick_id: ${number}`;
    expect(columns).toEqual({
      ticks: `${place}, sim_time_ms: ${number}, world_version: ${words}, last_step: ${number}, overrun_ms: ${number}, settle_ms: ${number}`,
      actor_state: `${place}, actor_id: ${words}, x: ${number}, y: ${number}, status_bits: ${number}, facing: ${number}, name: ${words}, look: ${words}`,
      action_results: `${place}, step: ${number}, actor_id: ${words}, action_type: ${words}, target_id: ${words}, ok: bool, reason: ${words}, effects_json: ${words}`,
      utterances: `${place}, step: ${number}, actor_id: ${words}, channel: ${words}, text: ${words}, x: ${number}, y: ${number}`,
      items: `${place}, item_id: ${words}, name: ${words}, amount: ${number}, holder_id: ${words}`,
      object_deltas: `${place}, object_id: ${words}, field: ${words}, new_value_json: ${words}`,
      map_tiles: `run_id: ${words}, x: ${number}, y: ${number}, look: ${words}`,
      rewards: `${place}, step: ${number}, actor_id: ${words}, reward: double`,
      tilesets: `tileset_id: ${words}, name: ${words}, content: binary`,
    });
    const said = found.find((one) => one.table === 'utterances');
    expect(said?.rows.map((row) => [row['actor_id'], row['tick_id'], row['x'], row['y']])).toEqual([
      ['bob', '3', '4', '1'],
    ]);
  });
});

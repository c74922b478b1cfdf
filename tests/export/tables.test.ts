/** `tables`, asked in SQL by DuckDB: where everybody was, what was done and said, what changed; the same as the log says. */
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { orchestrate } from '../support/captured-io.js';
import { temporaryFolder } from '../support/folder.js';
import { duck } from './readers.js';
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
      { tick_id: 0n, x: 2n, y: 1n, status_bits: 3n, facing: null },
      { tick_id: 1n, x: 3n, y: 1n, status_bits: 3n, facing: 'east' },
    ]);
    expect(rows).toHaveLength(5);
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
    const rows = await duck(`SELECT tick_id, speaker_id, channel, text, x, y FROM ${table('utterances')}`);
    expect(rows).toEqual([
      {
        tick_id: 3n,
        speaker_id: 'bob',
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

  it('tell of runs and columns in meta.json, and refuse filters that they can not keep', async () => {
    const meta = JSON.parse(String(filesIn(join(cwd, 'tables'))['meta.json'])) as {
      readonly runs: readonly object[];
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

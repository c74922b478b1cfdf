/** `exportLogs` writes what the command writes, and refuses in words. */
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { exportLogs, LogReader, StorageError, UsageError } from '../../src/index.js';
import { filesIn, playInto } from '../export/runs.js';
import { orchestrate } from '../support/captured-io.js';
import { temporaryFolder } from '../support/folder.js';

const cwd = temporaryFolder();
const log = join(cwd, 'one.sqlite');

beforeAll(async () => {
  await playInto(cwd, 'one');
});

describe('exportLogs', () => {
  it('writes the bytes that the command writes', async () => {
    const words = '--ok --agent ann --seed x --split a=1 --image webp --questions 2'.split(' ');
    await orchestrate(['export', 'one.sqlite', '--format', 'qa', '--out', 'command', ...words], { cwd });
    const { rows, files, bytes } = await exportLogs({
      logs: [log],
      format: 'qa',
      out: join(cwd, 'library'),
      selection: { ok: true, agents: ['ann'] },
      seed: 'x',
      splits: [{ name: 'a', share: 1 }],
      image: { type: 'webp', scale: 1 },
      questions: 2,
    });
    expect(filesIn(join(cwd, 'library'))).toEqual(filesIn(join(cwd, 'command')));
    expect([rows > 0, files.map(({ name }) => name), bytes > 1000]).toEqual([
      true,
      ['data/a-00000.parquet'],
      true,
    ]);
  });

  it('takes one run of a log, by its id', async () => {
    const reader = new LogReader(log);
    const runId = reader.runs()[0]?.runId ?? '';
    reader.close();
    const one = { format: 'frames', out: join(cwd, 'frames'), logs: [{ path: log, runId }] };
    expect((await exportLogs(one)).rows).toBeGreaterThan(3);
    const none = { ...one, out: join(cwd, 'none'), logs: [{ path: log, runId: 'no-such-run' }] };
    await expect(exportLogs(none)).rejects.toThrow(StorageError);
  });

  it('refuses a format that is none, a folder that holds something, a condition that is none', async () => {
    const plain = { logs: [log], format: 'labels', out: join(cwd, 'held') };
    await exportLogs(plain);
    await expect(exportLogs(plain)).rejects.toThrow(UsageError);
    await expect(exportLogs({ ...plain, format: 'lables' })).rejects.toThrow(
      expect.objectContaining({ hints: ['did you mean "labels"?'] }),
    );
    const strange = { ...plain, out: join(cwd, 'strange'), selection: { where: 'f(1)' } };
    await expect(exportLogs(strange)).rejects.toThrow(UsageError);
  });
});

/** A backup of a log that is still being written is one complete file with every step that was committed, and can be continued. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { backupLog } from '../../src/log/backup.js';
import { LogReader } from '../../src/log/reader.js';
import { LogWriter } from '../../src/log/writer.js';
import { JOB, RUN, playedBy } from '../batch/corridor-job.js';
import { temporaryFolder } from '../support/folder.js';

it('has what the writer committed, though it is only in the write-ahead log', async () => {
  const folder = temporaryFolder();
  const [path, copy] = [join(folder, 'written.sqlite'), join(folder, 'copy.sqlite')];
  const writer = new LogWriter(path);
  const end = await playedBy(writer);
  expect(existsSync(`${path}-wal`)).toBe(true);
  await backupLog(path, copy);
  expect([existsSync(`${copy}-wal`), existsSync(`${copy}-shm`)]).toEqual([false, false]);
  const reader = new LogReader(copy);
  expect([reader.end(RUN)?.chain, reader.run(RUN).seed]).toEqual([end.chain, JOB.run.seed]);
  reader.close();
  // Its writer still lives, but the copy has none: it can be written.
  new LogWriter(copy).close();
  writer.close();
});

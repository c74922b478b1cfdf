/**
 * Entry point of a process that reads logs for `report`, `verify` or `export` (`--workers N`). The command
 * starts it over Node's IPC, and it ends with the command. It gets a job, then items one after another, and
 * `taken` as an acknowledgement of each part of rows; it sends the results of each item, then `done`.
 */
import { setImmediate } from 'node:timers/promises';
import { errorRecord } from '../base/error-record.js';
import { LogKeeper } from '../export/opened-runs.js';
import type { PickedRun } from '../export/picked-runs.js';
import { rowFinder } from '../export/rows.js';
import { RowSender } from '../export/sent-rows.js';
import { NoRunError } from '../log/no-run.js';
import { MODULES } from '../worlds/registry.js';
import { readingOf } from './logs/log-readings.js';
import { readLog } from './logs/read-logs.js';
import { searchedCosts } from './logs/row-workers.js';
import type { FromLogWorker, RowsSpec, ToLogWorker, WorkerItem, WorkerJob } from './logs/worker-messages.js';
import { processIo } from './terminal/io.js';

/** The maximum number of parts of rows, about a megabyte each, that are sent but not yet acknowledged. */
const MAX_UNACKNOWLEDGED_PARTS = 8;

type Reading = (item: WorkerItem) => AsyncIterable<FromLogWorker>;

const io = processIo();
let currentReading: Promise<Reading> | null = null;
let unacknowledgedParts = 0;
let resumeSending: () => void = () => undefined;

async function openReading(job: WorkerJob): Promise<Reading> {
  if (job.kind === 'rows') return openRowsReading(job.spec);
  const read = await readingOf(job.spec, io, MODULES);
  return async function* (address) {
    for await (const part of readLog(address as string, read, io))
      yield part.kind === 'run' ? part : failedPart(part.error);
  };
}

async function openRowsReading({ settings, fields, modules }: RowsSpec): Promise<Reading> {
  const find = rowFinder(settings, await searchedCosts({ settings, modules }, io, MODULES));
  const sender = new RowSender(find, fields);
  const logs = new LogKeeper();
  return async function* (run) {
    try {
      for (const part of sender.parts(logs.open(run as PickedRun))) {
        yield { kind: 'rows', part };
        await waitForRoom();
      }
    } catch (error) {
      yield failedPart(error);
    }
  };
}

function failedPart(error: unknown): FromLogWorker {
  return { kind: 'failed', error: errorRecord(error), isNoRun: error instanceof NoRunError };
}

/** Back-pressure: waits while too many parts are unacknowledged. */
async function waitForRoom(): Promise<void> {
  unacknowledgedParts += 1;
  // Yields, so that acknowledgements and the end of the command are handled.
  await setImmediate();
  if (unacknowledgedParts < MAX_UNACKNOWLEDGED_PARTS) return;
  await new Promise<void>((resolve) => {
    resumeSending = resolve;
  });
}

function send(message: FromLogWorker): void {
  if (process.connected) process.send?.(message);
}

async function handleMessage(message: ToLogWorker): Promise<void> {
  if (message.kind === 'job') currentReading = openReading(message.job);
  else if (message.kind === 'taken') {
    unacknowledgedParts -= 1;
    resumeSending();
  } else if (currentReading !== null) {
    for await (const part of (await currentReading)(message.item)) send(part);
    send({ kind: 'done' });
  }
}

process.on('message', (message) => void handleMessage(message as ToLogWorker));
process.on('disconnect', () => process.exit(0));
// Ctrl-C reaches all processes of the terminal. Only the command reacts to it, and this process ends with the
// command.
process.on('SIGINT', () => undefined);

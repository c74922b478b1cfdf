/**
 * `run --frames DIR`: the frame that each step was decided on, as a PNG whose name sorts: `000007-turn-0003-knight.png`. It stands before the log
 * as a sink of its own; a file appears once its step is durable, whole or not at all.
 */
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StorageError } from '../base/errors.js';
import { systemWords } from '../base/system-words.js';
import { makeFolder } from '../log/folder.js';
import type { CallRequest, StepRecord } from '../log/records.js';
import type { RunSink } from '../log/sink.js';

/** Made before the run begins, so that a folder that can't be had costs nothing; StorageError in words. */
export function makeFramesFolder(folder: string): void {
  attempt(folder, () => makeFolder(folder));
}

export function withFrames(sink: RunSink, folder: string): RunSink {
  const waiting = new Map<number, Uint8Array>();
  sink.onDurable((step) => {
    const png = waiting.get(step.step);
    if (png === undefined) return;
    waiting.delete(step.step);
    attempt(folder, () => writeWhole(join(folder, frameName(step)), png));
  });
  return {
    begin: (run, state) => sink.begin(run, state),
    request: (call, durable) => {
      const png = pictureOf(call);
      if (png !== null) waiting.set(call.step, png);
      sink.request(call, durable);
    },
    reply: (runId, call, end, durable) => sink.reply(runId, call, end, durable),
    outside: (record) => sink.outside(record),
    step: (record) => sink.step(record),
    flush: () => sink.flush(),
    end: (runId, end) => sink.end(runId, end),
    onDurable: (listener) => sink.onDurable(listener),
  };
}

function frameName(step: Pick<StepRecord, 'step' | 'turn' | 'agent'>): string {
  return `${String(step.step).padStart(6, '0')}-turn-${String(step.turn).padStart(4, '0')}-${step.agent}.png`;
}

function pictureOf(call: CallRequest): Uint8Array | null {
  const part = call.messages.at(-1)?.parts.at(-1);
  return part?.kind === 'image' ? part.png : null;
}

function writeWhole(path: string, bytes: Uint8Array): void {
  writeFileSync(`${path}.part`, bytes);
  renameSync(`${path}.part`, path);
}

function attempt(folder: string, write: () => void): void {
  try {
    write();
  } catch (error) {
    throw new StorageError(`frames can't be written to ${folder}: ${systemWords(error)}`, [
      'name another folder with --frames',
    ]);
  }
}

/**
 * `run --frames DIR`: the frame of each step, as a PNG whose name sorts: `000007-turn-0003-knight.png`. It is
 * a separate sink before the log; a file appears once its step is durable, completely or not at all.
 */
import { join } from 'node:path';
import { PictureError } from '../../base/errors.js';
import { systemWords } from '../../base/system-words.js';
import { makeFolder } from '../../log/folder.js';
import type { CallRequest, StepRecord } from '../../trajectory/records.js';
import { passThroughSink } from '../../trajectory/passing-sink.js';
import type { RunSink } from '../../trajectory/sink.js';
import { removeUnfinished, writeAtomically } from '../../log/write-atomically.js';

const FRAME_NAME = /^\d{6,}-turn-\d{4,}-.*\.png$/;

/**
 * Created and cleaned up before the run begins, so that an unusable folder is reported early. Throws
 * PictureError.
 */
export function makeFramesFolder(folder: string): void {
  attempt(folder, () => {
    makeFolder(folder);
    // The step of a partial file is finished, so a resumed run would not write it again.
    removeUnfinished(folder, FRAME_NAME);
  });
}

/**
 * An error of writing is thrown by the next `request` or `flush`, once: by then, the log has the step and can
 * still record the end. After that, nothing more is written to the folder.
 */
export function withFrames(sink: RunSink, folder: string): RunSink {
  const pendingFrames = new Map<number, { agent: string; png: Uint8Array }>();
  let failure: { error: unknown; isThrown: boolean } | null = null;
  sink.onDurable((step) => {
    const frame = pendingFrames.get(step.step);
    pendingFrames.delete(step.step);
    // An agent that was called speculatively may have been skipped.
    if (frame?.agent !== step.agent || failure !== null) return;
    try {
      attempt(folder, () => writeAtomically(join(folder, frameName(step)), frame.png));
    } catch (error) {
      failure = { error, isThrown: false };
    }
  });
  const throwOnce = (): void => {
    if (failure === null || failure.isThrown) return;
    failure.isThrown = true;
    throw failure.error;
  };
  return {
    ...passThroughSink(sink),
    request: (call, durable) => {
      const png = call.purpose === 'probe' ? null : pictureOf(call);
      if (png !== null) pendingFrames.set(call.step, { agent: call.agent, png });
      sink.request(call, durable);
      throwOnce();
    },
    flush: () => {
      sink.flush();
      throwOnce();
    },
  };
}

function frameName(step: StepRecord): string {
  return `${String(step.step).padStart(6, '0')}-turn-${String(step.turn).padStart(4, '0')}-${step.agent}.png`;
}

function pictureOf(call: CallRequest): Uint8Array | null {
  const part = call.messages.at(-1)?.parts.at(-1);
  return part?.kind === 'image' ? part.png : null;
}

function attempt(folder: string, write: () => void): void {
  try {
    write();
  } catch (error) {
    throw new PictureError(`frames can't be written to ${folder}: ${systemWords(error)}`, [
      'choose another folder with --frames',
    ]);
  }
}

/**
 * The last line of a terminal during an export: progress, rate, remaining time. Nothing if there is no
 * terminal.
 */
import { duration } from '../../base/duration.js';
import type { ExportProgress } from '../../export/export.js';
import type { Io } from '../terminal/io.js';
import { fit } from '../terminal/style.js';
import { CLEAR_LINE } from '../terminal/terminal-codes.js';

const REDRAWN_MS = 100;
const BAR = 20;

export interface ProgressLine {
  readonly tell: (progress: ExportProgress) => void;
  readonly clear: () => void;
}

/** Written to standard error, so that a document on standard output stays intact. */
export function progressLine({ err }: Io, now: () => number = Date.now): ProgressLine {
  if (!err.isTerminal) return { tell: () => undefined, clear: () => undefined };
  const began = now();
  let drawn = 0;
  return {
    tell: (progress) => {
      const time = now();
      if (time - drawn < REDRAWN_MS) return;
      drawn = time;
      err.write(`${CLEAR_LINE}${fit(progressText(progress, time - began), err.columns - 1)}`);
    },
    clear: () => {
      if (drawn > 0) err.write(CLEAR_LINE);
    },
  };
}

/** `passedMs`: the time since it began. */
function progressText({ done, total, rows }: ExportProgress, passedMs: number): string {
  const share = total === 0 ? 1 : Math.min(1, done / total);
  const filled = Math.floor(share * BAR);
  const bar = `${'█'.repeat(filled)}${'░'.repeat(BAR - filled)}`;
  const rate = passedMs === 0 ? 0 : Math.round((rows * 1000) / passedMs);
  const left = share === 0 ? '' : ` · ${duration((passedMs / share) * (1 - share))} left`;
  return `${bar} ${Math.floor(share * 100)} % · ${rows} rows · ${rate} rows/s${left}`;
}

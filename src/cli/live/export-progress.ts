/**
 * The last line of a terminal during an export: progress, rate, remaining time. Nothing if there is no
 * terminal.
 */
import { duration } from '../../base/duration.js';
import type { ExportProgress } from '../../export/export.js';
import type { Io } from '../terminal/io.js';
import { fit } from '../terminal/style.js';
import { CLEAR_LINE } from '../terminal/terminal-codes.js';

const REDRAW_MS = 100;
const BAR_CHARACTERS = 20;

export interface ProgressLine {
  readonly show: (progress: ExportProgress) => void;
  readonly clear: () => void;
}

/** Written to standard error, so that a document on standard output stays intact. */
export function progressLine({ err }: Io, now: () => number = Date.now): ProgressLine {
  if (!err.isTerminal) return { show: () => undefined, clear: () => undefined };
  const startedAt = now();
  let drawnAt = 0;
  return {
    show: (progress) => {
      const time = now();
      if (time - drawnAt < REDRAW_MS) return;
      drawnAt = time;
      err.write(`${CLEAR_LINE}${fit(progressText(progress, time - startedAt), err.columns - 1)}`);
    },
    clear: () => {
      if (drawnAt > 0) err.write(CLEAR_LINE);
    },
  };
}

/** `passedMs`: the time since it began. */
function progressText({ done, total, rows }: ExportProgress, passedMs: number): string {
  const share = total === 0 ? 1 : Math.min(1, done / total);
  const filled = Math.floor(share * BAR_CHARACTERS);
  const bar = `${'█'.repeat(filled)}${'░'.repeat(BAR_CHARACTERS - filled)}`;
  const rate = passedMs === 0 ? 0 : Math.round((rows * 1000) / passedMs);
  const remaining = share === 0 ? '' : ` · ${duration((passedMs / share) * (1 - share))} left`;
  return `${bar} ${Math.floor(share * 100)} % · ${rows} rows · ${rate} rows/s${remaining}`;
}

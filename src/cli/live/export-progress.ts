/**
 * The progress of an export: rate and remaining time, as the last line of a terminal, or as a line every ten
 * seconds where there is no terminal. A short export prints nothing there.
 */
import { duration } from '../../base/duration.js';
import type { ExportProgress } from '../../export/export.js';
import type { Io } from '../terminal/io.js';
import { fit } from '../terminal/style.js';
import { CLEAR_LINE } from '../terminal/terminal-codes.js';

const REDRAW_MS = 100;
/** The time between two lines of a log file, and before the first. */
const LINE_MS = 10_000;
const BAR_CHARACTERS = 20;

export interface ProgressLine {
  readonly show: (progress: ExportProgress) => void;
  readonly clear: () => void;
}

/** Written to standard error, so that a document on standard output stays intact. */
export function progressLine({ err }: Io, now: () => number = Date.now): ProgressLine {
  const startedAt = now();
  if (!err.isTerminal) return { show: plainLines(err, startedAt, now), clear: () => undefined };
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

function plainLines(err: Io['err'], startedAt: number, now: () => number): ProgressLine['show'] {
  let writtenAt = startedAt;
  return (progress) => {
    const time = now();
    if (time - writtenAt < LINE_MS) return;
    writtenAt = time;
    err.write(`${statusText(progress, time - startedAt)}\n`);
  };
}

/** `passedMs`: the time since it began. */
function progressText(progress: ExportProgress, passedMs: number): string {
  const filled = Math.floor(shareOf(progress) * BAR_CHARACTERS);
  const bar = `${'█'.repeat(filled)}${'░'.repeat(BAR_CHARACTERS - filled)}`;
  return `${bar} ${statusText(progress, passedMs)}`;
}

function shareOf({ done, total }: ExportProgress): number {
  return total === 0 ? 1 : Math.min(1, done / total);
}

function statusText(progress: ExportProgress, passedMs: number): string {
  const { rows } = progress;
  const share = shareOf(progress);
  const rate = passedMs === 0 ? 0 : Math.round((rows * 1000) / passedMs);
  const remaining = share === 0 ? '' : ` · ${duration((passedMs / share) * (1 - share))} left`;
  return `${Math.floor(share * 100)} % · ${rows} rows · ${rate} rows/s${remaining}`;
}

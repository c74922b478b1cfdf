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

/** Written to standard error, so that a document on standard output stays intact. */
export function progressLine({ err }: Io, now: () => number = Date.now) {
  if (!err.isTerminal) return { show: () => undefined, clear: () => undefined };
  const startedAt = now();
  let drawnAt = 0;
  return {
    show: ({ done, total, rows }: ExportProgress): void => {
      const time = now();
      if (time - drawnAt < REDRAW_MS) return;
      drawnAt = time;
      const passedMs = time - startedAt;
      const share = total === 0 ? 1 : Math.min(1, done / total);
      const filled = Math.floor(share * BAR_CHARACTERS);
      const bar = `${'█'.repeat(filled)}${'░'.repeat(BAR_CHARACTERS - filled)}`;
      const rate = passedMs === 0 ? 0 : Math.round((rows * 1000) / passedMs);
      const remaining = share === 0 ? '' : ` · ${duration((passedMs / share) * (1 - share))} left`;
      const text = `${bar} ${Math.floor(share * 100)} % · ${rows} rows · ${rate} rows/s${remaining}`;
      err.write(`${CLEAR_LINE}${fit(text, err.columns - 1)}`);
    },
    clear: (): void => {
      if (drawnAt > 0) err.write(CLEAR_LINE);
    },
  };
}

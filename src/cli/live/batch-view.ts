/**
 * The display of a batch in progress: a line for each run that ended or failed and, in a terminal, a few lines
 * at the bottom that are redrawn: the overall progress, and each cell.
 */
import { duration } from '../../base/duration.js';
import { counted, loggedSteps } from '../../base/counted.js';
import { cutText, oneLine } from '../../base/text.js';
import type { BatchNews } from '../../batch/play-batch.js';
import type { PlannedRun } from '../../batch/plan.js';
import { cellName } from '../../batch/plan.js';
import { finishedCount } from '../../batch/progress.js';
import type { BatchProgress } from '../../batch/progress.js';
import { barOf, cellLine, spendingTexts } from '../text/batch-text.js';
import type { PreparedBatch } from '../text/batch-text.js';
import type { Io } from '../terminal/io.js';
import type { TextOutput } from '../terminal/text-output.js';
import { reasonOf } from '../text/error-text.js';
import { fit, pad, painter } from '../terminal/style.js';
import type { Paint } from '../terminal/style.js';
import { wipedLines } from '../terminal/terminal-codes.js';

const REDRAW_MS = 200;
/** The maximum number of cells shown during play; the table at the end shows all. */
const CELLS_SHOWN = 12;
const STATUS_COLUMNS = 11;

export interface BatchViewOptions {
  output: TextOutput;
  progress: BatchProgress;
  io: Io;
  quiet: boolean;
  /** How long to wait for an unreachable server. */
  patienceMs: number;
  now?: () => number;
}

export class BatchView {
  readonly #options: BatchViewOptions;
  readonly #paint: Paint;
  readonly #now: () => number;
  readonly #startedAt: number;
  readonly #nameWidth: number;
  /** The unreachable servers: by address, the reason. */
  readonly #unreachable = new Map<string, string>();
  readonly #remarks = new Set<string>();
  /** The players whose skipped runs were reported. */
  readonly #skippedPlayers = new Set<string>();
  #drawnLines = 0;
  #timer: ReturnType<typeof setInterval> | null = null;

  constructor(options: BatchViewOptions) {
    this.#options = options;
    this.#paint = painter(options.io, options.output);
    this.#now = options.now ?? (() => performance.now());
    this.#startedAt = this.#now();
    this.#nameWidth = Math.max(0, ...options.progress.cells.map(({ cell }) => cellName(cell).length));
  }

  get passedMs(): number {
    return this.#now() - this.#startedAt;
  }

  open({ spec, out }: PreparedBatch): void {
    const { progress, output, quiet } = this.#options;
    if (quiet) return;
    const all = progress.all;
    const alreadyDone = finishedCount(all) === 0 ? '' : `, ${finishedCount(all)} already done`;
    const title = spec.title === '' ? spec.name : spec.title;
    output.write(
      `${this.#paint('bold', fit(title, 100))}: ${counted(all.planned, 'run')}${alreadyDone}, ${spec.parallel} at once, into ${oneLine(out)}\n`,
    );
    if (!output.isTerminal) return;
    this.#timer = setInterval(() => this.#draw(), REDRAW_MS);
    this.#timer.unref();
    this.#draw();
  }

  close(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
    this.#clear();
  }

  /** Prints a separate line above the redrawn ones. */
  printMessage(message: string): void {
    this.#clear();
    this.#options.output.write(`${message}\n`);
    if (this.#timer !== null) this.#draw();
  }

  update(news: BatchNews): void {
    if (news.kind === 'failed' && !news.willRetry) this.printMessage(this.#failureLine(news));
    if (news.kind === 'set-aside') this.#reportSkipped(news);
    if (news.kind === 'ended' && !this.#options.quiet) this.printMessage(this.#endedLine(news));
  }

  readonly serverGone = (baseUrl: string, reason: string): void => {
    this.#unreachable.set(baseUrl, reason);
    const seconds = Math.round(this.#options.patienceMs / 1000);
    this.printMessage(
      `waiting up to ${seconds} s for ${baseUrl}, which answers nobody (Ctrl-C stops): ${reason}`,
    );
  };

  readonly serverBack = (baseUrl: string, downMs: number): void => {
    this.#unreachable.delete(baseUrl);
    this.printMessage(`${baseUrl} is back after ${duration(downMs)}`);
  };

  /** Prints a remark once, because it applies to many runs. */
  readonly printRemark = (remark: string): void => {
    if (this.#remarks.has(remark)) return;
    this.#remarks.add(remark);
    this.printMessage(remark);
  };

  /** Prints each reason once, because it applies to many runs. */
  #reportSkipped({ runs, error }: Extract<BatchNews, { kind: 'set-aside' }>): void {
    const players = runs[0]?.cell.players ?? '';
    const skippedRuns = `the remaining runs of ${players === '' ? 'these players' : players}`;
    if (this.#skippedPlayers.has(skippedRuns)) return;
    this.#skippedPlayers.add(skippedRuns);
    this.printMessage(`skipping ${skippedRuns}: ${reasonOf(error)}`);
  }

  #endedLine({ run, end }: Extract<BatchNews, { kind: 'ended' }>): string {
    const all = this.#options.progress.all;
    const width = String(all.planned).length;
    const count = this.#paint('dim', `${String(finishedCount(all)).padStart(width)}/${all.planned}`);
    const colour = end.status === 'succeeded' ? 'green' : end.status === 'failed' ? 'red' : 'dim';
    const status = this.#paint(colour, pad(end.status, STATUS_COLUMNS));
    const length = `${counted(end.turns, 'turn')}, ${loggedSteps(end.steps)}`;
    return `${count}  ${status}  ${this.#runLabel(run)}  ${length}`;
  }

  #runLabel({ cell, seed }: PlannedRun): string {
    return `${pad(fit(cellName(cell), 1000), this.#nameWidth)}  seed ${pad(fit(seed, 40), 4)}`;
  }

  #failureLine({ run, error }: Extract<BatchNews, { kind: 'failed' }>): string {
    return `could not play ${cellName(run.cell)}, seed ${run.seed}: ${reasonOf(error)}`;
  }

  #draw(): void {
    const { output, progress } = this.#options;
    this.#clear();
    const lines = this.#lines(progress).map((line) => `${line}\n`);
    output.write(lines.join(''));
    this.#drawnLines = lines.length;
  }

  #lines(progress: BatchProgress): readonly string[] {
    const columns = this.#options.output.columns - 1;
    const all = progress.all;
    const remainingMs = progress.remainingMs(this.passedMs);
    const parts = [
      `${barOf(finishedCount(all), all.planned)} ${finishedCount(all)}/${all.planned}`,
      `${counted(all.running, 'run')} at once`,
      ...spendingTexts(all.spent),
      ...(remainingMs === null ? [] : [`${duration(remainingMs)} left`]),
      ...(this.#unreachable.size === 0 ? [] : [`waiting for ${[...this.#unreachable.keys()].join(', ')}`]),
    ];
    const startedCells = progress.cells.filter((cell) => cell.running > 0 || finishedCount(cell) > 0);
    const maxCells = Math.min(CELLS_SHOWN, Math.max(0, this.#options.output.rows - 4));
    const shown = startedCells
      .toSorted((a, b) => Math.sign(b.running) - Math.sign(a.running))
      .slice(0, maxCells);
    return [
      fit(parts.join(' · '), columns),
      ...shown.map((cell) => this.#paint('dim', cutText(cellLine(cell, this.#nameWidth), columns))),
    ];
  }

  #clear(): void {
    if (this.#drawnLines > 0) this.#options.output.write(wipedLines(this.#drawnLines));
    this.#drawnLines = 0;
  }
}

/**
 * The display of a batch in progress: a line for each run that ended or failed and, in a terminal, a few
 * lines at the bottom that are redrawn: the overall progress, and each cell. In: news; out: text.
 */
import { duration } from '../../base/duration.js';
import { counted } from '../../base/counted.js';
import { cutText, oneLine } from '../../base/text.js';
import type { BatchNews } from '../../batch/play-batch.js';
import type { PlannedRun } from '../../batch/plan.js';
import { cellName } from '../../batch/plan.js';
import { finishedCount } from '../../batch/progress.js';
import type { BatchProgress } from '../../batch/progress.js';
import { barOf, cellLine, spentWords } from '../text/batch-text.js';
import type { PreparedBatch } from '../text/batch-text.js';
import type { Io } from '../terminal/io.js';
import type { Sheet } from '../terminal/sheet.js';
import { ToldFailures } from '../text/told-failures.js';
import { fit, pad, painter } from '../terminal/style.js';
import type { Paint } from '../terminal/style.js';
import { wipedLines } from '../terminal/terminal-codes.js';

const REDRAWN_MS = 200;
/** Maximum number of cells shown in progress; the table at the end has the others. */
const CELLS_SHOWN = 12;
const STATUS_COLUMNS = 11;

export interface BatchViewOptions {
  readonly sheet: Sheet;
  readonly standing: BatchProgress;
  readonly io: Io;
  readonly quiet: boolean;
  /** How long to wait for an unreachable server. */
  readonly patienceMs: number;
  readonly now?: () => number;
}

export class BatchView {
  readonly #options: BatchViewOptions;
  readonly #paint: Paint;
  readonly #now: () => number;
  readonly #began: number;
  readonly #name: number;
  /** By address, the reason for waiting. */
  readonly #gone = new Map<string, string>();
  /** The reasons why runs could not be played. */
  readonly failures = new ToldFailures();
  readonly #remarks = new Set<string>();
  /** The reasons why runs were skipped. */
  readonly #setAsides = new Set<string>();
  #drawn = 0;
  #timer: ReturnType<typeof setInterval> | null = null;

  constructor(options: BatchViewOptions) {
    this.#options = options;
    this.#paint = painter(options.io, options.sheet);
    this.#now = options.now ?? (() => performance.now());
    this.#began = this.#now();
    this.#name = Math.max(0, ...options.standing.cells.map(({ cell }) => cellName(cell).length));
  }

  get passedMs(): number {
    return this.#now() - this.#began;
  }

  open({ spec, out }: PreparedBatch): void {
    const { standing, sheet, quiet } = this.#options;
    if (quiet) return;
    const all = standing.all;
    const before = finishedCount(all) === 0 ? '' : `, ${finishedCount(all)} already done`;
    const title = spec.title === '' ? spec.name : spec.title;
    sheet.write(
      `${this.#paint('bold', fit(title, 100))}: ${counted(all.planned, 'run')}${before}, ${spec.parallel} at once, into ${oneLine(out)}\n`,
    );
    if (!sheet.isTerminal) return;
    this.#timer = setInterval(() => this.#draw(), REDRAWN_MS);
    this.#timer.unref();
    this.#draw();
  }

  close(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
    this.#clear();
  }

  /** Prints a separate line above the redrawn ones. */
  say(words: string): void {
    this.#clear();
    this.#options.sheet.write(`${words}\n`);
    if (this.#timer !== null) this.#draw();
  }

  tell(news: BatchNews): void {
    if (news.kind === 'failed' && !news.willRetry) this.say(this.#failure(news));
    if (news.kind === 'set-aside') this.#setAside(news);
    if (news.kind === 'ended' && !this.#options.quiet) this.#sayRaw(this.#ended(news));
  }

  readonly serverGone = (baseUrl: string, words: string): void => {
    this.#gone.set(baseUrl, words);
    const seconds = Math.round(this.#options.patienceMs / 1000);
    this.say(`waiting up to ${seconds} s for ${baseUrl} (Ctrl-C stops): ${this.failures.tell(words)}`);
  };

  readonly serverBack = (baseUrl: string, goneMs: number): void => {
    this.#gone.delete(baseUrl);
    this.say(`${baseUrl} is back after ${duration(goneMs)}`);
  };

  /** Printed once, because it applies to many runs. */
  readonly remark = (words: string): void => {
    if (this.#remarks.has(words)) return;
    this.#remarks.add(words);
    this.say(words);
  };

  /** Each reason is printed once, because it applies to many runs. */
  #setAside({ runs, error }: Extract<BatchNews, { kind: 'set-aside' }>): void {
    const players = runs[0]?.cell.players ?? '';
    const left = `the remaining runs of ${players === '' ? 'these players' : players}`;
    if (this.#setAsides.has(left)) return;
    this.#setAsides.add(left);
    this.say(`skipping ${left}: ${this.failures.tell(error)}`);
  }

  #ended({ run, end }: Extract<BatchNews, { kind: 'ended' }>): string {
    const all = this.#options.standing.all;
    const width = String(all.planned).length;
    const count = this.#paint('dim', `${String(finishedCount(all)).padStart(width)}/${all.planned}`);
    const colour = end.status === 'succeeded' ? 'green' : end.status === 'failed' ? 'red' : 'dim';
    const status = this.#paint(colour, pad(end.status, STATUS_COLUMNS));
    const how = `${counted(end.turns, 'turn')}, ${counted(end.steps, 'step')}`;
    return `${count}  ${status}  ${this.#label(run)}  ${how}`;
  }

  #label({ cell, seed }: PlannedRun): string {
    return `${pad(fit(cellName(cell), 1000), this.#name)}  seed ${pad(fit(seed, 40), 4)}`;
  }

  #failure({ run, error }: Extract<BatchNews, { kind: 'failed' }>): string {
    return `could not play ${cellName(run.cell)}, seed ${run.seed}: ${this.failures.tell(error)}`;
  }

  #sayRaw(line: string): void {
    this.#clear();
    this.#options.sheet.write(`${line}\n`);
    if (this.#timer !== null) this.#draw();
  }

  #draw(): void {
    const { sheet, standing } = this.#options;
    this.#clear();
    const lines = this.#lines(standing).map((line) => `${line}\n`);
    sheet.write(lines.join(''));
    this.#drawn = lines.length;
  }

  #lines(standing: BatchProgress): readonly string[] {
    const columns = this.#options.sheet.columns - 1;
    const all = standing.all;
    const left = standing.remainingMs(this.passedMs);
    const parts = [
      `${barOf(finishedCount(all), all.planned)} ${finishedCount(all)}/${all.planned}`,
      `${counted(all.running, 'run')} at once`,
      ...spentWords(all.spent),
      ...(left === null ? [] : [`${duration(left)} left`]),
      ...(this.#gone.size === 0 ? [] : [`waiting for ${[...this.#gone.keys()].join(', ')}`]),
    ];
    const busy = standing.cells.filter((cell) => cell.running > 0 || finishedCount(cell) > 0);
    const rows = Math.min(CELLS_SHOWN, Math.max(0, this.#options.sheet.rows - 4));
    const shown = busy.toSorted((a, b) => Math.sign(b.running) - Math.sign(a.running)).slice(0, rows);
    return [
      fit(parts.join(' · '), columns),
      ...shown.map((cell) => this.#paint('dim', cutText(cellLine(cell, this.#name), columns))),
    ];
  }

  #clear(): void {
    if (this.#drawn > 0) this.#options.sheet.write(wipedLines(this.#drawn));
    this.#drawn = 0;
  }
}

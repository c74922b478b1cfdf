/**
 * More runs than one page can show, for `view`: each is listed from its figures, and its log is opened only
 * when a person looks at the run. The list has a feed, and so has each run that is looked at.
 */
import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import type { OpenStage } from '../../replay/verify.js';
import { LogReader } from '../../log/reader.js';
import type { RunSummary } from '../../trajectory/run-summary.js';
import { PageMaker } from '../../view/page-maker.js';
import { RunListFeed } from '../../view/run-list.js';
import type { OpenRunSource } from '../../view/run-source.js';
import type { PageFeed } from '../../view/server.js';
import type { MeasuredRun } from '../../report/settings.js';
import { fromCwd } from '../options/paths.js';
import type { Io } from '../terminal/io.js';
import { splitAddress } from './run-address.js';

/**
 * Runs that stay open, with the parts of their pages; the one that was unused for the longest time is closed.
 */
const OPEN_MAX = 16;

interface OpenedRun {
  reader: LogReader;
  feed: PageFeed;
}

export class ViewedStore {
  readonly list = new RunListFeed();
  readonly #options: { open: OpenRunSource; stage: OpenStage };
  readonly #io: Io;
  readonly #runs: { path: string; runId: string }[] = [];
  readonly #ids = new Set<string>();
  /** By number; the most recently used run is last. */
  readonly #opened = new Map<number, OpenedRun>();

  constructor(options: { open: OpenRunSource; stage: OpenStage }, io: Io) {
    this.#options = options;
    this.#io = io;
  }

  /** A run in several logs is listed once: other versions of a run are refused while the logs are read. */
  add({
    address,
    run: { runId, parent },
    figures,
  }: {
    address: string;
    run: RunSummary;
    figures: MeasuredRun['figures'];
  }): void {
    if (this.#ids.has(runId)) return;
    this.#ids.add(runId);
    const { path } = splitAddress(address, (name) => existsSync(fromCwd(this.#io, name)));
    const number = this.#runs.push({ path, runId }) - 1;
    const { run: id, scenario, seed, players, status, reason, turns, steps, startedAt } = figures;
    const known = { id, scenario, seed, players, status, reason, turns, steps, startedAt };
    this.list.add({ number, log: path, isFork: parent !== null, ...known, return: figures.return });
  }

  /**
   * The feed of a listed run; null if the list has no such run (yet). Throws StorageError if its log can't be
   * read.
   */
  feed(number: number): PageFeed | null {
    const stored = this.#runs[number];
    if (stored === undefined) return null;
    const opened = this.#opened.get(number) ?? this.#open(stored);
    this.#opened.delete(number);
    this.#opened.set(number, opened);
    for (const [oldest, { reader }] of this.#opened) {
      if (this.#opened.size <= OPEN_MAX) break;
      reader.close();
      this.#opened.delete(oldest);
    }
    return opened.feed;
  }

  /** Closes the logs. */
  close(): void {
    for (const { reader } of this.#opened.values()) reader.close();
    this.#opened.clear();
  }

  #open({ path, runId }: { path: string; runId: string }): OpenedRun {
    const reader = new LogReader(fromCwd(this.#io, path));
    const log = { reader, file: basename(path), runId };
    const maker = new PageMaker([log], this.#options.open, this.#options.stage);
    const feed = { next: () => maker.part({ isAll: false }), annotate: maker.annotate.bind(maker) };
    return { reader, feed };
  }
}

/**
 * More runs than one page can show, for `view`: each is listed from its figures, and its log is opened only
 * when a person looks at the run. In: runs with their figures, as the logs are read; out: the feed of the
 * list, and a feed for each run that is looked at.
 */
import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import type { OpenStage } from '../../replay/verify.js';
import { LogReader } from '../../log/reader.js';
import type { RunSummary } from '../../trajectory/run-summary.js';
import { PageMaker } from '../../view/page-maker.js';
import { RunListFeed } from '../../view/run-list.js';
import type { ListedRun } from '../../view/run-list.js';
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

export interface StoreOptions {
  readonly open: OpenRunSource;
  readonly stage: OpenStage;
}

/** A run of one of the logs. */
interface MeasuredLogRun {
  /** The log's address, as given or found in a folder. */
  readonly address: string;
  readonly run: Pick<RunSummary, 'runId' | 'parent'>;
  readonly figures: MeasuredRun['figures'];
}

interface StoredRun {
  /** The log's path. */
  readonly path: string;
  readonly runId: string;
}

interface OpenedRun {
  readonly reader: LogReader;
  readonly feed: PageFeed;
}

export class ViewedStore {
  readonly list = new RunListFeed();
  readonly #options: StoreOptions;
  readonly #io: Io;
  readonly #runs: StoredRun[] = [];
  readonly #ids = new Set<string>();
  /** By number; the most recently used run is last. */
  readonly #opened = new Map<number, OpenedRun>();

  constructor(options: StoreOptions, io: Io) {
    this.#options = options;
    this.#io = io;
  }

  /** A run in several logs is listed once: other versions of a run are refused while the logs are read. */
  add({ address, run: { runId, parent }, figures }: MeasuredLogRun): void {
    if (this.#ids.has(runId)) return;
    this.#ids.add(runId);
    const { path } = splitAddress(address, (name) => existsSync(fromCwd(this.#io, name)));
    const number = this.#runs.push({ path, runId }) - 1;
    this.list.add(listedRun({ number, log: path, isFork: parent !== null }, figures));
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

  #open({ path, runId }: StoredRun): OpenedRun {
    const reader = new LogReader(fromCwd(this.#io, path));
    const log = { reader, file: basename(path), runId };
    const maker = new PageMaker([log], this.#options.open, this.#options.stage);
    const feed = { next: () => maker.part({ isAll: false }), annotate: maker.annotate.bind(maker) };
    return { reader, feed };
  }
}

function listedRun(
  location: Pick<ListedRun, 'number' | 'log' | 'isFork'>,
  figures: MeasuredRun['figures'],
): ListedRun {
  const { run: id, scenario, seed, players, status, reason, turns, steps, startedAt } = figures;
  const known = { id, scenario, seed, players, status, reason, turns, steps, startedAt };
  return { ...location, ...known, return: figures.return };
}

/**
 * `npm run bench -- export`: rows a second that `export` writes, by format, on one core. Plays runs of one scenario with the scripted controller into
 * one log, then exports all of them as each format, some times over. `whole` is the processor time of the round that was disturbed least, with its end, its card and its
 * preview, over its rows; `p10` and `median` are those of stretches of 100 rows, without what a format leaves for the end of a file.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ONE_SPLIT } from '../src/export/splits.js';
import { EVERYTHING } from '../src/export/filter.js';
import type { ExportFormat } from '../src/export/format.js';
import { exportRuns, settingsJson } from '../src/export/export.js';
import type { ExportSettings } from '../src/export/export.js';
import { FORMATS } from '../src/export/formats/formats.js';
import { inspectRuns } from '../src/export/inputs.js';
import { pickRuns } from '../src/export/picked-runs.js';
import type { PickedRun } from '../src/export/picked-runs.js';
import type { ImageType } from '../src/export/pictures.js';
import { FolderTarget } from '../src/export/target.js';
import { LogReader } from '../src/log/reader.js';
import { median, table } from './figures.js';
import { playInto } from './play.js';

export interface ExportAmounts {
  readonly runs: number;
  readonly rounds: number;
  /** Which formats, by name; all where it is empty. */
  readonly only: readonly string[];
}

export async function exportReport(scenario: string, { runs, rounds, only }: ExportAmounts): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'orchestrate-bench-'));
  try {
    const log = join(folder, 'runs.sqlite');
    for (let seed = 1; seed <= runs; seed++)
      await playInto(log, { scenario, seed: String(seed), runId: `bench-${seed}` });
    const picked = runsIn(log);
    const cases = CASES.filter(({ format }) => only.length === 0 || only.includes(format.name));
    const found = new Map(cases.map((one) => [one, [] as Round[]]));
    // Round by round, so that none bears the compiler's first work, or a busy minute, alone.
    for (let round = 0; round < rounds; round++)
      for (const [{ format, type }, measured] of found) {
        // A new folder each time, and none removed before the end: making a file where others were deleted lately takes ext4 ten times as long.
        const out = join(folder, `${format.name}-${type}-${round}`);
        measured.push(await measure({ format, type, picked, out }));
      }
    const rows = [...found].map(([{ format, type }, measured]) => [
      `${format.name}${type === 'webp' ? ', WebP' : ''}`,
      ...figures(measured),
    ]);
    return `${table(['format', 'rows', 'MB', 'whole µs', 'rows/s', 'p10 µs', 'median µs'], rows)}\n`;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const CASES: readonly { readonly format: ExportFormat; readonly type: ImageType }[] = [
  ...FORMATS.filter(({ unit }) => unit !== 'pair').map((format) => ({ format, type: 'png' as const })),
  ...FORMATS.filter(({ name }) => name === 'webdataset').map((format) => ({ format, type: 'webp' as const })),
];

function runsIn(path: string): readonly PickedRun[] {
  const reader = new LogReader(path);
  const runs = pickRuns([{ path, runs: reader.runs(), runId: null }]);
  reader.close();
  return runs;
}

interface Case {
  readonly format: ExportFormat;
  readonly type: ImageType;
  readonly picked: readonly PickedRun[];
  readonly out: string;
}

interface Round {
  readonly rows: number;
  readonly bytes: number;
  /** Processor time of all of it, from the first row to the manifest, over its rows. */
  readonly wholeUs: number;
  /** Processor time of a row, by stretches of BATCH rows. */
  readonly us: readonly number[];
}

const BATCH = 100;

async function measure({ format, type, picked, out }: Case): Promise<Round> {
  const us: number[] = [];
  const began = process.cpuUsage();
  const settings = settingsOf(format, type);
  const { tally, bytes } = await exportRuns({
    format: timed(format, (batchUs) => us.push(batchUs / BATCH)),
    runs: picked,
    inspected: inspectRuns(picked, settingsJson(format.name, settings)),
    settings,
    target: new FolderTarget(out, { isFresh: true }),
    signal: new AbortController().signal,
    onProgress: () => undefined,
  });
  const { user, system } = process.cpuUsage(began);
  return { rows: tally.rows, bytes, wholeUs: (user + system) / tally.rows, us };
}

/** The same format; after each stretch of rows it tells the processor time since the last, reading and filtering included. */
function timed(format: ExportFormat, tell: (us: number) => void): ExportFormat {
  return {
    ...format,
    open: (context) => {
      const writer = format.open(context);
      let rows = 0;
      let last = process.cpuUsage();
      return {
        add: async (row) => {
          await writer.add(row);
          rows += 1;
          if (rows % BATCH !== 0) return;
          const { user, system } = process.cpuUsage(last);
          tell(user + system);
          last = process.cpuUsage();
        },
        end: async () => writer.end(),
      };
    },
  };
}

function settingsOf({ unit = 'reply' }: ExportFormat, type: ImageType): ExportSettings {
  return {
    selection: EVERYTHING,
    history: 'full',
    duplicates: 'keep',
    all: true,
    verbatim: true,
    redact: [],
    limit: null,
    seed: null,
    unit,
    questions: 3,
    words: 'drop',
    effort: null,
    splitBy: 'seed',
    shared: 'drop',
    rollouts: 3,
    splits: ONE_SPLIT,
    image: { type, scale: 1 },
    shardRows: 10_000,
  };
}

function figures(rounds: readonly Round[]): readonly string[] {
  const [{ rows, bytes }] = rounds as readonly [Round];
  const all = rounds.flatMap(({ us }) => us);
  const whole = Math.min(...rounds.map(({ wholeUs }) => wholeUs));
  return [rows, bytes / 1e6, whole, 1e6 / whole, median(all, 0.1), median(all)].map((figure) =>
    figure.toFixed(0),
  );
}

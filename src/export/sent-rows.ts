/**
 * Sends rows from a worker process that reads them to the process that writes, as plain data in batches
 * ("parts"). An object that several rows of a part share, such as a message of their common history, is sent
 * once. Only what the format needs is read and sent.
 */
import { assert } from '../base/assert.js';
import { Fingerprints } from './fingerprints.js';
import type { ExportFormat } from './format.js';
import type { OpenedRun } from './opened-runs.js';
import type { PickedRun } from './picked-runs.js';
import type { ExportRow, RejectedAnswer } from './row.js';
import { rowKind } from './row-kinds.js';
import type { SplitSettings } from './row-splits.js';
import { DUPLICATE } from './rows.js';
import type { RowFinder, RowsProgress } from './rows.js';
import type { ExportSample } from './sample.js';

/** What is sent of a sample besides its plain fields and its pictures. */
export interface SentFields {
  prompt: boolean;
  events: boolean;
  observation: 'always' | 'unpictured' | 'never';
}

/** What the format and the splits read of a sample. */
export function fieldsFor(
  { unit = 'reply', includesEvents, needsScene }: ExportFormat,
  { splits }: SplitSettings,
): SentFields {
  // Without a picture, the observation must not be in another split.
  const ofSplits = splits.length > 1 ? 'unpictured' : 'never';
  return {
    prompt: rowKind(unit).hasMessages,
    events: includesEvents === true,
    observation: needsScene === true ? 'always' : ofSplits,
  };
}

/** What is read of a sample only when it is called for was read here; null if it is not sent. */
type SentSample = {
  readonly [K in keyof ExportSample]: ExportSample[K] extends () => infer T ? T | null : ExportSample[K];
};

type SentRow = Omit<ExportRow, 'run' | 'sample' | 'rejected'> & {
  sample: SentSample;
  rejected: (Omit<RejectedAnswer, 'sample'> & { sample: SentSample }) | null;
  /** What was left out since the row before. */
  skipped: SkippedRows;
};

/** How many rows were left out, by the reason. */
type SkippedRows = ReadonlyMap<string, number>;

/**
 * Some rows of a run, the number of steps passed since the part before, and what was left out after the last
 * row.
 */
export interface SentPart {
  rows: readonly SentRow[];
  steps: number;
  skipped: SkippedRows;
}

/** A part ends at whichever limit is reached first: of rows or, roughly, of bytes. */
const PART_ROWS = 256;
const PART_BYTES = 1 << 20;

/**
 * Finds the rows of one run after the other, in the order of the export, and leaves out those that it found
 * before.
 */
export class RowSender {
  readonly #find: RowFinder;
  readonly #fields: SentFields;
  readonly #seen = new Fingerprints();
  #part = new PartInMaking();

  constructor(find: RowFinder, fields: SentFields) {
    this.#find = find;
    this.#fields = fields;
  }

  /** The rows found before an error are sent before it. */
  *parts(opened: OpenedRun): Generator<SentPart> {
    const progress: RowsProgress = {
      onSteps: (steps) => (this.#part.steps += steps),
      onSkipped: (reason, rows) => this.#part.skip(reason, rows),
    };
    try {
      for (const row of this.#find(opened, progress)) {
        if (row.fingerprint !== null && !this.#seen.add(row.fingerprint)) this.#part.skip(DUPLICATE, 1);
        else this.#part.add(row, this.#fields);
        if (this.#part.isFull) yield this.#takePart();
      }
    } finally {
      yield this.#takePart();
    }
  }

  #takePart(): SentPart {
    const { rows, steps, skipped } = this.#part;
    this.#part = new PartInMaking();
    return { rows, steps, skipped };
  }
}

class PartInMaking {
  readonly rows: SentRow[] = [];
  steps = 0;
  skipped = new Map<string, number>();
  readonly #counted = new Set<object>();
  #bytes = 0;

  get isFull(): boolean {
    return this.rows.length >= PART_ROWS || this.#bytes >= PART_BYTES;
  }

  add({ run: _run, ...row }: ExportRow, fields: SentFields): void {
    const sample = sentSample(row.sample, fields);
    const rejected = row.rejected && {
      ...row.rejected,
      // Its request is that of the better answer.
      sample: {
        ...row.rejected.sample,
        prompt: null,
        pictures: null,
        shown: null,
        after: null,
        observation: null,
      },
    };
    this.rows.push({ ...row, sample, rejected, skipped: this.skipped });
    this.skipped = new Map();
    for (const turn of sample.prompt?.messages ?? []) this.#count(turn, turn.text.length);
    for (const picture of sample.pictures ?? []) this.#count(picture, picture.png.length);
  }

  skip(reason: string, rows: number): void {
    this.skipped.set(reason, (this.skipped.get(reason) ?? 0) + rows);
  }

  #count(one: object, bytes: number): void {
    if (this.#counted.has(one)) return;
    this.#counted.add(one);
    this.#bytes += bytes;
  }
}

function sentSample(sample: ExportSample, fields: SentFields): SentSample {
  const pictures = sample.pictures();
  const isObserved =
    fields.observation === 'unpictured' ? pictures.length === 0 : fields.observation === 'always';
  return {
    ...sample,
    prompt: fields.prompt ? sample.prompt() : null,
    pictures,
    shown: null,
    after: fields.events ? sample.after() : null,
    observation: isObserved ? sample.observation() : null,
  };
}

/** The rows of a part of this run. */
export function* receivedRows(
  part: SentPart,
  run: PickedRun,
  { onSteps, onSkipped }: RowsProgress,
): Generator<ExportRow> {
  onSteps(part.steps);
  for (const { skipped, ...row } of part.rows) {
    for (const [reason, rows] of skipped) onSkipped(reason, rows);
    const rejected = row.rejected && { ...row.rejected, sample: receivedSample(row.rejected.sample) };
    yield { ...row, run, sample: receivedSample(row.sample), rejected };
  }
  for (const [reason, rows] of part.skipped) onSkipped(reason, rows);
}

function receivedSample(sent: SentSample): ExportSample {
  const { prompt, pictures, shown, after, observation } = sent;
  return {
    ...sent,
    prompt: () => assertSent(prompt),
    pictures: () => assertSent(pictures),
    shown: () => assertSent(shown),
    after: () => assertSent(after),
    observation: () => assertSent(observation),
  };
}

function assertSent<T>(value: T | null): T {
  assert(value !== null, 'a format must not read what fieldsFor leaves out');
  return value;
}

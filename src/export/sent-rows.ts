/**
 * Sends rows from a worker process that reads them to the process that writes, as plain data in batches
 * ("parts"). An object that several rows of a part share, such as a message of their common history, is sent
 * once. Only what the format needs is read and sent.
 */
import { assert } from '../base/assert.js';
import type { Event } from '../environment/action.js';
import type { Observation } from '../environment/observation.js';
import { Fingerprints } from './fingerprints.js';
import type { Fingerprint } from './fingerprints.js';
import type { ExportFormat } from './format.js';
import { DUPLICATE } from './found-rows.js';
import type { FoundRow, OpenedRun, RowFinder, RowsProgress } from './found-rows.js';
import type { PreferencePair } from './pairs.js';
import type { PickedRun } from './picked-runs.js';
import type { QuestionPools } from './questions.js';
import type { SplitSettings } from './row-splits.js';
import type { SampleImage } from './prompt-turn.js';
import type { ExportSample, SamplePrompt } from './sample.js';

/** What is sent of a sample besides its plain fields and its pictures. */
export interface SentFields {
  readonly prompt: boolean;
  readonly events: boolean;
  readonly observation: 'always' | 'unpictured' | 'never';
}

/** What the format and the splits read of a sample. */
export function fieldsFor(
  { unit, includesEvents, needsScene }: ExportFormat,
  { splits }: Pick<SplitSettings, 'splits'>,
): SentFields {
  // Without a picture, the observation must not be in another split.
  const ofSplits = splits.length > 1 ? 'unpictured' : 'never';
  return {
    prompt: unit !== 'moment' && unit !== 'picture',
    events: includesEvents === true,
    observation: needsScene === true ? 'always' : ofSplits,
  };
}

type ReadLater = 'prompt' | 'pictures' | 'shown' | 'after' | 'observation';

interface SentSample {
  readonly plain: Omit<ExportSample, ReadLater>;
  readonly pictures: readonly SampleImage[];
  /** Null if it is not sent. */
  readonly prompt: SamplePrompt | null;
  readonly after: readonly Event[] | null;
  readonly observation: Observation | null;
}

interface SentRow {
  readonly sample: SentSample;
  /** Without the better answer, which is the sample. */
  readonly pair: (Omit<PreferencePair, 'chosen' | 'rejected'> & { readonly rejected: SentSample }) | null;
  readonly pools: QuestionPools | null;
  readonly fingerprint: Fingerprint | null;
  /** What was left out since the row before. */
  readonly skipped: SkippedRows;
}

/** How many rows were left out, by the reason. */
type SkippedRows = ReadonlyMap<string, number>;

/**
 * Some rows of a run, the number of steps passed since the part before, and what was left out after the last
 * row.
 */
export interface SentPart {
  readonly rows: readonly SentRow[];
  readonly steps: number;
  readonly skipped: SkippedRows;
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

  add({ sample: found, pair, pools, fingerprint }: FoundRow, fields: SentFields): void {
    const sample = sentSample(found, fields);
    this.rows.push({
      sample,
      pair: pair === null ? null : sentPair(pair),
      pools,
      fingerprint,
      skipped: this.skipped,
    });
    this.skipped = new Map();
    for (const turn of sample.prompt?.messages ?? []) this.#count(turn, turn.text.length);
    for (const picture of sample.pictures) this.#count(picture, picture.png.length);
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
  const { prompt, pictures, shown: _shown, after, observation, ...plain } = sample;
  const sent = pictures();
  const isObserved =
    fields.observation === 'unpictured' ? sent.length === 0 : fields.observation === 'always';
  return {
    plain,
    pictures: sent,
    prompt: fields.prompt ? prompt() : null,
    after: fields.events ? after() : null,
    observation: isObserved ? observation() : null,
  };
}

/** The worse answer is sent without its request, which is that of the better one. */
function sentPair({ chosen: _chosen, rejected, ...rest }: PreferencePair): SentRow['pair'] {
  const {
    prompt: _prompt,
    pictures: _pictures,
    shown: _shown,
    after: _after,
    observation: _seen,
    ...plain
  } = rejected;
  return { ...rest, rejected: { plain, pictures: [], prompt: null, after: null, observation: null } };
}

/** The rows of a part of this run. */
export function* receivedRows(
  part: SentPart,
  run: PickedRun,
  { onSteps, onSkipped }: RowsProgress,
): Generator<FoundRow> {
  onSteps(part.steps);
  for (const { sample: sent, pair, pools, fingerprint, skipped } of part.rows) {
    for (const [reason, rows] of skipped) onSkipped(reason, rows);
    const sample = receivedSample(sent);
    const receivedPair =
      pair === null ? null : { ...pair, chosen: sample, rejected: receivedSample(pair.rejected) };
    yield { run, sample, pair: receivedPair, pools, fingerprint };
  }
  for (const [reason, rows] of part.skipped) onSkipped(reason, rows);
}

function receivedSample({ plain, pictures, prompt, after, observation }: SentSample): ExportSample {
  return Object.assign(plain, {
    prompt: () => assertSent(prompt),
    pictures: () => pictures,
    shown: () => pictures,
    after: () => assertSent(after),
    observation: () => assertSent(observation),
  });
}

function assertSent<T>(value: T | null): T {
  assert(value !== null, 'a format must not read what fieldsFor leaves out');
  return value;
}

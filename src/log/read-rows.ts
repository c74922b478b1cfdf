/**
 * From rows to records: the counterpart of `rows.ts`. Values and JSON of rows are checked as their tables say
 * (`tables.ts`), so that damage becomes a StorageError with a message. `verify` checks everything else.
 */
import type { Json } from '../base/json.js';
import { once } from '../base/once.js';
import type { Scenario } from '../scenario/scenario.js';
import { scenarioFault } from '../scenario/stored-scenario.js';
import type { BlobReader } from './blobs.js';
import { damaged } from './damaged.js';
import type {
  EndRow,
  OutsideRow,
  ProbeRow,
  RunRow,
  SessionRow,
  StepOutlineRow,
  StepRow,
} from './read-columns.js';
import type {
  LoggedProbe,
  OutsideRecord,
  RunEnd,
  RunRecord,
  SessionRecord,
  StepOutline,
  StepRecord,
} from '../trajectory/records.js';
import type { RunSummary } from '../trajectory/run-summary.js';
import type { RecordOf } from '../trajectory/column-kinds.js';
import type { STEP_COLUMNS } from '../trajectory/columns.js';
import type { RowValues } from './row-values.js';
import * as shapes from '../trajectory/shapes.js';
import { CALLS, ENDS, OUTSIDE, PROBES, RUNS, SITTINGS, STEPS } from './tables.js';

/** For a fork: the run whose steps before `step` it shares. */
function parentOf({ parent, fork_step: step }: RunRow): NonNullable<RunRecord['parent']> | null {
  return parent === null ? null : { runId: parent, step: step ?? 0 };
}

/** A run at a glance, from its row. */
export function summaryOf(row: RunRow): RunSummary {
  return {
    runId: row.run_id,
    parent: parentOf(row),
    name: row.name,
    seed: row.seed,
    status: row.status ?? 'running',
    steps: row.steps,
    chain: row.chain,
    startedAt: row.started_at,
  };
}

type StepFields = RecordOf<typeof STEP_COLUMNS>;

/** What an outline leaves out, or reads on demand. */
const UNREAD = ['events', 'stateHash', 'parts', 'chain'] as const;

export interface StepOptions {
  snapshots?: boolean | undefined;
  /** Whether all of the run's rows have a hash, which is not the case in a log of version 1. */
  isHashed: boolean;
}

/** Makes records from rows; blobs are fetched on demand. */
export class RecordMaker {
  readonly #blobs: BlobReader;
  readonly #values: RowValues;

  constructor(blobs: BlobReader, values: RowValues) {
    this.#blobs = blobs;
    this.#values = values;
  }

  run(row: RunRow, tileset: RunRecord['tileset']): RunRecord {
    this.checkRun(row);
    const parent = parentOf(row);
    const kept = this.#blobs.json<RunRecord['kept']>(row.kept);
    return {
      ...RUNS.decode(row, 'a run', this.#values),
      ...SITTINGS.decode(row, 'a run', this.#values),
      ...(parent === null ? {} : { parent }),
      source: this.#blobs.text(row.source),
      scenario: this.#scenario(this.#blobs.json(row.scenario)),
      tileset,
      kept: this.#values.shaped(kept, 'the memories from earlier runs', shapes.records),
    };
  }

  /** A run's row, as read for a list. */
  checkRun(row: RunRow): void {
    const { path } = this.#values;
    RUNS.check(row, 'a run', path);
    SITTINGS.check(row, 'a run', path);
    ENDS.check(row, 'a run', path, ['steps', 'chain']);
    if (row.status !== null) ENDS.check(row, 'a run', path, ['status']);
    if ((row.parent_run === null) !== (typeof row.parent !== 'string'))
      throw damaged(path, `the run that ${row.run_id} forks is missing`);
    if ((row.parent_run === null) !== (row.fork_step === null))
      throw damaged(path, `the fork ${row.run_id} has no fork step`);
  }

  #scenario(stored: Scenario): Scenario {
    const value = this.#values.shaped(stored, "a run's scenario", shapes.records);
    const fault = scenarioFault(value);
    if (fault === null || this.#values.checking === 'unchecked') return value;
    throw damaged(this.#values.path, `the structure of a run's scenario is wrong (${fault})`);
  }

  session(row: SessionRow): SessionRecord {
    const label = 'a session';
    const { path } = this.#values;
    SITTINGS.check(row, label, path);
    if (row.ended_at !== null) ENDS.check(row, label, path, ['ended_at']);
    if (row.finished_at !== null) STEPS.check(row, label, path, ['finished_at']);
    return {
      ...SITTINGS.decode(row, label, this.#values),
      firstStep: row.first_step,
      endedAt: row.ended_at,
      lastStepAt: row.finished_at,
    };
  }

  /** With the snapshot that was taken after it, if there is one, unless snapshots are excluded. */
  step(runId: string, row: StepRow, { snapshots = true, isHashed }: StepOptions): StepRecord {
    const record: StepRecord = { runId, ...this.#decoded(row, isHashed) };
    return row.snapshot === null || !snapshots ? record : { ...record, snapshot: this.state(row.snapshot) };
  }

  /** The same without the state. `isHashed`: a row without a hash is damage. */
  outline(runId: string, row: StepOutlineRow, isHashed: boolean): StepOutline {
    const outline = this.#decoded(row, isHashed, UNREAD);
    const events = once(() => STEPS.json(row, 'events', `step ${row.step}`, this.#values));
    return { runId, ...outline, events };
  }

  #decoded<S extends keyof StepFields = never>(
    row: StepOutlineRow,
    isHashed: boolean,
    unread: readonly S[] = [],
  ): Omit<StepFields, S> {
    const label = `step ${row.step}`;
    STEPS.check(row, label, this.#values.path);
    this.#values.checkRow(label, { stored: row.sha256, isHashed }, () => STEPS.hash(row));
    return STEPS.decode(row, label, this.#values, unread);
  }

  outside(runId: string, row: OutsideRow, isHashed: boolean): OutsideRecord {
    const label = `an effect of step ${row.step}`;
    OUTSIDE.check(row, label, this.#values.path);
    const { hash, text } = this.#blobs.content(row.output);
    const hashed = { ...row, output: hash };
    this.#values.checkRow(label, { stored: row.sha256, isHashed }, () => OUTSIDE.hash(hashed));
    const record = OUTSIDE.decode(row, label, this.#values);
    return { runId, ...record, output: this.#values.json<Json>(text, label, shapes.anything) };
  }

  probe(runId: string, row: ProbeRow, isHashed: boolean): LoggedProbe {
    const label = `the probe of call ${row.call}`;
    const { step, turn, agent } = row;
    PROBES.check(row, label, this.#values.path);
    CALLS.check(row, label, this.#values.path, ['step', 'turn', 'agent']);
    this.#values.checkRow(label, { stored: row.sha256, isHashed }, () => PROBES.hash(row));
    return {
      runId,
      step,
      turn,
      agent,
      ...PROBES.decode(row, label, this.#values),
    };
  }

  end(row: EndRow): RunEnd {
    return Object.assign(this.ending(row), { finalState: this.state(row.final_state) });
  }

  /** A state of the world. */
  state(blob: number): Json {
    return this.#values.shaped(this.#blobs.json<Json>(blob), `the state in blob ${blob}`, shapes.anything);
  }

  /** The same without the state. */
  ending(row: EndRow): Omit<RunEnd, 'finalState'> {
    const label = "the run's end";
    ENDS.check(row, label, this.#values.path);
    return ENDS.decode(row, label, this.#values);
  }
}

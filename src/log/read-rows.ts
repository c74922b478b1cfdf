/**
 * From rows to records: the counterpart of `rows.ts`. JSON columns are parsed here, so that damaged JSON
 * becomes a StorageError with a message; the same applies to any value whose shape would crash a reader
 * (`row-shapes.ts`). `verify` checks everything else.
 */
import { isRecord } from '../base/json.js';
import type { Json } from '../base/json.js';
import { once } from '../base/once.js';
import type { Event } from '../environment/action.js';
import type { Scenario } from '../scenario/scenario.js';
import { scenarioFault } from '../scenario/stored-scenario.js';
import { parseJson } from './blobs.js';
import type { BlobReader } from './blobs.js';
import { ColumnChecks } from './column-shapes.js';
import { damaged } from './failures.js';
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
  ActRecord,
  LoggedProbe,
  OutsideRecord,
  ProbeRecord,
  RunEnd,
  RunRecord,
  SessionRecord,
  StepOutline,
  StepRecord,
  StepRewards,
  UntimelyCount,
} from '../trajectory/records.js';
import type { RunSummary } from '../trajectory/run-summary.js';
import { outsideHash, probeHash, stepHash } from './row-hashes.js';
import {
  isAct,
  isEvent,
  isParts,
  isRewards,
  isShallow,
  isText,
  isUntimely,
  isVersions,
  isInteger,
} from './row-shapes.js';
import type { RowValues } from './row-values.js';

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

export interface StepOptions {
  readonly snapshots?: boolean | undefined;
  /** Whether all of the run's rows have a hash, which is not the case in a log of version 1. */
  readonly isHashed: boolean;
}

/** Makes records from rows; blobs are fetched on demand. */
export class RecordMaker {
  readonly #blobs: BlobReader;
  readonly #values: RowValues;
  readonly #columns: ColumnChecks;

  constructor(blobs: BlobReader, values: RowValues) {
    this.#blobs = blobs;
    this.#values = values;
    this.#columns = new ColumnChecks(values.path);
  }

  run(row: RunRow, tileset: RunRecord['tileset']): RunRecord {
    this.#columns.run(row);
    const parent = parentOf(row);
    return {
      runId: row.run_id,
      ...(parent === null ? {} : { parent }),
      source: this.#blobs.text(row.source),
      scenario: this.#scenario(this.#blobs.json(row.scenario)),
      seed: row.seed,
      versions: this.versions(row.versions),
      tileset,
      controllers: this.controllers(row.controllers),
      kept: this.#values.requireShape(
        this.#blobs.json(row.kept),
        'the memories from earlier runs',
        areMemories,
      ),
      startedAt: row.started_at,
      genesisHash: row.genesis,
    };
  }

  /** A run's row, as read for a list. */
  checkRun(row: RunRow): void {
    this.#columns.run(row);
  }

  #scenario(value: Scenario): Scenario {
    const fault = isShallow(value) ? scenarioFault(value) : 'it is nested too deeply';
    if (fault === null || (this.#values.checking === 'unchecked' && isRecord(value))) return value;
    throw damaged(this.#values.path, `the structure of a run's scenario is wrong (${fault})`);
  }

  versions(text: string): RunRecord['versions'] {
    return this.#values.requireShape(
      this.#values.json<RunRecord['versions']>(text, 'the versions'),
      'the versions',
      isVersions,
    );
  }

  controllers(text: string): RunRecord['controllers'] {
    return this.#values.requireShallow(
      this.#values.json<RunRecord['controllers']>(text, 'the controllers of a run'),
      'the controllers of a run',
    );
  }

  session(row: SessionRow): SessionRecord {
    this.#columns.session(row);
    return {
      firstStep: row.first_step,
      versions: this.versions(row.versions),
      controllers: this.controllers(row.controllers),
      startedAt: row.started_at,
      endedAt: row.ended_at,
      lastStepAt: row.last_step_at,
    };
  }

  /** With the snapshot that was taken after it, if there is one, unless snapshots are excluded. */
  step(runId: string, row: StepRow, { snapshots = true, isHashed }: StepOptions): StepRecord {
    const outline = this.outline(runId, row, isHashed);
    const label = `the parts of step ${row.step}`;
    const record = Object.assign(outline, {
      events: outline.events(),
      stateHash: row.state,
      parts: this.#values.requireShape(
        this.#values.json<Record<string, string>>(row.parts, label),
        label,
        isParts,
      ),
      chain: row.chain,
    });
    return row.snapshot === null || !snapshots ? record : { ...record, snapshot: this.state(row.snapshot) };
  }

  /** The same without the state. `isHashed`: a row without a hash is damage. */
  outline(runId: string, row: StepOutlineRow, isHashed: boolean): StepOutline {
    const label = `step ${row.step}`;
    this.#columns.step(row);
    this.#values.checkRow(label, { stored: row.sha256, isHashed }, () => stepHash(row));
    const acts = this.#values.json<readonly ActRecord[]>(row.acts, `the acts of ${label}`, 'list');
    return {
      runId,
      step: row.step,
      turn: row.turn,
      agent: this.#values.agent(row.agent, label),
      calls: this.#values.list<number>(row.calls, `the calls of ${label}`, isInteger),
      acts: acts.map((act, index) => this.#values.requireShape(act, `act ${index} of ${label}`, isAct)),
      events: once(() => this.#eventsOf(row)),
      ...this.#rewardsOf(row),
      ...timingOf(row),
      ...this.#untimelyOf(row),
      finishedAt: row.finished_at,
    };
  }

  #rewardsOf({ step, rewards }: StepOutlineRow): Pick<StepRecord, 'rewards'> {
    if (rewards == null) return {};
    const label = `the rewards of step ${step}`;
    return {
      rewards: this.#values.requireShape(this.#values.json<StepRewards>(rewards, label), label, isRewards),
    };
  }

  #untimelyOf({ step, untimely }: StepOutlineRow): Pick<StepRecord, 'untimely'> {
    if (untimely == null) return {};
    const label = `the untimely intents of step ${step}`;
    return { untimely: this.#values.list<UntimelyCount>(untimely, label, isUntimely) };
  }

  #eventsOf(row: StepOutlineRow): readonly Event[] {
    const events = this.#values.json<readonly Event[]>(row.events, `the events of step ${row.step}`, 'list');
    return events.map((event) => this.#values.requireShape(event, `an event of step ${row.step}`, isEvent));
  }

  outside(runId: string, row: OutsideRow, isHashed: boolean): OutsideRecord {
    const label = `an effect of step ${row.step}`;
    this.#columns.outside(row);
    const { hash, text } = this.#blobs.content(row.output);
    this.#values.checkRow(label, { stored: row.sha256, isHashed }, () => outsideHash(row, hash));
    const args = this.#values.requireShallow(
      parseJson<Json>(row.args, this.#values.path, `the arguments of ${label}`),
      label,
    );
    return {
      runId,
      step: row.step,
      agent: this.#values.agent(row.agent, label),
      action: row.action,
      args,
      output: this.#values.requireShallow(parseJson<Json>(text, this.#values.path, label), label),
      startedAt: row.started_at,
      durationMs: row.duration_ms,
    };
  }

  probe(runId: string, row: ProbeRow, isHashed: boolean): LoggedProbe {
    this.#columns.probe(row);
    this.#values.checkRow(`the probe of call ${row.call}`, { stored: row.sha256, isHashed }, () =>
      probeHash(row),
    );
    const { call, step, turn, kind, question, options, expected, answer, verdict } = row;
    return {
      runId,
      call,
      step,
      turn,
      agent: this.#values.agent(row.agent, `the probe of call ${call}`),
      kind: kind as ProbeRecord['kind'],
      question,
      options: options === null ? null : this.#values.list<string>(options, 'the options of a probe', isText),
      expected,
      answer,
      verdict,
    };
  }

  end(row: EndRow): RunEnd {
    return Object.assign(this.ending(row), { finalState: this.state(row.final_state) });
  }

  /** A state of the world. */
  state(blob: number): Json {
    return this.#values.requireShallow(this.#blobs.json<Json>(blob), `the state in blob ${blob}`);
  }

  /** The same without the state. */
  ending(row: EndRow): Omit<RunEnd, 'finalState'> {
    this.#columns.end(row);
    return {
      status: row.status,
      reason: row.reason,
      turns: row.turns,
      steps: row.steps,
      stateHash: row.state,
      chain: row.chain,
      endedAt: row.ended_at,
    };
  }
}

function timingOf({
  overrun_ms: overrunMs,
  settle_ms: settleMs,
}: StepOutlineRow): Pick<StepRecord, 'timing'> {
  return overrunMs == null || settleMs == null ? {} : { timing: { overrunMs, settleMs } };
}

/** The agents' memories after the run, each in the form of its kind. */
function areMemories(value: unknown): boolean {
  return isRecord(value) && isShallow(value);
}

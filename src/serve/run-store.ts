/**
 * A served run's log: the loop's records and the leases are written to it, and a separate reader reads it for
 * viewers.
 */
import type { Environment } from '../environment/environment.js';
import { LogReader } from '../log/reader.js';
import { LoggedStates } from '../replay/state-at.js';
import type { CallRequest, RunRecord } from '../trajectory/records.js';
import type { ServingRecord, TickTiming, UntimelyCount } from '../trajectory/record-values.js';
import { passThroughSink } from '../trajectory/passing-sink.js';
import { WORLD_ID } from '../base/ids.js';
import type { Scene } from '../environment/scene.js';
import type { RunSink } from '../trajectory/sink.js';
import type { Earnings } from './earnings.js';
import type { LeaseEvent } from './leases.js';
import type { HeldLog, ServedLogs } from './served-logs.js';

/** The leases of a continued run, as stored in its log. */
export interface ServedBefore {
  /** The last finished tick. */
  tick: number;
  /** The newest epoch of each entity. */
  epochs: ReadonlyMap<string, number>;
  /**
   * How many entities were held: their holders may come back, so the world waits for them, but no longer than
   * a lease lasts. Null: it waits like a new run.
   */
  held: number | null;
  earnings: Earnings;
}

/** Where a run is kept. */
export interface RunStore {
  sink: RunSink;
  /** Durable when it returns. */
  lease(event: LeaseEvent): void;
  /** The world after the last durable step, as drawn for people. */
  snapshot(): WorldSnapshot;
  /** The entity's last request in each tick after `tick`, oldest first. */
  pastRequests(entity: string, tick: number): readonly CallRequest[];
  close(): void;
}

export interface WorldSnapshot {
  step: number;
  tick: number;
  /** Null if the world has no picture. */
  scene: Scene | null;
}

export interface StoreOptions {
  path: string;
  logs: ServedLogs;
  environment: Environment<unknown>;
  /** The time in milliseconds since 1970. */
  now: () => number;
  /** The options of the session that begins. */
  serving: ServingRecord;
  /** How punctual the ending tick was. */
  timing: () => TickTiming;
  /** The intents that came at the wrong time since the previous step; counting begins again. */
  untimely: () => readonly UntimelyCount[];
  /** For a continued run: the writer that already has the log, and the end of earlier leases. */
  goesOn?: HeldLog & { ended: readonly LeaseEvent[] };
}

/** The options that the served run itself provides. */
export type RunStoreParts = Pick<StoreOptions, 'serving' | 'timing' | 'untimely'>;

/** Throws StorageError if the log can't be used. */
export function openStore(run: RunRecord, options: StoreOptions): RunStore {
  const { path, logs, environment, now, goesOn } = options;
  const heldLog = goesOn ?? logs.hold(path, run.runId);
  const { writer } = heldLog;
  let isOver = false;
  let view: { reader: LogReader; states: LoggedStates } | null = null;
  const openView = () => {
    if (view !== null) return view;
    const reader = new LogReader(path);
    view = { reader, states: new LoggedStates({ reader, run, environment }) };
    return view;
  };
  // After the run's end, no one controls anything, and the seal of the end has counted the lease events.
  const lease = ({ kind, ...event }: LeaseEvent): void => {
    if (!isOver) writer.lease({ ...event, event: kind, runId: run.runId, at: now() });
  };
  return {
    sink: {
      ...passThroughSink(writer),
      begin: (record, state) => writer.begin(record, state, options.serving),
      resume: (record, firstStep) => {
        writer.resume(record, firstStep, options.serving);
        for (const event of goesOn?.ended ?? []) lease(event);
      },
      step: (record) => {
        const timing = record.agent === WORLD_ID ? { timing: options.timing() } : {};
        writer.step({ ...record, ...timing, untimely: options.untimely() });
      },
      end: (runId, end) => {
        writer.end(runId, end);
        isOver = true;
      },
      // Other runs of the file may be in progress at the same time.
      onDurable: (listener) =>
        writer.onDurable((step) => {
          if (step.runId === run.runId) listener(step);
        }),
    },
    lease,
    snapshot: () => {
      const { reader, states } = openView();
      const step = reader.runs().find(({ runId }) => runId === run.runId)?.steps ?? 0;
      const tick = step === 0 ? 0 : (reader.step(run.runId, step)?.turn ?? 0);
      return { step, tick, scene: environment.scene(states.at(step).state, null) };
    },
    pastRequests: (entity, tick) => {
      const { reader } = openView();
      const newestStep = reader.runs().find(({ runId }) => runId === run.runId)?.steps ?? 0;
      const turn = newestStep === 0 ? 0 : (reader.step(run.runId, newestStep)?.turn ?? 0);
      // A turn has at most one step of each agent and one of the world.
      const from = Math.max(1, newestStep - (turn - tick + 1) * (run.scenario.agents.length + 1));
      const steps = [...reader.steps(run.runId, { agent: entity, from })].filter(
        (record) => record.turn > tick,
      );
      return steps.flatMap(({ step }) => {
        const lastCall = reader.calls(run.runId, step).at(-1);
        return lastCall === undefined ? [] : [lastCall.request];
      });
    },
    close: () => {
      isOver = true;
      view?.reader.close();
      heldLog.close();
    },
  };
}

/** A served run's log: the loop's records and the leases go in, what watchers are shown comes out of it by a reader of its own. */
import type { Environment } from '../environment/environment.js';
import { LogReader } from '../log/reader.js';
import { LogWriter } from '../log/writer.js';
import { LoggedStates } from '../replay/state-at.js';
import type { RunRecord } from '../trajectory/records.js';
import type { RunStore } from './served-run.js';

export interface StoreOptions {
  readonly path: string;
  readonly environment: Environment<unknown>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Holds the log already, of a run that goes on. */
  readonly writer?: LogWriter;
}

/** Throws StorageError where the log can't be had. */
export function openStore(run: RunRecord, options: StoreOptions): RunStore {
  const { path, environment, now, writer = new LogWriter(path) } = options;
  let view: { readonly reader: LogReader; readonly states: LoggedStates } | null = null;
  const opened = () => {
    if (view !== null) return view;
    const reader = new LogReader(path);
    view = { reader, states: new LoggedStates({ reader, run, environment }) };
    return view;
  };
  return {
    sink: writer,
    lease: ({ kind, ...event }) => writer.lease({ ...event, event: kind, runId: run.runId, at: now() }),
    snapshot: () => {
      const { reader, states } = opened();
      const step = reader.runs().find(({ runId }) => runId === run.runId)?.steps ?? 0;
      const tick = step === 0 ? 0 : (reader.step(run.runId, step)?.turn ?? 0);
      return { step, tick, scene: environment.scene(states.at(step).state, null) };
    },
    close: () => {
      view?.reader.close();
      writer.close();
    },
  };
}

/**
 * What `report` and `verify` read of each run of a log, as plain data, so that worker processes
 * (`log-workers.ts`) can do it too.
 */
import { stageOpener } from '../../assembly/stage.js';
import { setupOf } from '../../report/settings.js';
import type { MeasuredRun } from '../../report/settings.js';
import { knowledgeIn } from '../../report/knowledge.js';
import type { Fact } from '../../report/knowledge.js';
import { askedQuestions } from '../../report/questions.js';
import type { AskedQuestion } from '../../report/questions.js';
import type { DecidedSeat } from '../../report/seat-funnel.js';
import { runFigures } from '../../report/run-metrics.js';
import { verifyRun } from '../../replay/verify.js';
import type { VerifiedRun } from '../../replay/verify.js';
import type { EnvironmentModule } from '../../worlds/environment-module.js';
import { loadOwnParts } from '../options/modules.js';
import type { Io } from '../terminal/io.js';
import type { ListedRun } from './listed-runs.js';
import { meanRegret } from './logged-costs.js';
import { decidedSeats } from './logged-decisions.js';

/** Reads the runs of one log, one after the other. */
export type LogReading<T> = (address: string) => (run: ListedRun) => T | Promise<T>;

/** The chosen reading and its options, as sent to a worker process. */
export type ReadingSpec = RunSpec | { kind: 'verify'; modules: readonly string[] | undefined };

interface RunSpec {
  /** What is read of each run beside its figures. */
  kind: 'figures' | 'questions' | 'funnel' | 'knowledge';
  forks: boolean;
  /** With the maximum effort of a search, and of steps to play on from; null for no search. */
  search: { effort: number; rollouts: number; modules: readonly string[] | undefined } | null;
}

/** Lists are empty unless they were chosen. */
export interface LoggedRun extends MeasuredRun {
  questions: readonly AskedQuestion[];
  seats: readonly DecidedSeat[];
  facts: readonly Fact[];
}

/** Null for a fork that is not counted. */
export type ReadValue<Spec extends ReadingSpec> = Spec extends RunSpec ? LoggedRun | null : VerifiedRun;

/** Throws UsageError if a module can't be loaded. */
export async function readingOf<Spec extends ReadingSpec>(
  spec: Spec,
  io: Io,
  modules: readonly EnvironmentModule[],
): Promise<LogReading<ReadValue<Spec>>> {
  const one: ReadingSpec = spec;
  const reading = one.kind === 'verify' ? verifyReading(one, io, modules) : runReading(one, io, modules);
  return (await reading) as LogReading<ReadValue<Spec>>;
}

async function runReading(
  { kind, forks, search }: RunSpec,
  io: Io,
  modules: readonly EnvironmentModule[],
): Promise<LogReading<LoggedRun | null>> {
  const opened = search && {
    ...search,
    open: stageOpener(await loadOwnParts(search.modules, io, modules)),
  };
  return (address) =>
    ({ reader, run: { runId, parent } }) => {
      // A fork was altered by its user, and the steps that it shares with its parent would count twice.
      if (parent !== null && !forks) return null;
      const run = reader.run(runId);
      const regret = kind === 'figures' && opened !== null ? meanRegret(reader, runId, opened) : null;
      return {
        figures: { ...runFigures(reader, run, address), regret },
        setup: setupOf(run),
        questions: kind === 'questions' ? askedQuestions(reader.probes(runId)) : [],
        seats: kind === 'funnel' ? decidedSeats(reader, run, opened) : [],
        facts: kind === 'knowledge' ? knowledgeIn(reader, runId) : [],
      };
    };
}

async function verifyReading(
  { modules: modulePaths }: { modules: readonly string[] | undefined },
  io: Io,
  modules: readonly EnvironmentModule[],
): Promise<LogReading<VerifiedRun>> {
  const open = stageOpener(await loadOwnParts(modulePaths, io, modules));
  return () => {
    // Within this file, a fork's shared steps belong to its parent.
    const verified = new Set<string>();
    return async ({ reader, run }) => {
      const result = await verifyRun(reader, run.runId, open, { verified });
      if (result.difference === null) verified.add(run.runId);
      return result;
    };
  };
}

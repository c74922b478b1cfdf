/**
 * What `report` and `verify` read of each run of a log, as plain data, so that worker processes
 * (`log-workers.ts`) can do it too.
 */
import { stageOpener } from '../../assembly/stage.js';
import { setupOf } from '../../report/settings.js';
import type { MeasuredRun } from '../../report/settings.js';
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
export type ReadingSpec =
  | {
      kind: 'figures';
      forks: boolean;
      /** With the maximum effort of a search; null for no search. */
      regret: { effort: number; modules: readonly string[] | undefined } | null;
    }
  | { kind: 'questions'; forks: boolean }
  | {
      kind: 'funnel';
      forks: boolean;
      /** With the maximum effort of a search, and of steps to play on from; null for no search. */
      search: { effort: number; rollouts: number; modules: readonly string[] | undefined } | null;
    }
  | { kind: 'verify'; modules: readonly string[] | undefined };

/** The result of each reading. */
export interface ReadValues {
  /** Null for a fork that is not counted. */
  figures: MeasuredRun | null;
  questions: MeasuredQuestions | null;
  funnel: MeasuredFunnel | null;
  verify: VerifiedRun;
}

/** A run, and the questions that its agents were asked. */
export interface MeasuredQuestions {
  measured: MeasuredRun;
  questions: readonly AskedQuestion[];
}

/** A run, and how far the decisions of its agents came. */
export interface MeasuredFunnel {
  measured: MeasuredRun;
  seats: readonly DecidedSeat[];
}

export type ReadValue<Spec extends ReadingSpec> = ReadValues[Spec['kind']];

/** Throws UsageError if a module can't be loaded. */
export async function readingOf<Spec extends ReadingSpec>(
  spec: Spec,
  io: Io,
  modules: readonly EnvironmentModule[],
): Promise<LogReading<ReadValue<Spec>>> {
  const one: ReadingSpec = spec;
  const reading =
    one.kind === 'figures'
      ? figuresReading(one, io, modules)
      : one.kind === 'questions'
        ? questionsReading(one, io)
        : one.kind === 'funnel'
          ? funnelReading(one, io, modules)
          : verifyReading(one, io, modules);
  return (await reading) as LogReading<ReadValue<Spec>>;
}

async function figuresReading(
  { forks, regret }: Extract<ReadingSpec, { kind: 'figures' }>,
  io: Io,
  modules: readonly EnvironmentModule[],
): Promise<LogReading<ReadValues['figures']>> {
  const search =
    regret === null
      ? null
      : { effort: regret.effort, open: stageOpener(await loadOwnParts(regret.modules, io, modules)) };
  return (address) =>
    ({ reader, run }) => {
      // A fork was altered by its user, and the steps that it shares with its parent would count twice.
      if (run.parent !== null && !forks) return null;
      const record = reader.run(run.runId);
      const lostTurns = search === null ? null : meanRegret(reader, run.runId, search);
      return {
        figures: { ...runFigures(reader, record, address), regret: lostTurns },
        setup: setupOf(record),
      };
    };
}

async function questionsReading(
  { forks }: { forks: boolean },
  io: Io,
): Promise<LogReading<ReadValues['questions']>> {
  const figures = await figuresReading({ kind: 'figures', forks, regret: null }, io, []);
  return (address) => async (listed) => {
    const measured = await figures(address)(listed);
    if (measured === null) return null;
    const probes = listed.reader.probes(listed.run.runId);
    const questions = probes.flatMap(({ kind, options, expected, answer, verdict, picture }) =>
      picture === 'grey' ? [] : [{ kind, options, expected, answer, verdict }],
    );
    return { measured, questions };
  };
}

async function funnelReading(
  { forks, search }: Extract<ReadingSpec, { kind: 'funnel' }>,
  io: Io,
  modules: readonly EnvironmentModule[],
): Promise<LogReading<ReadValues['funnel']>> {
  const figures = await figuresReading({ kind: 'figures', forks, regret: null }, io, []);
  const searched =
    search === null
      ? null
      : { ...search, open: stageOpener(await loadOwnParts(search.modules, io, modules)) };
  return (address) => async (listed) => {
    const measured = await figures(address)(listed);
    if (measured === null) return null;
    const { reader, run } = listed;
    return { measured, seats: decidedSeats(reader, reader.run(run.runId), searched) };
  };
}

async function verifyReading(
  { modules: modulePaths }: { modules: readonly string[] | undefined },
  io: Io,
  modules: readonly EnvironmentModule[],
): Promise<LogReading<ReadValues['verify']>> {
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

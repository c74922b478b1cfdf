/**
 * `branch <log>`: requests other answers at the costly steps of a logged run, and plays each to its end as a
 * fork in the same file, so that `export --format preference` finds pairs. If the cost of a step is only an
 * estimate, each answer is played several times, because one outcome says little.
 */
import { existsSync } from 'node:fs';
import { stageOpener } from '../../assembly/stage.js';
import { withLogReader } from '../../assembly/claimed-run.js';
import type { EnvironmentModule } from '../../worlds/environment-module.js';
import { counted } from '../../base/counted.js';
import { UsageError } from '../../base/errors.js';
import type { ExitCode } from '../../base/errors.js';
import { LIMITS } from '../../base/limits.js';
import { DEFAULT_SETTINGS } from '../../export/export.js';
import type { LogReader } from '../../log/reader.js';
import { samplingSeed } from '../../orchestrator/request.js';
import type { Scenario } from '../../scenario/scenario.js';
import { command } from '../options/command-line.js';
import { oneOfOr, whole } from '../options/option.js';
import type { Chosen } from '../options/option.js';
import { AS_JSON, LOG } from '../options/shared-options.js';
import { forkPlan } from '../play/fork-plan.js';
import { continueRun } from '../play/resume-run.js';
import type { Io } from '../terminal/io.js';
import { costsOfLogged } from '../logs/logged-costs.js';
import { forksWithNewAnswer, forksOf, branchPoints, missingRollouts } from '../logs/branch-points.js';
import type { BranchPoint } from '../logs/branch-points.js';
import { loadOwnParts, MODULES } from '../options/modules.js';
import { fromCwd } from '../options/paths.js';
import { playerOptions, PLAYERS } from '../options/player-options.js';
import { REGRET_EFFORT } from '../logs/logged-costs.js';
import { CHANGES, OUTSIDE } from '../options/run-options.js';
import { silentOutput } from '../terminal/text-output.js';
import { shellWord } from '../../base/shell-words.js';
import { chooseRun, splitAddress } from '../logs/run-address.js';
import { jsonText } from '../terminal/style.js';

/** Maximum number of different answers to request at each step. */
const ALTERNATIVES = 3;

/** Maximum number of steps to branch at. */
const STEPS = 10;

/** A step has few attempts, so the seed of a branch never equals one of theirs. */
const FIRST_BRANCH = 1_000_000;

const OPTIONS = {
  ...PLAYERS,
  ...OUTSIDE,
  ...CHANGES,
  ...MODULES,
  alternatives: count(`Number of other answers at each step [${ALTERNATIVES}]`),
  at: oneOfOr(
    'costly',
    ['costly', 'best'],
    'Steps to branch: those that lost turns, or those whose answer was the best one',
  ),
  steps: count(`Maximum number of steps per run, costliest first [${STEPS}]`),
  rollouts: count(
    `Number of runs with each answer, if the cost of the step is an estimate [${DEFAULT_SETTINGS.rollouts}]`,
  ),
  effort: whole(
    `Maximum number of moves that a search tries to find the cost of a step [${REGRET_EFFORT}]`,
    1,
    1_000_000_000,
  ),
  ...AS_JSON,
};

function count(describe: string) {
  return whole(describe, 1, LIMITS.batchRuns);
}

interface BranchContext {
  options: ReturnType<typeof branchOptions>;
  io: Io;
  modules: readonly EnvironmentModule[];
  path: string;
}

function branchOptions(options: Chosen<typeof LOG & typeof OPTIONS>) {
  const { at: branched, ...others } = options;
  return {
    ...others,
    ...playerOptions(options),
    maxTurns: options['max-turns'],
    set: options.set ?? [],
    branched,
    alternatives: options.alternatives ?? ALTERNATIVES,
    steps: options.steps ?? STEPS,
    rollouts: options.rollouts ?? DEFAULT_SETTINGS.rollouts,
    effort: options.effort ?? REGRET_EFFORT,
    frames: undefined,
    memories: undefined,
    quiet: true,
  };
}

export function branchCommand(modules: readonly EnvironmentModule[]) {
  return command({
    examples: [
      ['$0 branch run.sqlite', 'three other answers at each of the ten costliest steps'],
      ['$0 branch run.sqlite --alternatives 8 --steps 50', 'more answers at more steps'],
      ['$0 export run.sqlite --format preference --out pairs', 'the results as preference pairs'],
    ],
    arguments: LOG,
    options: OPTIONS,
    run: async (typedOptions, io) => {
      const options = branchOptions(typedOptions);
      const { path, runId } = splitAddress(options.log, (name) => existsSync(fromCwd(io, name)));
      const context = { options, io, modules, path };
      const open = stageOpener(await loadOwnParts(options.modules, io, modules));
      // Only models answer differently when asked again; other controllers count if a model replaces them.
      const isReplaced = (options.model ?? options.baseUrl) !== undefined || options.controller === 'model';
      const points = withLogReader(fromCwd(io, path), (reader) => {
        const runs = reader.runs();
        // The named run; otherwise each run of the file that is not a fork.
        const chosen =
          runId === null ? runs.filter(({ parent }) => parent === null) : [chooseRun(runs, runId, path)];
        return chosen.flatMap((summary) => {
          const run = reader.run(summary.runId);
          requireSequentialTurns(run.scenario);
          return branchPoints(reader, run, {
            costs: costsOfLogged(reader, run.runId, { open, effort: options.effort }),
            isAnsweredByModel: (controller) => isReplaced || controller.startsWith('model:'),
            at: options.branched,
          }).slice(0, options.steps);
        });
      });
      const document: object[] = [];
      const reportFork = (fork: Fork): void => {
        document.push(fork);
        if (!options.json)
          io.out.write(`      ${fork.run}  ${fork.status} in ${counted(fork.turns, 'turn')}\n`);
      };
      for (const point of points) {
        if (!options.json) io.out.write(`${pointText(point)}\n`);
        const code = await branchAt(context, point, reportFork);
        if (code !== 0) return code;
      }
      if (options.json) io.out.write(`${jsonText({ log: path, steps: points.length, forks: document })}\n`);
      else if (points.length === 0)
        io.out.write(`${NOTHING_TO_BRANCH[options.branched]}, so there is nothing to branch\n`);
      else io.out.write(`\nnext  ${io.program} export ${shellWord(path)} --format preference --out pairs\n`);
      return 0;
    },
  });
}

const NOTHING_TO_BRANCH = {
  costly: 'no step by a model delayed success',
  best: 'no step by a model is known to be the best one',
} as const;

function pointText({ turn, step, agent, regret, kind }: BranchPoint): string {
  if (kind === 'fatal') return `T${turn}  step ${step}  ${agent}: winning became impossible`;
  const certainty = kind === 'estimate' ? ' (estimate)' : '';
  if (regret === 0) return `T${turn}  step ${step}  ${agent}: no turn lost`;
  return `T${turn}  step ${step}  ${agent}: ${counted(regret ?? 0, 'turn')} lost${certainty}`;
}

/** Throws UsageError if all agents act at once, because then one agent's answer can't be replaced alone. */
function requireSequentialTurns({ turns, agents, name }: Scenario): void {
  if (turns.order === 'sequential' || agents.length < 2) return;
  throw new UsageError(`in ${name} all agents act at once, so their steps can't be branched one by one`, [
    'fork a single step instead: orchestrate fork --at N --agent NAME --reply "…"',
  ]);
}

interface Fork {
  run: string;
  parent: string;
  step: number;
  agent: string;
  status: string;
  turns: number;
}

/**
 * Plays other answers first; then, if the cost is an estimate, each answer as often as `rollouts` requires.
 */
async function branchAt(
  context: BranchContext,
  point: BranchPoint,
  reportFork: (fork: Fork) => void,
): Promise<ExitCode> {
  const { options } = context;
  const readLog = <T>(read: (reader: LogReader) => T): T =>
    withLogReader(fromCwd(context.io, context.path), read);
  const missingForks = options.alternatives - readLog((reader) => forksWithNewAnswer(reader, point).length);
  const play = async (reply: string | null): Promise<ExitCode> => {
    const code = await playFork(context, point, {
      reply,
      number: readLog((reader) => forksOf(reader, point.run.runId, point.step).length),
    });
    if (code === 0 || code === 1) reportFork(readLog((reader) => newestFork(reader, point)));
    return code === 1 ? 0 : code;
  };
  for (let i = 0; i < missingForks; i++) {
    const code = await play(null);
    if (code !== 0) return code;
  }
  if (point.kind !== 'estimate') return 0;
  for (const { reply, missing: times } of readLog((reader) =>
    missingRollouts(reader, point, options.rollouts),
  )) {
    for (let i = 0; i < times; i++) {
      const code = await play(reply);
      if (code !== 0) return code;
    }
  }
  return 0;
}

function newestFork(reader: LogReader, { run, step, agent }: BranchPoint): Fork {
  const newest = reader.runs().findLast(({ parent }) => parent?.runId === run.runId && parent.step === step);
  const end = newest === undefined ? null : reader.ending(newest.runId);
  return {
    run: newest?.runId ?? '',
    parent: run.runId,
    step,
    agent,
    status: end?.status ?? 'running',
    turns: end?.turns ?? 0,
  };
}

/**
 * Plays one fork, silently. Its models get a seed of their own, because with the run's seed they would give
 * the same answer again.
 */
function playFork(
  { options, io, modules, path }: BranchContext,
  { run, step, agent }: BranchPoint,
  { reply, number }: { reply: string | null; number: number },
): Promise<ExitCode> {
  const seed = samplingSeed(run.seed, { agent, step, attempt: FIRST_BRANCH + number });
  const changed = {
    at: step,
    reply: undefined,
    agent: undefined,
    say: undefined,
    log: `${path}#${run.runId}`,
  };
  const context = {
    options: { ...options, ...changed, json: false },
    io: { ...io, out: silentOutput() },
    modules,
  };
  const plan = forkPlan(context, () => (reply === null ? {} : { [agent]: reply }));
  return continueRun(context, (reader) => chooseRun(reader.runs(), run.runId, path), {
    ...plan,
    scenario: (openedLog) => {
      const scenario = plan.scenario(openedLog);
      const models = Object.entries(scenario.models).map(
        ([name, spec]) => [name, { ...spec, seed }] as const,
      );
      return { ...scenario, models: Object.fromEntries(models) };
    },
  });
}

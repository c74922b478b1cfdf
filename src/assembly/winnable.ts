/**
 * Whether an opened scenario can be won: by a search over its rules, or by a list of replies that is played
 * like a run.
 */
import { lookUp } from '../base/look-up.js';
import { meantOf } from '../base/nearest.js';
import type { Protocol } from '../parse/protocol.js';
import { protocolOf } from '../parse/protocols.js';
import { waitText } from './seats.js';
import { repliesController } from '../agent/controllers/replies.js';
import { known } from '../base/assert.js';
import { UsageError } from '../base/errors.js';
import type { Environment } from '../environment/environment.js';
import type { RunEnd } from '../trajectory/records.js';
import type { RunWatcher } from '../orchestrator/run-context.js';
import { solveKnowing } from '../solve/knowing.js';
import { solve } from '../solve/solve.js';
import type { Solution, SolveOptions } from '../solve/solve.js';
import { commandText } from '../forms/command-text.js';
import type { OpenedScenario } from './open.js';
import { play } from './play.js';
import { searchRules } from './search-rules.js';

/** One action of a solution. */
export interface WinningMove {
  turn: number;
  agent: string;
  /** As a command: `GO TO oak door`. */
  command: string;
}

/** The result of the search. */
export interface Winnable extends Omit<Solution, 'plan'> {
  /** The actions in order; null unless winnable. */
  moves: readonly WinningMove[] | null;
  /**
   * The number of worlds that look alike until something is read, heard or tried, this one included. A
   * solution must win in all of them.
   */
  worlds: number;
  /**
   * If there is no such solution: the turn in which a lucky guess wins in this world; null if none does or
   * none was found.
   */
  luckTurn: number | null;
}

/** The verbs under their original names. Throws UsageError if there is no such action. */
export function actionNames({ actions }: Environment<unknown>, verbs: readonly string[]): readonly string[] {
  return verbs.map((verb) => {
    const action = actions.get(verb);
    if (action !== undefined) return action.name;
    const names = actions.list().map(({ name }) => name);
    throw new UsageError(`there is no action "${verb}" to leave out`, [
      meantOf(verb, names, 'the actions are'),
    ]);
  });
}

/**
 * Whether and how a scenario can be won, with each agent using only what it may know. `effort` is the maximum
 * number of steps to try; `withdrawn` names actions that no agent may use. Null if there is no success
 * condition. Throws UsageError if a withdrawn action doesn't exist.
 */
export function winnable(
  { scenario, environment }: OpenedScenario,
  { effort, withdrawn }: { effort: number; withdrawn: readonly string[] },
): Winnable | null {
  if (!environment.hasGoal) return null;
  const actions = actionNames(environment, withdrawn);
  const options = { ...searchRules(scenario, environment), effort, withdrawn: actions };
  const { plan, ...result } = search(environment, scenario.seed, options);
  const moves = plan?.map(({ turn, intent: { agent, action, args } }) => ({
    turn,
    agent,
    command: commandText(known(environment.actions.get(action), action), args),
  }));
  return { ...result, moves: moves ?? null };
}

/** The result if nothing had to be searched: even the start is hopeless. */
const UNATTAINABLE = {
  verdict: 'impossible',
  plan: null,
  steps: null,
  turn: null,
  isFewest: false,
  states: 1,
  tried: 0,
  worlds: 1,
  luckTurn: null,
} as const;

/** First with the agents' knowledge if worlds look alike; then whether a lucky guess would win. */
function search(
  environment: Environment<unknown>,
  seed: string,
  options: SolveOptions,
): Solution & Pick<Winnable, 'worlds' | 'luckTurn'> {
  if (environment.search?.isUnattainable?.(environment.create(seed)) === true) return UNATTAINABLE;
  const indistinguishable = environment.search?.indistinguishableWorlds?.() ?? [];
  const solveThisWorld = (): Solution =>
    solve(environment, { state: environment.create(seed), turn: 1 }, options);
  if (indistinguishable.length === 0) return { ...solveThisWorld(), worlds: 1, luckTurn: null };
  const solution = solveKnowing(environment, indistinguishable, { ...options, seed });
  const luckTurn = solution.verdict === 'winnable' ? null : solveThisWorld().turn;
  return { ...solution, worlds: indistinguishable.length + 1, luckTurn };
}

/**
 * Plays a scenario in memory: each agent gives its replies in order, in its own protocol or a given one, and
 * waits when they are used up; `watcher` sees each step. Throws UsageError for replies of an unknown agent,
 * and otherwise like `prepare`.
 */
export async function playReplies(
  opened: OpenedScenario,
  replies: Readonly<Record<string, readonly string[]>>,
  protocols: Readonly<Record<string, Protocol>> = {},
  watcher: RunWatcher = {},
): Promise<RunEnd> {
  const ids = opened.scenario.agents.map(({ id }) => id);
  const unknownId = Object.keys(replies).find((id) => !ids.includes(id));
  if (unknownId !== undefined) {
    throw new UsageError(`there are replies for "${unknownId}", which is not an agent`, [
      `the agents are: ${ids.join(', ')}`,
    ]);
  }
  const controllers = opened.scenario.agents.map(({ id, protocol }) => [
    id,
    repliesController({
      replies: lookUp(replies, id) ?? [],
      // oxlint-disable-next-line unicorn/no-thenable -- a word of the scenario, never awaited
      then: 'wait',
      wait: waitText(lookUp(protocols, id) ?? protocolOf(protocol)),
    }),
  ]);
  return play(opened, { controllers: Object.fromEntries(controllers), protocols, watcher });
}

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
import { WAIT } from '../environment/action.js';
import type { Environment } from '../environment/environment.js';
import { alikeWorlds } from './alike-worlds.js';
import type { RunEnd } from '../trajectory/records.js';
import type { RunWatcher } from '../orchestrator/run-context.js';
import { solveKnowing } from '../solve/knowing.js';
import { solve } from '../solve/solve.js';
import type { Solution, SolveOptions } from '../solve/solve.js';
import { commandText } from '../forms/command-text.js';
import type { OpenedScenario } from './opened-scenario.js';
import { play } from './play.js';
import { turnRulesOf } from '../orchestrator/turn-rules.js';

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
  /** The number of further such worlds in which nothing was tried; infinite if there are too many to list. */
  untried: number;
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

type Searched = Pick<OpenedScenario, 'scenario' | 'environment' | 'module' | 'loaded'>;

/**
 * Whether and how a scenario can be won, with each agent using only what it may know: what it perceives, and
 * what it is told at the beginning. `effort` is the maximum number of steps to try; `withdrawn` names actions
 * that no agent may use; `seat` is the only agent that does anything. Null if there is no success condition.
 * Throws UsageError if a withdrawn action or the seat doesn't exist.
 */
export function winnable(
  opened: Searched,
  { effort, withdrawn, seat }: { effort: number; withdrawn: readonly string[]; seat?: string | undefined },
): Winnable | null {
  const { scenario, environment } = opened;
  if (!environment.hasGoal) return null;
  const actions = actionNames(environment, withdrawn);
  const alike = alikeWorlds(opened);
  const world = new Map(alike.worldAgents);
  if (seat !== undefined) {
    const ids = scenario.agents.map(({ id }) => id);
    if (!ids.includes(seat))
      throw new UsageError(`there is no agent "${seat}"`, [meantOf(seat, ids, 'the agents are')]);
    for (const id of ids) {
      const intent = { agent: id, action: WAIT, args: {} };
      if (id !== seat && !world.has(id)) world.set(id, (_world, _state, { memory }) => ({ intent, memory }));
    }
  }
  const options = { ...turnRulesOf(scenario, []), world, effort, withdrawn: actions };
  const { plan, ...result } = search(scenario.seed, alike, options);
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
  untried: 0,
  luckTurn: null,
} as const;

/** First with the agents' knowledge if worlds look alike; then whether a lucky guess would win. */
function search(
  seed: string,
  { worlds, briefings, untried }: ReturnType<typeof alikeWorlds>,
  options: SolveOptions,
): Solution & Pick<Winnable, 'worlds' | 'untried' | 'luckTurn'> {
  const [actual, ...others] = worlds;
  const real = known(actual, 'the actual world');
  if (real.search?.isUnattainable?.(real.create(seed)) === true) return UNATTAINABLE;
  const solveThisWorld = (): Solution => solve(real, { state: real.create(seed), turn: 1 }, options);
  const found =
    others.length === 0 ? solveThisWorld() : solveKnowing(real, others, { ...options, briefings, seed });
  const counts = { worlds: worlds.length, untried };
  // What wins in some of the worlds proves nothing about the others.
  const isProven = found.verdict === 'winnable' && untried === 0;
  if (isProven || worlds.length + untried === 1) return { ...found, ...counts, luckTurn: null };
  const verdict = found.verdict === 'winnable' ? 'unknown' : found.verdict;
  const luckTurn = solveThisWorld().turn;
  return { ...found, ...counts, verdict, plan: null, steps: null, turn: null, luckTurn };
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

/**
 * A world played at random, from a seed: it provides the situations that checks examine. Every state is
 * frozen, so a rule that changes one in place throws immediately. Only offered and accepted actions are
 * played.
 */
import { nextBelow, pick, stream } from '../base/rng.js';
import type { RngState } from '../base/rng.js';
import type { Json } from '../base/json.js';
import type { Intent } from '../environment/action.js';
import type { Advance, Environment } from '../environment/environment.js';
import { describeForPeople } from '../environment/own-failure.js';
import type { Observation } from '../environment/observation.js';
import { demand, frozen } from './check.js';
import { replyContextOf, demandSameMeaning, commandForms } from './command-forms.js';

/** The situation of an agent before its action, the action, and its outcome. */
export interface WalkStep {
  state: unknown;
  agent: string;
  observation: Observation;
  intent: Intent;
  advance: Advance<unknown>;
}

/** How a suite plays an environment. */
export interface WalkOptions {
  /** Opens a new world. Two worlds may share only data that never changes. */
  open: () => Environment<unknown>;
  /** The seeds to play; by default '1', '2' and '3'. */
  seeds?: readonly string[];
  /** The number of turns played with each seed; by default 8. */
  turns?: number;
  /** The outputs for actions that need effect handlers; by default null. */
  outside?: (intent: Intent) => Json;
}

export interface EnvironmentWalk {
  environment: Environment<unknown>;
  seed: string;
  start: unknown;
  moments: readonly WalkStep[];
  /** States after the world's own part of each turn, each with the state before. */
  turnEnds: readonly { before: unknown; after: unknown }[];
}

const TURNS = 8;

/** One walk for each seed. */
export function walksOf(options: WalkOptions): readonly EnvironmentWalk[] {
  return (options.seeds ?? ['1', '2', '3']).map((seed) => walk(options, seed));
}

function walk(options: WalkOptions, seed: string): EnvironmentWalk {
  const environment = options.open();
  const start = frozen(environment.create(seed));
  let state = start;
  let rng = stream(seed, 'conformance');
  const moments: WalkStep[] = [];
  const turnEnds: { before: unknown; after: unknown }[] = [];
  for (let turn = 0; turn < (options.turns ?? TURNS); turn += 1) {
    for (const agent of environment.active(state)) {
      const acted = act({ environment, state, agent, rng, outside: options.outside });
      ({ state, rng } = acted);
      moments.push(...acted.moments);
    }
    if (environment.outcome(state).status !== 'running') break;
    const before = state;
    state = frozen(environment.endTurn(before).state);
    turnEnds.push({ before, after: state });
  }
  demand(moments.length > 0, `no agent acts in the world of seed ${seed}`);
  return { environment, seed, start, moments, turnEnds };
}

interface WalkingAgent {
  environment: Environment<unknown>;
  state: unknown;
  agent: string;
  rng: RngState;
  outside: WalkOptions['outside'];
}

/** Plays one agent's part in a turn: one action, or a free one followed by one that uses up the turn. */
function act(acting: WalkingAgent): {
  state: unknown;
  rng: RngState;
  moments: readonly WalkStep[];
} {
  const first = actOnce(acting, () => true);
  const wasFree = acting.environment.actions.get(first.moment.intent.action)?.cost === 'free';
  const state = frozen(first.moment.advance.state);
  if (!wasFree) return { state, rng: first.rng, moments: [first.moment] };
  const second = actOnce({ ...acting, state, rng: first.rng }, (cost) => cost === 'turn');
  return {
    state: frozen(second.moment.advance.state),
    rng: second.rng,
    moments: [first.moment, second.moment],
  };
}

function actOnce(
  { environment, state, agent, rng, outside }: WalkingAgent,
  mayCost: (cost: 'turn' | 'free') => boolean,
): { moment: WalkStep; rng: RngState } {
  const observation = frozen(environment.observe(state, agent));
  const accepted = acceptedIn(environment, state, observation).filter(({ action }) =>
    mayCost(environment.actions.get(action)?.cost ?? 'turn'),
  );
  demand(accepted.length > 0, `${agent} has no legal action, not even WAIT`);
  // Chooses the action first, so that one with many arguments is not played all the time.
  const action = pick(rng, [...new Set(accepted.map((one) => one.action))]);
  const candidates = accepted.filter((one) => one.action === action.value);
  const draw = nextBelow(action.state, candidates.length);
  const chosen = candidates[draw.value];
  demand(chosen !== undefined, 'an action to take');
  const hasOutsideEffect = environment.actions.get(chosen.action)?.outside !== undefined;
  const intent = frozen(hasOutsideEffect ? { ...chosen, outside: outside?.(chosen) ?? null } : chosen);
  const advance = environment.advance(state, [intent]);
  demandNoException(intent, advance);
  return { moment: { state, agent, observation, intent, advance }, rng: draw.state };
}

/** Throws if an action threw an exception. */
export function demandNoException({ action }: Intent, { results }: Advance<unknown>): void {
  const [result] = results;
  if (result?.ok === false && result.problem.code === 'action-failed')
    demand(false, `${action} threw ${describeForPeople(result.problem)}`);
}

/** The intents that an observation offers and the rules accept. */
export function acceptedIn(
  environment: Environment<unknown>,
  state: unknown,
  observation: Observation,
): readonly Intent[] {
  const context = replyContextOf(environment, observation);
  return observation.offered.flatMap((offer) => {
    const action = environment.actions.get(offer.action);
    demand(action !== undefined, `${offer.action} is offered but is not an action of the environment`);
    return commandForms(action, offer)
      .map(({ line }) => demandSameMeaning(line, context))
      .filter((intent) => environment.check(state, intent) === undefined);
  });
}

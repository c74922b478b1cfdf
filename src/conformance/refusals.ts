/**
 * Actions that the rules refuse: each is tried with every possible name, offered or not, and its refusal is
 * checked.
 */
import type { Args, Intent } from '../environment/action.js';
import type { Problem } from '../base/problem.js';
import { describeForPeople } from '../environment/own-failure.js';
import type { Environment } from '../environment/environment.js';
import type { Observation } from '../environment/observation.js';
import { CARDINALS } from '../environment/space.js';
import { layOut } from '../forms/layouts.js';
import type { GrammarLeaf } from '../forms/layouts.js';
import { demand, demandSame } from './check.js';

const ARGUMENT_SETS_MAX = 60;

export interface RefusedIntent {
  intent: Intent;
  problem: Problem;
}

/** The refusals that an agent would get now. */
export function refusalsOf(
  environment: Environment<unknown>,
  state: unknown,
  observation: Observation,
): readonly RefusedIntent[] {
  return environment.actions.list().flatMap((action) => {
    const layouts = action.grammar === null ? [[]] : layOut(action.grammar);
    const argumentSets = layouts
      .flatMap((leaves) => possibleArguments(leaves, observation))
      .slice(0, ARGUMENT_SETS_MAX);
    return argumentSets.flatMap((args) => {
      const intent = { agent: observation.agent, action: action.name, args };
      const problem = environment.check(state, intent);
      return problem === undefined ? [] : [{ intent, problem }];
    });
  });
}

function possibleArguments(leaves: readonly GrammarLeaf[], { nouns }: Observation): readonly Args[] {
  return leaves.reduce<readonly Args[]>(
    (argumentSets, leaf) => {
      const { slot } = leaf;
      if (slot === undefined) return argumentSets;
      const values = valuesOf(leaf, nouns);
      return argumentSets
        .flatMap((args) => values.map((value) => ({ ...args, [slot]: value })))
        .slice(0, ARGUMENT_SETS_MAX);
    },
    [{}],
  );
}

function valuesOf(leaf: GrammarLeaf, nouns: Observation['nouns']): readonly (string | number)[] {
  switch (leaf.kind) {
    case 'word':
      return [leaf.word];
    case 'direction':
      return CARDINALS;
    case 'text':
      return ['a'];
    case 'integer':
      return integersOf(leaf);
    case 'name':
      return nouns.filter(({ kinds }) => kinds.some((kind) => leaf.of.includes(kind))).map(({ id }) => id);
  }
}

/** All values of a short range, to find any that is treated differently; both ends of a long one. */
function integersOf({ min, max }: { min: number; max: number }): readonly number[] {
  if (max - min >= INTEGERS_MAX) return [min, min + 1, max - 1, max];
  return Array.from({ length: max - min + 1 }, (_, i) => min + i);
}

const INTEGERS_MAX = 32;

const CODE =
  /^(?:truncated|empty|unparsable|ambiguous|unknown-action|not-offered|bad-argument|repeating|late|over-budget|controller-failed|illegal\/[a-z][a-z0-9-]*)$/;

/** Throws if a refusal is not a sentence for the agent, or has a code that can't be counted. */
export function demandMessage({ intent, problem }: RefusedIntent): void {
  demand(problem.code !== 'action-failed', `${intent.action} threw ${describeForPeople(problem)}`);
  const explanation = `${intent.action} was refused with ${JSON.stringify(problem.message)}`;
  demand(/^\P{Ll}.*[.!?]$/su.test(problem.message), `${explanation}, which is not a sentence`);
  demand(
    !/\bundefined\b|\bnull\b|\bNaN\b|\[object/.test(problem.message),
    `${explanation}, which contains a program's error text`,
  );
  demand(
    CODE.test(problem.code),
    `${intent.action} was refused with the code "${problem.code}"; a world's own codes begin with illegal/`,
  );
}

/**
 * Throws if performing a refused action is not refused in the same way, or has an effect beyond the message
 * to the actor.
 */
export function demandNoEffect(
  environment: Environment<unknown>,
  state: unknown,
  { intent, problem }: RefusedIntent,
): void {
  const { agent, action } = intent;
  const after = environment.advance(state, [intent]);
  const [result] = after.results;
  demand(
    result?.ok === false,
    `${action} was carried out although check refuses it: ${JSON.stringify(intent.args)}`,
  );
  demandSame(
    result.problem.code,
    problem.code,
    `${action} is refused by check and by advance for different reasons`,
  );
  const observableWorld = (of: unknown): unknown => ({
    outcome: environment.outcome(of),
    active: environment.active(of),
    others: environment.agents
      .filter((other) => other !== agent)
      .map((other) => environment.observe(of, other)),
    nouns: environment.observe(of, agent).nouns,
    offered: environment.legalActions(of, agent),
    scene: environment.scene(of, null),
  });
  demandSame(observableWorld(after.state), observableWorld(state), `a refused ${action} changed the world`);
}

/**
 * An action: the one definition of a verb. Prompt help, parser, JSON Schema, native tool, guided pattern and
 * docs page are derived from it. `check` and `apply` are pure; refusals come first, in words that use only
 * what the actor perceives.
 */
import type { Json } from '../base/json.js';
import { lookUp } from '../base/look-up.js';
import type { Problem } from '../base/problem.js';
import { compareText } from '../base/ids.js';
import { assert } from '../base/assert.js';
import { UsageError } from '../base/errors.js';
import type { Grammar } from './grammar.js';
import type { Point } from './space.js';

/** Arguments by slot. A name slot holds the id of the noun that it was bound to. */
export type Args = Readonly<Record<string, string | number>>;

/** The arguments with one more. A spread would take many times as long (docs/explanation/performance.md). */
export function withArg(args: Args, slot: string, value: string | number): Args {
  const filled: Record<string, string | number> = {};
  for (const name of Object.keys(args)) filled[name] = lookUp(args, name) ?? '';
  filled[slot] = value;
  return filled;
}

/** The action that an agent requests. */
export interface Intent {
  agent: string;
  action: string;
  args: Args;
  /**
   * The output of the action's effect handler, stored before it was passed in; absent if the action has none.
   */
  outside?: Json;
}

/**
 * Something that happened. `seenBy` lists the agents that could perceive it, sorted; a viewer sees all
 * events.
 */
export interface Event {
  /** A noun followed by a verb in the past tense: `door-opened`; or only the verb: `moved`. */
  kind: string;
  /** Agent, NPC, or null for the world itself. */
  actor: string | null;
  at: Point | null;
  data: Readonly<Record<string, Json>>;
  seenBy: readonly string[];
}

/** The outcome of an action. */
export interface ActionOutcome<S> {
  state: S;
  /** One sentence for the actor: what the action did. */
  message: string;
  events: readonly Event[];
  /** The tiles walked, start and end included, for playback. */
  path?: readonly Point[];
  /** The result if what was tried failed. If a custom action threw an error, the state is unchanged. */
  failure?: Problem;
}

/** An effect outside the program, which the orchestrator performs through the effect handler of that name. */
export interface OutsideEffect {
  handler: string;
}

/**
 * An action in the form that environments use; `defineAction` makes one. `check` and `apply` are pure: the
 * same state and arguments give the same result, and neither changes its input.
 */
export interface Action<S> {
  /** Upper-case verb, as shown to models. */
  name: string;
  aliases: readonly string[];
  /** One or two sentences for the model. */
  description: string;
  /** The grammar of the arguments; null if there are none. */
  grammar: Grammar | null;
  /** Example arguments as spoken, without the verb, for help and docs; '' if there are no arguments. */
  examples: readonly string[];
  cost: 'turn' | 'free';
  /** True if the action ends the agent's work, as a final answer does. */
  terminal?: boolean;
  outside?: OutsideEffect;
  check(state: S, agent: string, args: Args): Problem | undefined;
  /** Called only if `check` found no problem. */
  apply(state: S, agent: string, args: Args, outside?: Json): ActionOutcome<S>;
}

/** The actions of a world. */
export interface ActionRegistry<S> {
  /** By name or alias, ignoring ASCII case. */
  get(verb: string): Action<S> | undefined;
  /** Sorted by name. */
  list(): readonly Action<S>[];
}

/** The name of the action that every environment has, and that replaces an unusable answer. */
export const WAIT = 'WAIT';

/**
 * The name of the action that replaces the decision for a body that no one controls, in a world that has one;
 * never offered. Other worlds use WAIT.
 */
export const REST = 'REST';

/** The spelling of verbs. */
export const VERB = /^[A-Z][A-Z_]{0,23}$/;

/** Maps an action's name in the rules to its name in prompts and replies. Both are upper-case verbs. */
export type SpokenNames = Readonly<Record<string, string>>;

/** The actions of an environment, including WAIT. Throws UsageError if two have the same name or alias. */
export function actionRegistry<S>(
  actions: readonly Action<S>[],
  standIns: readonly Action<S>[] = [],
): ActionRegistry<S> {
  const byVerb = new Map<string, Action<S>>();
  for (const action of actions) {
    for (const verb of [action.name, ...action.aliases]) {
      assert(VERB.test(verb), `a verb must be an upper-case word: ${verb}`);
      if (byVerb.has(verb)) {
        throw new UsageError(`two actions have the name or alias ${verb}`, [
          'choose another name or alias; every environment already has WAIT with the alias PASS',
        ]);
      }
      byVerb.set(verb, action);
    }
  }
  assert(byVerb.has(WAIT), `an environment needs ${WAIT}`);
  // Found by name but not listed, so no agent is offered one and no reply is parsed as one.
  for (const action of standIns) byVerb.set(action.name, byVerb.get(action.name) ?? action);
  const sorted = [...actions].sort((a, b) => compareText(a.name, b.name));
  return {
    get: (verb) => byVerb.get(verb.replace(/[a-z]/g, (c) => c.toUpperCase())),
    list: () => sorted,
  };
}

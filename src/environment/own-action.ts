/**
 * Actions written for `defineEnvironment` or for an existing world: their specification, and how one becomes
 * a regular action. `defineEnvironment` completes every action of its world here; the grid, which has regular
 * actions, only custom ones.
 */
import type { Json } from '../base/json.js';
import type { Problem } from '../base/problem.js';
import { UsageError } from '../base/errors.js';
import type { Action, ActionOutcome, Event } from './action.js';
import type { ArgsOf, Grammar } from './grammar.js';
import { actionFailure } from './own-failure.js';

/**
 * An action whose common properties may be omitted: by default no aliases, no arguments, costs the turn,
 * never refused, no events.
 */
export interface ActionSpec<S> extends Pick<
  Action<S>,
  'name' | 'description' | 'examples' | 'outside' | 'terminal'
> {
  aliases?: Action<S>['aliases'];
  grammar?: Action<S>['grammar'];
  cost?: Action<S>['cost'];
  check?: Action<S>['check'];
  apply(...input: Parameters<Action<S>['apply']>): SpecOutcome<S>;
}

/** The outcome of an action of a specification: a message, or the failure of what was tried. */
export type SpecOutcome<S> = Omit<ActionOutcome<S>, 'events' | 'failure' | 'message'> & {
  events?: readonly Event[];
  /** Words that others hear; only in a world of `defineEnvironment` whose agents get news. */
  spoken?: SpokenWords;
} & (
    | { message: string }
    /** Why it failed though `check` found no problem; the agent is told, and the state may have changed. */
    | { failure: Problem }
  );

/** Words and who hears them. */
export interface SpokenWords {
  text: string;
  /** The speaker's name. */
  name: string;
  /** Who could hear it, for the hearers: `all in the workshop`. */
  reach: string;
  /** With the distance in tiles. */
  hearers: readonly { id: string; distance: number }[];
}

/** The parts of a custom action: as in `ActionSpec`, with arguments typed by its grammar. */
export interface OwnAction<S, G extends Grammar | null> extends Omit<
  ActionSpec<S>,
  'grammar' | 'check' | 'apply'
> {
  /** The grammar of the arguments; omitted if there are none. */
  grammar?: G;
  /** Why the action would be refused now, in words for the agent; undefined if it would be accepted. */
  check?(state: S, agent: string, args: ArgsOf<G>): Problem | undefined;
  /**
   * Performs the action, after `check` found no problem: returns another state, and a sentence for the agent.
   */
  apply(state: S, agent: string, args: ArgsOf<G>, outside?: Json): ReturnType<ActionSpec<S>['apply']>;
}

/** An action whose outcome may contain words that others hear. */
export interface CompleteAction<S> extends Action<S> {
  apply(...input: Parameters<Action<S>['apply']>): ActionOutcome<S> & { spoken?: SpokenWords };
}

/**
 * The complete action, with defaults filled in. An exception in it becomes a problem and leaves the world
 * unchanged, so the run continues. `validate` throws if the returned state is not valid.
 */
export function completeAction<S>(spec: ActionSpec<S>, validate: (state: S) => void): CompleteAction<S> {
  return {
    aliases: [],
    grammar: null,
    cost: 'turn',
    ...spec,
    check: function checkOwn(...input) {
      try {
        // Plain JavaScript may return null instead of undefined if there is no problem.
        const problem = spec.check?.(...input) ?? undefined;
        return problem === undefined ? undefined : { ...problem, message: problem.message.toWellFormed() };
      } catch (error) {
        return actionFailure(spec.name, error);
      }
    },
    apply: function applyOwn(...input) {
      try {
        const applied = requireResult(spec.name, spec.apply(...input));
        validate(applied.state);
        return { events: [], ...applied };
      } catch (error) {
        const failure = actionFailure(spec.name, error);
        return { state: input[0], message: failure.message, events: [], failure };
      }
    },
  };
}

/** Checks the type of the result, because the action may be plain JavaScript. */
function requireResult<S>(name: string, result: SpecOutcome<S>): SpecOutcome<S> & { message: string } {
  const { state, message, failure } = Object(result) as {
    state?: unknown;
    message?: unknown;
    failure?: Problem;
  };
  const words: unknown = failure === undefined ? message : failure.message;
  if (typeof state === 'object' && state !== null && typeof words === 'string') {
    const told = words.toWellFormed();
    return { ...result, message: told, ...(failure && { failure: { ...failure, message: told } }) };
  }
  throw new UsageError(`${name}: apply did not return { state, message }`, [
    'return the state, changed or unchanged, and one sentence for the agent',
  ]);
}

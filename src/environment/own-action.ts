/**
 * Actions of somebody's own: how they are written down, and how one becomes an action like any other. In: a specification in plain
 * JavaScript, whose mistakes are told where they happen; out: an action from which nothing that is thrown reaches the loop.
 */
import type { Json } from '../base/json.js';
import type { Problem } from '../base/problem.js';
import { UsageError } from '../base/errors.js';
import type { Action, Applied, Event } from './action.js';
import { VERB } from './action.js';
import type { ArgsOf, Grammar } from './grammar.js';
import { sequence, slotsOf } from './grammar.js';
import { brokeOff } from './own-failure.js';

/** An action where what most have alike may be left out: no aliases, no arguments, costs the turn, never refused, no events. */
export interface ActionSpec<S> extends Pick<
  Action<S>,
  'name' | 'description' | 'examples' | 'outside' | 'terminal'
> {
  readonly aliases?: Action<S>['aliases'];
  readonly grammar?: Action<S>['grammar'];
  readonly cost?: Action<S>['cost'];
  readonly check?: Action<S>['check'];
  apply(
    ...input: Parameters<Action<S>['apply']>
  ): Omit<Applied<S>, 'events' | 'failure'> & { readonly events?: readonly Event[] };
}

/** What an action of one's own is made of: as `ActionSpec`, its arguments typed by its grammar. */
export interface OwnAction<S, G extends Grammar | null> extends Omit<
  ActionSpec<S>,
  'grammar' | 'check' | 'apply'
> {
  /** What follows the verb; left out where nothing does. */
  readonly grammar?: G;
  /** Why it would be refused now, in words for the agent; undefined where nothing speaks against it. */
  check?(state: S, agent: string, args: ArgsOf<G>): Problem | undefined;
  /** What it does, once `check` found nothing: another state, and a sentence for the agent. */
  apply(state: S, agent: string, args: ArgsOf<G>, outside?: Json): ReturnType<ActionSpec<S>['apply']>;
}

/**
 * An action of one's own: say what `state` is, and the arguments have the types that the grammar gives. Throws UsageError where its verb
 * or a slot can't be called so.
 */
export function defineAction<S, const G extends Grammar | null = null>(spec: OwnAction<S, G>): ActionSpec<S> {
  if (!VERB.test(spec.name)) {
    throw new UsageError(`"${spec.name}" can't be a verb`, ['write it in capitals: THROW, PICK_UP']);
  }
  const odd = slotsOf(spec.grammar ?? sequence()).find(({ slot }) => !SLOT.test(slot.slot));
  if (odd !== undefined) {
    throw new UsageError(`${spec.name}: "${odd.slot.slot}" can't be a parameter's name`, [
      'write it in small letters: thing, how_far',
    ]);
  }
  // What was bound by a grammar has the types that it says.
  return spec;
}

const SLOT = /^[a-z][a-z0-9_]{0,31}$/;

/**
 * The whole action, what was left out filled in. What it throws stops no run: it becomes a problem, and the world stays as it was. `vet`
 * throws where no world could go on with the state that it made.
 */
export function completed<S>(spec: ActionSpec<S>, vet: (state: S) => void): Action<S> {
  return {
    aliases: [],
    grammar: null,
    cost: 'turn',
    ...spec,
    check: function checkOwn(...input) {
      try {
        return spec.check?.(...input);
      } catch (error) {
        return brokeOff(spec.name, error);
      }
    },
    apply: function applyOwn(...input) {
      try {
        const applied = wholeResult(spec.name, spec.apply(...input));
        vet(applied.state);
        return { events: [], ...applied };
      } catch (error) {
        const failure = brokeOff(spec.name, error);
        return { state: input[0], message: failure.message, events: [], failure };
      }
    },
  };
}

/** What plain JavaScript can get wrong, told where it happens. */
function wholeResult<R extends { readonly message: string }>(name: string, result: R): R {
  const { state, message } = Object(result) as { state?: unknown; message?: unknown };
  if (typeof state === 'object' && state !== null && typeof message === 'string') return result;
  throw new UsageError(`${name}: apply gave back no { state, message }`, [
    'return the state, changed or as it was, and one sentence for the agent',
  ]);
}

/**
 * Binds a command to what the agent perceives: names become ids of nouns that fit their slot. If the words
 * can be divided among the slots in several ways, all of them are tried, and only one may be meaningful. It
 * never guesses: an unknown or ambiguous name is a problem that lists what would be accepted.
 */
import { lookUp } from '../base/look-up.js';
import type { Problem } from '../base/problem.js';
import { problem } from '../base/problem.js';
import { oneLine, quoted } from '../base/text.js';
import type { Action, Args, Intent } from '../environment/action.js';
import type { Slot } from '../environment/grammar.js';
import { slotsOf } from '../environment/grammar.js';
import type { Noun, Observation, OfferedAction } from '../environment/observation.js';
import { sameArgs } from '../parse/arguments.js';
import { shown } from '../parse/command-line.js';
import { contradicts, nearestName, nounsFor } from './nouns.js';
import type { Command } from '../parse/reading.js';

export type Binding =
  { readonly ok: true; readonly intent: Intent } | { readonly ok: false; readonly problem: Problem };

/** `written` is the name that could not be bound. */
type BindingAttempt =
  | Extract<Binding, { ok: true }>
  | { readonly ok: false; readonly problem: Problem; readonly written: string };

export type BindableAction = Pick<Action<never>, 'name' | 'grammar'>;

/**
 * `action` is the registered action that the command names. A possible comment is left out only if the whole
 * text can't be bound.
 */
export function bind(command: Command, action: BindableAction, observation: Observation): Binding {
  const whole = bindWays([command.args, ...(command.alternatives ?? [])], action, observation);
  const { uncommented } = command;
  if (whole.ok || uncommented === undefined || isContradiction(command, observation)) return whole;
  const short = bindWays(uncommented, action, observation);
  return short.ok || short.problem.code === 'ambiguous' ? short : whole;
}

/**
 * A name followed by another thing's id is not a comment that could be left out, because it is unclear which
 * of the two is meant.
 */
function isContradiction({ args }: Command, { nouns }: Observation): boolean {
  return Object.values(args).some((value) => contradicts(String(value), nouns));
}

function bindWays(ways: readonly Args[], action: BindableAction, observation: Observation): Binding {
  if (!observation.scope.includes(action.name)) {
    return { ok: false, problem: notOffered(action.name, observation) };
  }
  // Null: one of the agent's actions, but none that would be accepted now; the world's own check gives the
  // reason.
  const offered = observation.offered.find((entry) => entry.action === action.name) ?? null;
  const around = { action, offered, observation };
  const tries = ways.map((args) => bindArgs(args, around, fittingKinds));
  if (
    ways.some((args) => Object.values(args).some((value) => contradicts(String(value), observation.nouns)))
  ) {
    return clearest(tries.slice(0, 1));
  }
  const bound = tries.filter((one) => one.ok);
  const [first] = bound;
  if (first === undefined) return misfits(tries, ways, around);
  if (bound.some((other) => !sameArgs(other.intent.args, first.intent.args))) {
    const meanings = bound.map((one) => Object.values(one.intent.args).join(' + ')).join(', or ');
    return {
      ok: false,
      problem: problem('ambiguous', `${action.name} could mean ${meanings}. Use ids to say which.`),
    };
  }
  return first;
}

/**
 * A noun that does not fit, if exactly one is meant and the action's own `check` refuses it with a reason;
 * otherwise the reason why the name can't be bound.
 */
function misfits(tries: readonly BindingAttempt[], ways: readonly Args[], around: BindContext): Binding {
  const wider = ways.map((args) => bindArgs(args, around, boundKinds));
  if ([...tries, ...wider].some((one) => !one.ok && one.problem.code === 'ambiguous')) return clearest(tries);
  const bound = wider.filter((one) => one.ok);
  const [first] = bound;
  if (first === undefined) return clearest(wider);
  return bound.every((one) => sameArgs(one.intent.args, first.intent.args)) ? first : clearest(tries);
}

type NameSlot = Extract<Slot, { kind: 'name' }>;

function fittingKinds({ of }: NameSlot): readonly string[] {
  return of;
}

function boundKinds({ of, refused = [] }: NameSlot): readonly string[] {
  return [...of, ...refused];
}

/**
 * The problem to report if no way fits: an ambiguous name is closer to the truth than an unknown one, and the
 * shortest unknown name is the wrong part: `moon` in `moon ON door`.
 */
function clearest(tries: readonly BindingAttempt[]): Binding {
  const failed = tries.filter((one) => !one.ok);
  const ambiguous = failed.find((one) => one.problem.code === 'ambiguous');
  const shortest = Math.min(...failed.map(({ written }) => written.length));
  const told = ambiguous ?? failed.find(({ written }) => written.length === shortest);
  return { ok: false, problem: told?.problem ?? problem('bad-argument', 'Nothing was understood.') };
}

function notOffered(verb: string, observation: Observation): Problem {
  const verbs = observation.offered.map((entry) => entry.action).join(', ');
  return problem('not-offered', `I read ${verb}, which is not one of your actions. You may: ${verbs}.`);
}

function bindArgs(
  args: Args,
  around: BindContext,
  kindsOf: (slot: NameSlot) => readonly string[],
): BindingAttempt {
  const { action, observation } = around;
  const bound: Record<string, string | number> = {};
  for (const { slot } of action.grammar === null ? [] : slotsOf(action.grammar)) {
    const value = lookUp(args, slot.slot);
    if (value === undefined) continue;
    const id = slot.kind === 'name' ? bindName(String(value), slot, around, kindsOf(slot)) : value;
    if (typeof id === 'object') return { ok: false, problem: id, written: String(value) };
    bound[slot.slot] = id;
  }
  return { ok: true, intent: { agent: observation.agent, action: action.name, args: bound } };
}

interface BindContext {
  readonly action: BindableAction;
  readonly offered: OfferedAction | null;
  readonly observation: Observation;
}

/** Nouns that fit the slot come before those that will be refused. */
function bindName(
  written: string,
  slot: NameSlot,
  { action, offered, observation }: BindContext,
  kinds: readonly string[],
): string | Problem {
  const { nouns } = observation;
  const among = (of: readonly string[]) =>
    nouns.filter((noun) => noun.kinds.some((kind) => of.includes(kind)));
  const found =
    [written, withoutMarks(written)]
      .flatMap((name) => [nounsFor(name, among(slot.of)), nounsFor(name, among(kinds))])
      .find((some) => some.length > 0) ?? [];
  const [only] = found;
  if (only !== undefined && found.length === 1) return only.id;
  if (only !== undefined) return severalProblem(written, action.name, found);
  const choices = choicesLine(action.name, slot, offered);
  const [elsewhere] = nounsFor(written, nouns);
  if (elsewhere !== undefined) return misfit(written, slot, action.name, elsewhere, choices);
  const near = nearestName(written, among(slot.of));
  const hint = near === undefined ? '' : ` Did you mean ${oneLine(near)}?`;
  return problem(
    'bad-argument',
    `I read ${action.name} ${shown(written)}, but you perceive nothing of that name.${hint}${choices}`,
  );
}

/** Without markdown's emphasis and escapes, unless they belong to a name. */
function withoutMarks(name: string): string {
  return name
    .replace(/\\(?=[_*`~()[\]#.!-])/g, '')
    .replace(/(?<=^|\s)[*_`]{1,3}|[*_`]{1,3}(?=\s|$)/g, '')
    .trim();
}

/** A known thing of a kind that the slot does not take. */
function misfit(written: string, slot: NameSlot, verb: string, noun: Noun, choices: string): Problem {
  const is = noun.kinds.map((kind) => quoted(kind, 40)).join(' and ');
  const takes = slot.of.map((kind) => quoted(kind, 40)).join(' or ');
  const why = `it is of the kind ${is}, and the ${slot.slot} must be ${takes}.`;
  return problem('bad-argument', `${verb} can't be done with ${shown(written)}: ${why}${choices}`);
}

function severalProblem(written: string, verb: string, found: readonly Noun[]): Problem {
  const choices = found.slice(0, CHOICES_MAX).map((noun) => `${oneLine(noun.name)} (${noun.id})`);
  return problem(
    'ambiguous',
    `I read ${verb} ${shown(written)}, which could be ${choices.join(', ')}. Say which, by full name or id.`,
    { ids: found.map((noun) => noun.id) },
  );
}

const CHOICES_MAX = 12;

/**
 * The names that the slot would accept now; none for an action that is not possible now, or for a slot that
 * takes anything.
 */
function choicesLine(verb: string, slot: Slot, offered: OfferedAction | null): string {
  const listed = lookUp(offered?.slots, slot.slot);
  if (listed === undefined) return '';
  if (listed.length === 0) return ` There is nothing now that ${verb} takes as ${slot.slot}.`;
  const names = listed.slice(0, CHOICES_MAX).map((name) => oneLine(name));
  const more = listed.length > CHOICES_MAX ? ', …' : '';
  return ` As ${slot.slot}, ${verb} takes now: ${names.join(', ')}${more}.`;
}

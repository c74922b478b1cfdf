/**
 * Binds a command to what the agent perceives: names become ids of nouns that fit their slot. If the words
 * can be divided among the slots in several ways, all of them are tried, and only one may be meaningful. It
 * never guesses: an unknown name is a problem that lists what would be accepted, and so is an ambiguous one,
 * unless only one of several things with that very name is offered.
 */
import { at } from '../base/assert.js';
import { lookUp } from '../base/look-up.js';
import type { Problem } from '../base/problem.js';
import { problem } from '../base/problem.js';
import { oneLine, quoted } from '../base/text.js';
import type { Action, Args, Intent } from '../environment/action.js';
import type { Slot } from '../environment/grammar.js';
import { slotsOf } from '../environment/grammar.js';
import { markedNouns } from '../environment/numbers.js';
import type { Noun, Observation, OfferedAction } from '../environment/observation.js';
import { toldName } from '../environment/observation.js';
import { plainRefusal } from '../environment/plain-words.js';
import { sameArgs, unwrappedName } from '../parse/arguments.js';
import { quotedPart } from '../parse/command-line.js';
import { contradicts, namedNouns, nearestName, nounsFor } from './nouns.js';
import type { Command } from '../parse/reading.js';

export type Binding = { ok: true; intent: Intent } | { ok: false; problem: Problem };

/** `written` is the name that could not be bound. */
type BindingAttempt = Extract<Binding, { ok: true }> | { ok: false; problem: Problem; written: string };

export type BindableAction = Pick<Action<never>, 'name' | 'grammar'>;

/**
 * `action` is the registered action that the command names. A possible comment is left out only if the whole
 * text can't be bound.
 */
export function bind(command: Command, action: BindableAction, observation: Observation): Binding {
  const bound = bindWords(command, action, observation);
  const { formProblem } = command;
  const isMisfit = !bound.ok && bound.problem.code === 'bad-argument' && formProblem !== undefined;
  const binding: Binding = isMisfit ? { ok: false, problem: formProblem } : bound;
  const isRefused = !binding.ok && ['bad-argument', 'ambiguous'].includes(binding.problem.code);
  return isRefused && observation.refusals === 'plain'
    ? { ok: false, problem: plainRefusal(action.name, binding.problem) }
    : binding;
}

function bindWords(command: Command, action: BindableAction, observation: Observation): Binding {
  const fullBinding = bindReadings([command.args, ...(command.alternatives ?? [])], action, observation);
  const { uncommented } = command;
  if (fullBinding.ok || uncommented === undefined || isContradiction(command.args, observation))
    return fullBinding;
  const shortBinding = bindReadings(uncommented, action, observation);
  return shortBinding.ok || shortBinding.problem.code === 'ambiguous' ? shortBinding : fullBinding;
}

/**
 * A name followed by another thing's id is not a comment that could be left out, because it is unclear which
 * of the two is meant.
 */
function isContradiction(args: Args, { nouns, refusals }: Observation): boolean {
  if (refusals === 'plain') return false;
  return Object.values(args).some((value) => contradicts(unwrappedName(String(value)), nouns));
}

function bindReadings(readings: readonly Args[], action: BindableAction, observation: Observation): Binding {
  if (!observation.scope.includes(action.name)) {
    return { ok: false, problem: notOffered(action.name, observation) };
  }
  // Null: one of the agent's actions, but none that would be accepted now; the world's own check gives the
  // reason.
  const offered = observation.offered.find((entry) => entry.action === action.name) ?? null;
  const context = { action, offered, observation };
  const attempts = readings.map((args) => bindArgs(args, context, ({ of }) => of));
  if (readings.some((args) => isContradiction(args, observation)))
    return clearestProblem(attempts.slice(0, 1));
  const bound = attempts.filter((attempt) => attempt.ok);
  const [first] = bound;
  if (first === undefined) return bindRefusedKinds(attempts, readings, context);
  if (bound.some((attempt) => !sameArgs(attempt.intent.args, first.intent.args))) {
    const namesOf = ({ args }: Intent): readonly (string | number)[] =>
      Object.values(args).map((value) => {
        const noun = observation.nouns.find(({ id }) => id === value);
        return noun === undefined ? value : toldName(noun);
      });
    const meanings = bound.map(({ intent }) => namesOf(intent).join(' + ')).join(', or ');
    return {
      ok: false,
      problem: problem('ambiguous', `${action.name} could mean ${meanings}. Say which, by full names.`),
    };
  }
  return first;
}

/**
 * A noun that does not fit, if exactly one is meant and the action's own `check` refuses it with a reason;
 * otherwise the reason why the name can't be bound.
 */
function bindRefusedKinds(
  attempts: readonly BindingAttempt[],
  readings: readonly Args[],
  context: BindContext,
): Binding {
  const widerAttempts = readings.map((args) =>
    bindArgs(args, context, ({ of, refused = [] }) => [...of, ...refused]),
  );
  if ([...attempts, ...widerAttempts].some((attempt) => !attempt.ok && attempt.problem.code === 'ambiguous'))
    return clearestProblem(attempts);
  const bound = widerAttempts.filter((attempt) => attempt.ok);
  const [first] = bound;
  if (first === undefined) return clearestProblem(widerAttempts);
  return bound.every((attempt) => sameArgs(attempt.intent.args, first.intent.args))
    ? first
    : clearestProblem(attempts);
}

type NameSlot = Extract<Slot, { kind: 'name' }>;

/**
 * The problem to report if no reading fits: an ambiguous name is closer to the truth than an unknown one, and
 * the shortest unknown name is the wrong part: `moon` in `moon ON door`.
 */
function clearestProblem(attempts: readonly BindingAttempt[]): Binding {
  const failed = attempts.filter((attempt) => !attempt.ok);
  const ambiguous = failed.find((attempt) => attempt.problem.code === 'ambiguous');
  const shortest = Math.min(...failed.map(({ written }) => written.length));
  const reported = ambiguous ?? failed.find(({ written }) => written.length === shortest);
  return { ok: false, problem: reported?.problem ?? problem('bad-argument', 'Nothing was understood.') };
}

function notOffered(verb: string, observation: Observation): Problem {
  const { offered, refusals, scope } = observation;
  const verbs = (refusals === 'plain' ? scope : offered.map((entry) => entry.action)).join(', ');
  return problem('not-offered', `I read ${verb}, which is not one of your actions. You may: ${verbs}.`);
}

function bindArgs(
  args: Args,
  context: BindContext,
  kindsOf: (slot: NameSlot) => readonly string[],
): BindingAttempt {
  const { action, observation } = context;
  const bound: Record<string, string | number> = {};
  for (const { slot } of action.grammar === null ? [] : slotsOf(action.grammar)) {
    const value = lookUp(args, slot.slot);
    if (value === undefined) continue;
    const id = slot.kind === 'name' ? bindName(String(value), slot, context, kindsOf(slot)) : value;
    if (typeof id === 'object') return { ok: false, problem: id, written: String(value) };
    bound[slot.slot] = id;
  }
  return { ok: true, intent: { agent: observation.agent, action: action.name, args: bound } };
}

interface BindContext {
  action: BindableAction;
  offered: OfferedAction | null;
  observation: Observation;
}

/** Nouns that fit the slot come before those that will be refused. */
function bindName(
  written: string,
  slot: NameSlot,
  { action, offered, observation }: BindContext,
  kinds: readonly string[],
): string | Problem {
  const { nouns, refusals } = observation;
  const isMark = (name: string): boolean => markedNouns(name, nouns, observation).length > 0;
  // A number that is in the picture is no short name: `2` is not the second oak door.
  const find = (name: string, among: readonly Noun[]): readonly Noun[] =>
    isMark(name)
      ? markedNouns(name, among, observation)
      : (refusals === 'plain' ? namedNouns : nounsFor)(name, among);
  const nounsOfKinds = (allowedKinds: readonly string[]) =>
    nouns.filter((noun) => noun.kinds.some((kind) => allowedKinds.includes(kind)));
  const matches =
    spellingsOf(written)
      .flatMap((name) => [find(name, nounsOfKinds(slot.of)), find(name, nounsOfKinds(kinds))])
      .find((level) => level.length > 0) ?? [];
  const [first] = matches;
  if (first !== undefined && matches.length === 1) return first.id;
  // Of several things with one name, such as heaps of berries, the one is meant with which it can be done; of
  // several of these, by actions that take an amount, the one in the agent's hands.
  const isOneName = matches.every(({ name }) => name === first?.name);
  const legal =
    refusals === 'plain' || isOneName || spellingsOf(written).some(isMark)
      ? legalAmong(matches, slot, offered)
      : [];
  const hasAmounts =
    action.grammar !== null && slotsOf(action.grammar).some(({ slot: one }) => one.kind === 'integer');
  const held = hasAmounts ? legal.filter((noun) => noun.kinds.includes('held')) : [];
  for (const meant of [legal, held]) if (meant[0] !== undefined && meant.length === 1) return meant[0].id;
  if (first !== undefined) return severalProblem(written, action.name, matches);
  const choices = choicesLine(action.name, slot, offered);
  const unwrapped = unwrappedName(written);
  const [elsewhere] = find(unwrapped, nouns);
  if (elsewhere !== undefined) return misfitProblem(written, slot, action.name, elsewhere, choices);
  const suggestion = nearestName(unwrapped, nounsOfKinds(slot.of));
  const hint = suggestion === undefined ? '' : ` Did you mean ${oneLine(suggestion)}?`;
  const isId = nounsFor(unwrapped, nouns).length > 0;
  const reason = isId ? 'ids are not understood here, only names.' : 'you perceive nothing of that name.';
  return problem(
    'bad-argument',
    `I read ${action.name} ${quotedPart(written)}, but ${reason}${hint}${choices}`,
  );
}

/** Those of several nouns with which the action would be accepted now. */
function legalAmong(
  matches: readonly Noun[],
  { slot }: NameSlot,
  offered: OfferedAction | null,
): readonly Noun[] {
  const accepted = lookUp(offered?.slots, slot) ?? [];
  return matches.filter((noun) => accepted.includes(noun.id) || accepted.includes(toldName(noun)));
}

/** As it was written, then without quotation marks or brackets around it, then without markdown. */
function spellingsOf(written: string): readonly string[] {
  const unwrapped = unwrappedName(written);
  return [...new Set([written, unwrapped, withoutMarks(unwrapped), unwrappedName(withoutMarks(unwrapped))])];
}

/** A pair of markdown's marks around words, one pattern for each kind. */
const EMPHASIS = [
  /(?<=^|\s)\*{1,3}(\S|\S.{0,200}?\S)\*{1,3}(?=\s|$)/g,
  /(?<=^|\s)_{1,3}(\S|\S.{0,200}?\S)_{1,3}(?=\s|$)/g,
  /(?<=^|\s)`{1,3}(\S|\S.{0,200}?\S)`{1,3}(?=\s|$)/g,
];

/** Without markdown's escapes and pairs of emphasis around words. */
function withoutMarks(name: string): string {
  const unescaped = name.replace(/\\(?=[_*`~()[\]#.!-])/g, '');
  return EMPHASIS.reduce((text, pair) => text.replace(pair, '$1'), unescaped).trim();
}

/** A known thing of a kind that the slot does not take. */
function misfitProblem(written: string, slot: NameSlot, verb: string, noun: Noun, choices: string): Problem {
  const actualKinds = noun.kinds.map((kind) => quoted(kind, 40)).join(' and ');
  const acceptedKinds = slot.of.map((kind) => quoted(kind, 40)).join(' or ');
  const reason = `it is of the kind ${actualKinds}, and the ${slot.slot} must be ${acceptedKinds}.`;
  return problem('bad-argument', `${verb} can't be done with ${quotedPart(written)}: ${reason}${choices}`);
}

function severalProblem(written: string, verb: string, matches: readonly Noun[]): Problem {
  const names = matches.slice(0, CHOICES_MAX).map((noun) => oneLine(toldName(noun)));
  // Only nouns of somebody else's world have equal names and no others.
  const hasNamesakes = new Set(names).size < names.length;
  const choices = hasNamesakes ? names.map((name, i) => `${name} (${at(matches, i).id})`) : names;
  return problem(
    'ambiguous',
    `I read ${verb} ${quotedPart(written)}, which could be ${choices.join(', ')}. Say which, by full name${hasNamesakes ? ' or id' : ''}.`,
    { ids: matches.map((noun) => noun.id) },
  );
}

const CHOICES_MAX = 12;

/**
 * The names that the slot would accept now; none for an action that is not possible now, or for a slot that
 * takes anything.
 */
function choicesLine(verb: string, slot: Slot, offered: OfferedAction | null): string {
  const accepted = lookUp(offered?.slots, slot.slot);
  if (accepted === undefined) return '';
  if (accepted.length === 0) return ` There is nothing now that ${verb} takes as ${slot.slot}.`;
  const names = accepted.slice(0, CHOICES_MAX).map((name) => oneLine(name));
  const ellipsis = accepted.length > CHOICES_MAX ? ', …' : '';
  return ` As ${slot.slot}, ${verb} takes now: ${names.join(', ')}${ellipsis}.`;
}

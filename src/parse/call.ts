/**
 * Turns an object or a named call into a command: an action and its arguments. A value that is no call at all
 * (a state, a schema, an echoed format) gives null. Keys may be spelled in the ways that models use. An
 * object with two action names or two sets of arguments is ambiguous, and neither is preferred.
 */
import { compareText } from '../base/ids.js';
import { lookUp } from '../base/look-up.js';
import type { Problem } from '../base/problem.js';
import { problem } from '../base/problem.js';
import { oneLine, quoted } from '../base/text.js';
import { slotsOf } from '../environment/grammar.js';
import type { Vocabulary, VocabularyAction } from '../forms/vocabulary.js';
import { verbsOf } from '../forms/vocabulary.js';
import type { CommandRest } from './arguments.js';
import { readArguments } from './arguments.js';
import { unknownAction, readCommandLine, readVerb } from './command-line.js';
import { foldedKey, namesSlot, parametersHelp, readFields, refuse } from './fields.js';
import type { LooseJson, LooseObject } from './loose-json.js';
import { isLooseList, isLooseObject, wholeLoose } from './loose-json.js';
import { argumentsInBrackets } from './members.js';
import type { Command } from './reading.js';

export type CallReading = { ok: true; command: Command } | { ok: false; problem: Problem };

const NAME_KEYS = new Set(
  ['name', 'action', 'tool', 'function', 'command', 'call', 'toolname', 'actionname', 'functionname'].map(
    foldedKey,
  ),
);
const INPUT_KEYS = new Set(
  ['parameters', 'params', 'arguments', 'args', 'input', 'actioninput', 'toolinput', 'kwargs'].map(foldedKey),
);
/** Other keys in which an answer may be wrapped. */
const WRAPPERS = new Set(['toolcall', 'toolcalls', 'functioncall', 'calls', 'actions', 'answer', 'response']);

/** Stands for the input of an object that has two sets of arguments. */
const SEVERAL = Symbol('several');

/** A key that may name the action, with its value. */
interface NameField {
  key: string;
  name: string;
}

/** The command that an object requests. */
export function callOf(object: LooseObject, vocabulary: Vocabulary): CallReading | null {
  const names = [...object].flatMap(([key, value]) =>
    NAME_KEYS.has(foldedKey(key)) && typeof value === 'string' ? [{ key, name: value }] : [],
  );
  const known = names.filter(({ name }) => actionOf(name, vocabulary) !== undefined);
  const [first] = known;
  if (first === undefined) {
    // `{"tool_calls": [{…}]}`, `{"function": {…}}`.
    const innerCalls = callsIn(object, (key) => NAME_KEYS.has(key) || WRAPPERS.has(key), vocabulary);
    return onlyCall(innerCalls) ?? unknownCall(object, names, vocabulary);
  }
  if (new Set(known.map(({ name }) => actionOf(name, vocabulary))).size > 1)
    return refuse(problem('ambiguous', 'Your object names several actions. Give exactly one.'));
  if (isSchema(object)) return null;
  const outerCall = namedCall(first.name, inputOf(object, first, vocabulary), vocabulary);
  // A second call under any key: `"then": {…}`.
  return onlyCall([outerCall, ...callsIn(object, (key) => !INPUT_KEYS.has(key), vocabulary)]);
}

/** The calls in an object or a list under certain keys. */
function callsIn(
  object: LooseObject,
  isKey: (folded: string) => boolean,
  vocabulary: Vocabulary,
): readonly CallReading[] {
  return [...object]
    .filter(([key]) => isKey(foldedKey(key)))
    .flatMap(([, value]) => (isLooseList(value) ? value : [value]))
    .filter((value) => isLooseObject(value))
    .flatMap((value) => callOf(value, vocabulary) ?? []);
}

/** The command requested by a name and its arguments, from an object or a native call. */
export function namedCall(
  name: string,
  input: LooseJson | undefined | typeof SEVERAL,
  vocabulary: Vocabulary,
): CallReading {
  const action = actionOf(name, vocabulary);
  if (action === undefined) return refuse(unknownAction(name, name, vocabulary));
  if (input === SEVERAL)
    return refuse(problem('ambiguous', `You gave ${action.name} two sets of parameters. Give one.`));
  return inputCall(action, input, 2);
}

/** `decodings`: how many times a text may still be decoded as JSON within JSON. */
function inputCall(action: VocabularyAction, input: LooseJson | undefined, decodings: number): CallReading {
  if (input === undefined || input === null || input === '' || (isLooseList(input) && input.length === 0))
    return fieldsCall(action, new Map());
  if (isLooseObject(input)) return fieldsCall(action, input);
  if (typeof input === 'string') {
    const inner = decodings > 0 ? wholeLoose(input) : undefined;
    if (isLooseObject(inner) || typeof inner === 'string') return inputCall(action, inner, decodings - 1);
    return plainCall(action, input);
  }
  if (typeof input === 'number') return plainCall(action, String(input));
  const message = `The parameters of ${action.name} must be one JSON object. ${parametersHelp(action)}`;
  return refuse(problem('bad-argument', message));
}

function fieldsCall(action: VocabularyAction, fields: LooseObject): CallReading {
  const read = readFields(action, fields);
  return read.ok ? { ok: true, command: { action: action.name, args: read.args } } : read;
}

/** Arguments in plain words, as they would follow the verb in a command line. */
function plainCall(action: VocabularyAction, input: string): CallReading {
  const text = input.trim();
  const fields = keyedWords(action, text);
  if (fields !== null) return fieldsCall(action, fields);
  const read = readArguments(action.name, action.grammar, plainRest(text, false));
  const [args, ...alternatives] = read.readings;
  const message = `I read ${action.name}, but not its parameters: ${quoted(text, 60)}. ${parametersHelp(action)}`;
  const formProblem = problem('bad-argument', message);
  if (args === undefined) return refuse(read.problem ?? formProblem);
  const command = {
    action: action.name,
    args,
    ...(alternatives.length === 0 ? {} : { alternatives }),
    ...(read.isShort ? { formProblem } : {}),
  };
  return { ok: true, command };
}

/**
 * `direction: north`, `text="Hello"`: words that begin with the name of a slot, or `thing="key", target="door"`,
 * also in brackets; null for others.
 */
function keyedWords(action: VocabularyAction, text: string): LooseObject | null {
  const { grammar } = action;
  const members = text.startsWith('(') ? text.slice(1) : `${text})`;
  const read = argumentsInBrackets(members, 0);
  if (read !== null && read.end === members.length && namesSlot(action, read.value)) return read.value;
  const [, key = '', value = ''] = /^([A-Za-z_]{1,40}) ?[:=] ?(.+)$/.exec(text) ?? [];
  const slots = grammar === null ? [] : slotsOf(grammar);
  if (!slots.some(({ slot }) => foldedKey(slot.slot) === foldedKey(key))) return null;
  return new Map([[key, wholeLoose(value) ?? value]]);
}

/** By name or alias, in any case, with spaces or dashes instead of underscores. */
function actionOf(name: string, vocabulary: Vocabulary): VocabularyAction | undefined {
  return verbsOf(vocabulary).get(name.trim().replace(/[ -]/g, '_').toUpperCase());
}

/**
 * The values of the slots: the value of an input key, otherwise the members of the object that are named like
 * slots.
 */
function inputOf(
  object: LooseObject,
  name: NameField,
  vocabulary: Vocabulary,
): LooseJson | undefined | typeof SEVERAL {
  const inputs = [...object].filter(([key]) => INPUT_KEYS.has(foldedKey(key)));
  if (inputs.length > 1) return SEVERAL;
  const [input] = inputs;
  if (input !== undefined) return input[1];
  const grammar = actionOf(name.name, vocabulary)?.grammar ?? null;
  const slots = new Set((grammar === null ? [] : slotsOf(grammar)).map(({ slot }) => foldedKey(slot.slot)));
  return new Map([...object].filter(([key]) => key !== name.key && slots.has(foldedKey(key))));
}

/** The echoed definition of an action, in which the parameters are a schema. */
function isSchema(object: LooseObject): boolean {
  return [...object].some(
    ([key, value]) =>
      INPUT_KEYS.has(foldedKey(key)) &&
      isLooseObject(value) &&
      (value.has('properties') || value.get('type') === 'object'),
  );
}

/** The call if all of them are equal; a problem if they differ, null if there is none. */
export function onlyCall(calls: readonly CallReading[]): CallReading | null {
  const [first] = calls;
  if (first === undefined) return null;
  const keys = new Set(calls.map((call) => (call.ok ? callKey(call.command) : `!${call.problem.message}`)));
  if (keys.size === 1) return first;
  const requested = calls
    .map((call) => (call.ok ? call.command.action : 'one that is not understood'))
    .slice(0, 4);
  return refuse(
    problem('ambiguous', `Your reply asks for several actions (${requested.join(', ')}). Give exactly one.`),
  );
}

/** Equal for commands that request the same. */
export function callKey({ action, args }: Command): string {
  const slots = Object.keys(args).toSorted(compareText);
  return JSON.stringify([action, slots.map((slot) => [slot, lookUp(args, slot)])]);
}

/**
 * An object whose name is not an action: a whole command instead of a name, an unknown action, or no call at
 * all.
 */
function unknownCall(
  object: LooseObject,
  names: readonly NameField[],
  vocabulary: Vocabulary,
): CallReading | null {
  const [first] = names;
  if (first === undefined) return null;
  const name = oneLine(first.name);
  const hasInput = [...object.keys()].some((key) => INPUT_KEYS.has(foldedKey(key)));
  if (!hasInput && readVerb(name, vocabulary) !== null)
    // `GO NORTH` where only an action's name was expected.
    return readCommandLine(plainRest(name, true), vocabulary);
  const isCall = hasInput || foldedKey(first.key) !== 'name';
  return !isCall || /^(?:<.*>|\[.*\]|\.{3}|…|)$/.test(name)
    ? null
    : refuse(unknownAction(name, name, vocabulary));
}

function plainRest(text: string, quotedOnly: boolean): CommandRest {
  return { text, raw: (from, to) => text.slice(from, to), quotedOnly };
}

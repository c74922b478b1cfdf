/**
 * Parses one command line: a verb, then arguments by the verb's grammar. Which line of a reply counts is
 * decided elsewhere. The line is either understood completely, except for a trailing comment, or refused with
 * a problem that says what was understood and what would be accepted.
 */
import { nearest } from '../base/nearest.js';
import type { Problem } from '../base/problem.js';
import { problem } from '../base/problem.js';
import { quoted } from '../base/text.js';
import { commandForms } from '../forms/help.js';
import type { Vocabulary, VocabularyAction } from '../forms/vocabulary.js';
import { verbsOf } from '../forms/vocabulary.js';
import type { CommandRest } from './arguments.js';
import { readArguments, withoutTrailingMarks } from './arguments.js';
import { namesSlot, readFields } from './fields.js';
import { argumentsInBrackets } from './members.js';
import type { Command } from './reading.js';

export type LineReading =
  | {
      ok: true;
      command: Command;
      /**
       * The end of the command in its line, without a comment that had to be left out; `bareEnd` is the end
       * without a comment that could belong to a name.
       */
      end: number;
      bareEnd: number;
    }
  | { ok: false; problem: Problem };

const FIRST_WORDS = /^([A-Za-z][A-Za-z_]*)(?: ([A-Za-z]+))?(?![\p{L}\p{N}]|'\p{L})/u;
/** `GO: EAST`, `GO = EAST`, `GO-EAST`, `**GO** EAST`; `SPEAK :) hello` begins with a smiley. */
const AFTER_VERB = /^[*`]{0,3}(?:[:=](?!-?\)) ?| [:=](?: |(?="|'\p{L}|$))|[-_ ])?/u;

export function readCommandLine(line: CommandRest, vocabulary: Vocabulary): LineReading {
  const verb = readVerb(line.text, vocabulary);
  if (verb === null)
    return refuse(unknownAction(line.text, /^[^\s:(]*/.exec(line.text)?.[0] ?? '', vocabulary));
  const verbs = verbsOf(vocabulary);
  const rules = { isVerb: (word: string) => verbs.has(word.toUpperCase()), isLabelled: !line.quotedOnly };
  const namedReading = readNamed(verb, line, rules);
  if (namedReading !== null) return namedReading;
  if (isHalf(line.text.slice(verb.end))) {
    const message = `The brackets after ${verb.action.name} are not closed on its line. Write the whole command anew.`;
    return refuse(problem('bad-argument', message));
  }
  const { rest, isCall } = restAfter(line, verb.end);
  const length = isCall ? null : commentStart(rest.text, rules);
  const uncommentedRest = length === null ? rest : { ...rest, text: rest.text.slice(0, length) };
  const secondAction = otherAction(uncommentedRest.text, vocabulary);
  const message = `I read ${verb.action.name} and ${secondAction} in one answer. Give exactly one action.`;
  if (secondAction !== null) return refuse(problem('ambiguous', message));
  const withComment = readRest(verb.action, rest, line.text.length);
  if (length === null) return withComment;
  const withoutComment = readRest(verb.action, uncommentedRest, line.text.length - rest.text.length + length);
  if (!withComment.ok) return withoutComment.ok ? withoutComment : withComment;
  if (!withoutComment.ok) return withComment;
  const isOnlyShort = withComment.command.formProblem !== undefined;
  if (isOnlyShort && withoutComment.command.formProblem === undefined) return withoutComment;
  const { args, alternatives = [] } = withoutComment.command;
  return {
    ...withComment,
    command: { ...withComment.command, uncommented: [args, ...alternatives] },
    bareEnd: withoutComment.end,
  };
}

function refuse(reason: Problem): LineReading {
  return { ok: false, problem: reason };
}

/** The action with which a line begins, and the end of its verb; null if there is none. */
export function readVerb(
  text: string,
  vocabulary: Vocabulary,
): { action: VocabularyAction; end: number } | null {
  const match = FIRST_WORDS.exec(text);
  const first = match?.[1] ?? '';
  const verbs = verbsOf(vocabulary);
  const joined = verbs.get(`${first}_${match?.[2] ?? ''}`.toUpperCase());
  if (joined !== undefined) return { action: joined, end: match?.[0].length ?? 0 };
  const exact = verbs.get(first.toUpperCase());
  if (exact !== undefined) return { action: exact, end: first.length };
  const head = first.split('_', 1)[0] ?? '';
  const action = verbs.get(head.toUpperCase());
  return action === undefined ? null : { action, end: head.length };
}

/** `GO(direction="north")`, `**GO** (`. */
const OPENING_BRACKET = /^[*`]{0,3} ?\(/;

/**
 * Arguments by the names of their slots, in the brackets of a call: `GO(direction="north")`,
 * `GO({"direction": "north"})`. Null for anything else, and for brackets in which no slot is named.
 */
function readNamed(
  { action, end: verbEnd }: { action: VocabularyAction; end: number },
  line: CommandRest,
  rules: CommentRules,
): LineReading | null {
  const opening = OPENING_BRACKET.exec(line.text.slice(verbEnd));
  if (opening === null) return null;
  const start = verbEnd + opening[0].length;
  const end = argumentsInBrackets(line.text, start)?.end;
  if (end === undefined) return null;
  const after = line.text.slice(end);
  if (!/^[*_`~]{0,6}$/.test(withoutTrailingMarks(after)) && commentStart(after, rules) !== 0) return null;
  // The values as they were written.
  const written = line.raw(start, end);
  const fields = argumentsInBrackets(written, 0);
  if (fields === null || fields.end < written.length || !namesSlot(action, fields.value)) return null;
  const read = readFields(action, fields.value);
  if (!read.ok) return read;
  return { ok: true, command: { action: action.name, args: read.args }, end, bareEnd: end };
}

const CLOSERS: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };

/** Whether brackets right after the verb are never closed, as if the line were cut off within the argument. */
function isHalf(after: string): boolean {
  const open = after.charAt(0);
  const close = CLOSERS[open];
  return close !== undefined && after.split(open).length > after.split(close).length;
}

interface VerbRest {
  rest: CommandRest;
  /** The brackets of a call hold only arguments, no comment. */
  isCall: boolean;
}

/** The text after the verb: `GO: EAST` and `GO(EAST)` are `GO EAST`. */
function restAfter(line: CommandRest, verbEnd: number): VerbRest {
  const after = line.text.slice(verbEnd);
  const isCall = after.startsWith('(') && after.endsWith(')');
  const skipped = isCall ? 1 : (AFTER_VERB.exec(after)?.[0].length ?? 0);
  const start = verbEnd + skipped;
  const end = isCall ? line.text.length - 1 : line.text.length;
  const argumentsRest: CommandRest = {
    text: line.text.slice(start, end),
    raw: (from, to) => line.raw(start + from, start + to),
    quotedOnly: line.quotedOnly,
  };
  return { rest: argumentsRest, isCall };
}

/**
 * A verb in capitals after a mark or a lower-case letter requests a second action. Quoted speech may contain
 * any verb.
 */
const SECOND_VERB = /(?:[,;.&/+|:>→]|\p{Ll}(?= )) ?([A-Z][A-Z_]+)(?![\p{L}\p{N}_])/gu;

function otherAction(rest: string, vocabulary: Vocabulary): string | null {
  const verbs = verbsOf(vocabulary);
  const unquoted = rest.startsWith("'") ? '' : (rest.split('"', 1)[0] ?? '');
  for (const match of unquoted.matchAll(SECOND_VERB)) {
    const action = verbs.get(match[1] ?? '');
    if (action !== undefined) return action.name;
  }
  return null;
}

function readRest(action: VocabularyAction, rest: CommandRest, end: number): LineReading {
  if (action.grammar === null) {
    if (/^[*_`~]{0,6}$/.test(withoutTrailingMarks(rest.text)))
      return { ok: true, command: { action: action.name, args: {} }, end, bareEnd: end };
    const message = `I read ${action.name}, but nothing may follow it, and there was: ${quotedPart(rest.text)}.`;
    return refuse(problem('bad-argument', message));
  }
  const { readings, problem: reason, isShort } = readArguments(action.name, action.grammar, rest);
  const [args, ...alternatives] = readings;
  if (args === undefined) return refuse(reason ?? wrongForm(action, rest));
  const command = {
    action: action.name,
    args,
    ...(alternatives.length === 0 ? {} : { alternatives }),
    ...(isShort ? { formProblem: wrongForm(action, rest) } : {}),
  };
  return { ok: true, command, end, bareEnd: end };
}

function wrongForm(action: VocabularyAction, rest: CommandRest): Problem {
  const forms = commandForms(action.name, action.grammar).join(' or ');
  const written = withoutTrailingMarks(rest.text);
  const understood =
    written === ''
      ? `I read ${action.name} with nothing after it.`
      : `I read ${action.name}, but not what follows: ${quotedPart(written)}.`;
  return problem('bad-argument', `${understood} Write ${forms}.`);
}

/** `first` is the position in the text where a verb was expected. */
export function unknownAction(text: string, first: string, vocabulary: Vocabulary): Problem {
  const close = nearest(first, verbsOf(vocabulary).keys());
  const hint = close === undefined ? '' : ` Did you mean ${close}?`;
  const isVerb = /^[A-Z_]{2,}$/.test(first) || withoutTrailingMarks(first) === withoutTrailingMarks(text);
  const message = isVerb
    ? `There is no action ${quotedPart(withoutTrailingMarks(first))}${first === text ? '' : `; I read ${quotedPart(text)}`}.`
    : `I read ${quotedPart(text)}, which does not begin with an action.`;
  const names = vocabulary.map(({ name }) => name).join(', ');
  return problem('unknown-action', `${message}${hint} The actions are ${names}.`);
}

/** A part of the agent's own reply, as quoted in a problem's message. */
export function quotedPart(text: string): string {
  return quoted(text, 60);
}

/** A quotation mark, or the possible beginning of a comment. */
const COMMENT_STARTS =
  /"| ?(?=[([])| ?—|(?:^| )-{1,3} |[.!] +(?=[\p{L}\p{N}])| ?(?<!#)#{2,6} ?(?=\p{L})| (?:#|\/\/) (?=\p{L})|^(?=[*_|#]{0,4}\p{Lu}{2,20}: )| (?=[*_|#]{0,4} ?\p{Lu}\p{L}{1,20}(?: \p{L}{1,20}){0,2}[*_]{0,3}:(?:[* ]|$))|(?<=[\p{L}\p{N}"'.)\]])(?:assistant|user|model|system|human)$/gu;
const OPENERS: Readonly<Record<string, string>> = { ')': '(', ']': '[' };

interface CommentRules {
  /** Text that begins with a verb is a second command and not a comment. */
  isVerb: (word: string) => boolean;
  /** After a command without a label, only brackets and a dash begin a comment. */
  isLabelled: boolean;
}

/** Whether a comment begins is decided within this length. */
const LOOKAHEAD_CHARACTERS = 40;

/**
 * The length of `text` without the comment after a command: brackets to the end of the line, or the text
 * after a dash, a full stop or another heading; null if there is no comment. Quoted speech contains no
 * comment. Square brackets right after the verb contain its argument.
 */
function commentStart(text: string, { isVerb, isLabelled }: CommentRules): number | null {
  const bracket = lastBracket(text);
  let isQuoted = false;
  for (const { 0: mark, index } of text.matchAll(COMMENT_STARTS)) {
    if (mark === '"') {
      isQuoted = !isQuoted;
      continue;
    }
    if (isQuoted) continue;
    const start = index + mark.length;
    const comment = text.slice(start, start + LOOKAHEAD_CHARACTERS);
    if (index === 0 && comment.startsWith('[')) return null;
    const isBracket = /^[([]/.test(comment);
    const first = /^[^\p{L}]*([\p{L}_]+)/u.exec(comment)?.[1] ?? '';
    const isCommand = mark.trim() !== '' && isVerb(first);
    const isAllowed = isLabelled || isBracket || /^[\s—-]+$/.test(mark);
    if ((!isBracket || start === bracket) && isAllowed && !isCommand) return index;
  }
  return null;
}

/**
 * The position of the bracket that is closed at the end of a text, ignoring marks; null if there is none. One
 * pass.
 */
function lastBracket(text: string): number | null {
  let end = text.length - 1;
  while (end >= 0 && ' .,!*_`~'.includes(text.charAt(end))) end--;
  const close = text.charAt(end);
  const open = OPENERS[close];
  if (open === undefined) return null;
  let depth = 0;
  for (let at = end; at >= 0; at--) {
    if (text.charAt(at) === close) depth += 1;
    if (text.charAt(at) === open) depth -= 1;
    if (depth === 0) return at;
  }
  return null;
}

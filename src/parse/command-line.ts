/**
 * Parses one command line: the verb, then arguments by the verb's grammar. Other code decides which line
 * counts; here it is either understood as a whole, except for a trailing comment, or refused with what was
 * understood and what would be accepted.
 */
import { nearest } from '../base/nearest.js';
import type { Problem } from '../base/problem.js';
import { problem } from '../base/problem.js';
import { quoted } from '../base/text.js';
import { spokenForms } from '../forms/help.js';
import type { Vocabulary, VocabularyAction } from '../forms/vocabulary.js';
import { verbsOf } from '../forms/vocabulary.js';
import type { CommandRest } from './arguments.js';
import { readArguments, withoutStop } from './arguments.js';
import type { Command } from './reading.js';

export type LineReading =
  | {
      readonly ok: true;
      readonly command: Command;
      /**
       * The end of the command in its line, without a comment that had to be left out; `bareEnd` is the end
       * without a comment that could belong to a name.
       */
      readonly end: number;
      readonly bareEnd: number;
    }
  | { readonly ok: false; readonly problem: Problem };

const FIRST_WORDS = /^([A-Za-z][A-Za-z_]*)(?: ([A-Za-z]+))?(?![\p{L}\p{N}]|'\p{L})/u;
/** `GO: EAST`, `GO-EAST`, `**GO** EAST`. */
const AFTER_VERB = /^[*`]{0,3}(?: ?[:=] ?|[-_ ])?/;

export function readCommandLine(line: CommandRest, vocabulary: Vocabulary): LineReading {
  const verb = readVerb(line.text, vocabulary);
  if (verb === null) return refuse(noAction(line.text, /^[^\s:(]*/.exec(line.text)?.[0] ?? '', vocabulary));
  const { rest, isCall } = restAfter(line, verb.end);
  const verbs = verbsOf(vocabulary);
  const rules = { isVerb: (word: string) => verbs.has(word.toUpperCase()), isLabelled: !line.quotedOnly };
  const length = isCall ? null : commentStart(rest.text, rules);
  const bare = length === null ? rest : { ...rest, text: rest.text.slice(0, length) };
  const several = otherAction(bare.text, vocabulary);
  const told = `I read ${verb.action.name} and ${several} in one answer. Give exactly one action.`;
  if (several !== null) return refuse(problem('ambiguous', told));
  const whole = readRest(verb.action, rest, line.text.length);
  if (length === null) return whole;
  const short = readRest(verb.action, bare, line.text.length - rest.text.length + length);
  if (!whole.ok) return short.ok ? short : whole;
  if (!short.ok) return whole;
  const { args, alternatives = [] } = short.command;
  return {
    ...whole,
    command: { ...whole.command, uncommented: [args, ...alternatives] },
    bareEnd: short.end,
  };
}

function refuse(reason: Problem): LineReading {
  return { ok: false, problem: reason };
}

/** The action with which a line begins, and the end of its verb; null if there is none. */
export function readVerb(
  text: string,
  vocabulary: Vocabulary,
): { readonly action: VocabularyAction; readonly end: number } | null {
  const match = FIRST_WORDS.exec(text);
  const first = match?.[1] ?? '';
  const verbs = verbsOf(vocabulary);
  const joined = verbs.get(`${first}_${match?.[2] ?? ''}`.toUpperCase());
  if (joined !== undefined) return { action: joined, end: match?.[0].length ?? 0 };
  const whole = verbs.get(first.toUpperCase());
  if (whole !== undefined) return { action: whole, end: first.length };
  const head = first.split('_', 1)[0] ?? '';
  const action = verbs.get(head.toUpperCase());
  return action === undefined ? null : { action, end: head.length };
}

interface VerbRest {
  readonly rest: CommandRest;
  /** The brackets of a call hold only arguments, no comment. */
  readonly isCall: boolean;
}

/** The text after the verb: `GO: EAST` and `GO(EAST)` are `GO EAST`. */
function restAfter(line: CommandRest, verbEnd: number): VerbRest {
  const after = line.text.slice(verbEnd);
  const isCall = after.startsWith('(') && after.endsWith(')');
  const skipped = isCall ? 1 : (AFTER_VERB.exec(after)?.[0].length ?? 0);
  const start = verbEnd + skipped;
  const end = isCall ? line.text.length - 1 : line.text.length;
  const rest: CommandRest = {
    text: line.text.slice(start, end),
    raw: (from, to) => line.raw(start + from, start + to),
    quotedOnly: line.quotedOnly,
  };
  return { rest, isCall };
}

/**
 * A verb in capitals after a mark or a lower-case letter requests a second action. Quoted speech may contain
 * any verb.
 */
const JOINED = /(?:[,;.&/+|:>→]|\p{Ll}(?= )) ?([A-Z][A-Z_]+)(?![\p{L}\p{N}_])/gu;

function otherAction(rest: string, vocabulary: Vocabulary): string | null {
  const verbs = verbsOf(vocabulary);
  const unquoted = rest.startsWith("'") ? '' : (rest.split('"', 1)[0] ?? '');
  for (const match of unquoted.matchAll(JOINED)) {
    const action = verbs.get(match[1] ?? '');
    if (action !== undefined) return action.name;
  }
  return null;
}

function readRest(action: VocabularyAction, rest: CommandRest, end: number): LineReading {
  if (action.grammar === null) return readBare(action, rest, end);
  const { readings, problem: reason } = readArguments(action.name, action.grammar, rest);
  const [args, ...alternatives] = readings;
  if (args === undefined) return refuse(reason ?? wrongForm(action, rest));
  const command = { action: action.name, args };
  return {
    ok: true,
    command: alternatives.length === 0 ? command : { ...command, alternatives },
    end,
    bareEnd: end,
  };
}

function readBare(action: VocabularyAction, rest: CommandRest, end: number): LineReading {
  if (/^[*_`~]{0,6}$/.test(withoutStop(rest.text)))
    return { ok: true, command: { action: action.name, args: {} }, end, bareEnd: end };
  const told = `I read ${action.name}, but nothing may follow it, and there was: ${shown(rest.text)}.`;
  return refuse(problem('bad-argument', told));
}

function wrongForm(action: VocabularyAction, rest: CommandRest): Problem {
  const forms = spokenForms(action.name, action.grammar).join(' or ');
  const written = withoutStop(rest.text);
  const understood =
    written === ''
      ? `I read ${action.name} with nothing after it.`
      : `I read ${action.name}, but not what follows: ${shown(written)}.`;
  return problem('bad-argument', `${understood} Write ${forms}.`);
}

/** `first` is the position in the text where a verb was expected. */
export function noAction(said: string, first: string, vocabulary: Vocabulary): Problem {
  const close = nearest(first, verbsOf(vocabulary).keys());
  const hint = close === undefined ? '' : ` Did you mean ${close}?`;
  const isVerb = /^[A-Z_]{2,}$/.test(first) || withoutStop(first) === withoutStop(said);
  const told = isVerb
    ? `There is no action ${shown(withoutStop(first))}${first === said ? '' : `; I read ${shown(said)}`}.`
    : `I read ${shown(said)}, which does not begin with an action.`;
  const names = vocabulary.map(({ name }) => name).join(', ');
  return problem('unknown-action', `${told}${hint} The actions are ${names}.`);
}

/** A part of the agent's own reply, as quoted in a problem's message. */
export function shown(text: string): string {
  return quoted(text, 60);
}

/** A quotation mark, or the possible beginning of a comment. */
const STARTS =
  /"| ?(?=[([])| ?—|(?:^| )-{1,3} |[.!] +(?=[\p{L}\p{N}])| ?(?<!#)#{2,6} ?(?=\p{L})| (?:#|\/\/) (?=\p{L})|^(?=[*_|#]{0,4}\p{Lu}{2,20}: )| (?=[*_|#]{0,4} ?\p{Lu}\p{L}{1,20}(?: \p{L}{1,20}){0,2}[*_]{0,3}:(?:[* ]|$))|(?<=[\p{L}\p{N}"'.)\]])(?:assistant|user|model|system|human)$/gu;
const OPENERS: Readonly<Record<string, string>> = { ')': '(', ']': '[' };

interface CommentRules {
  /** Text that begins with a verb is a second command and not a comment. */
  readonly isVerb: (word: string) => boolean;
  /** After a command without a label, only brackets and a dash begin a comment. */
  readonly isLabelled: boolean;
}

/** Whether a comment begins is decided within this length. */
const LOOKED_AT = 40;

/**
 * The length of `words` without the comment after a command: brackets to the end of the line, or the text
 * after a dash, a full stop or another heading; null if there is no comment. Quoted speech contains no
 * comment. Square brackets right after the verb contain its argument.
 */
function commentStart(words: string, { isVerb, isLabelled }: CommentRules): number | null {
  const bracket = lastBracket(words);
  let isQuoted = false;
  for (const { 0: mark, index } of words.matchAll(STARTS)) {
    if (mark === '"') {
      isQuoted = !isQuoted;
      continue;
    }
    if (isQuoted) continue;
    const start = index + mark.length;
    const comment = words.slice(start, start + LOOKED_AT);
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

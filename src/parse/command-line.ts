/**
 * Reads one command line: verb, then arguments by the verb's grammar. The scanner has decided before that this line, and
 * no other, may count; here it is either understood as a whole or refused with what was understood and what would be.
 *
 * Nothing but closing punctuation may follow the command on its line: a remark can't be told from a condition or a denial.
 */
import { quoted } from '../base/text.js';
import type { Problem } from '../base/problem.js';
import { problem } from '../base/problem.js';
import type { Args } from '../environment/action.js';
import type { Rest } from './arguments.js';
import { readArguments, withoutStop } from './arguments.js';
import { spokenForms } from './help.js';
import { nearest } from '../base/nearest.js';
import type { Vocabulary } from './protocol.js';
import type { Command } from './reading.js';
import type { VocabularyAction } from './verbs.js';
import { verbsOf } from './verbs.js';

/** A line as the scanner cut it out: normalised, with access to its raw spelling. */
export type CommandText = Rest;

export type LineReading =
  { readonly ok: true; readonly command: Command } | { readonly ok: false; readonly problem: Problem };

const FIRST_WORDS = /^([A-Za-z][A-Za-z_]*)(?: ([A-Za-z]+))?(?![\p{L}\p{N}]|'\p{L})/u;
const AFTER_VERB = /^(?: ?[:=] ?|[-_ ])?/;

export function readCommandLine(line: CommandText, vocabulary: Vocabulary): LineReading {
  const verb = readVerb(line.text, vocabulary);
  if (verb === null) return refuse(unknownAction(line.text, vocabulary));
  const rest = restAfter(line, verb.end);
  const several = otherAction(rest.text, vocabulary);
  if (several !== null) {
    return refuse(
      problem(
        'ambiguous',
        `I read ${verb.action.name} and ${several} in one answer. Give exactly one action.`,
      ),
    );
  }
  return verb.action.grammar === null ? readBare(verb.action, rest) : readRest(verb.action, rest);
}

function refuse(reason: Problem): LineReading {
  return { ok: false, problem: reason };
}

/** The action that a line begins with, and where its verb ends; null where it begins with none. */
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

/** What follows the verb: `GO: EAST` and `GO(EAST)` are `GO EAST`. */
function restAfter(line: CommandText, verbEnd: number): Rest {
  const after = line.text.slice(verbEnd);
  const isCall = after.startsWith('(') && after.endsWith(')');
  const skipped = isCall ? 1 : (AFTER_VERB.exec(after)?.[0].length ?? 0);
  const start = verbEnd + skipped;
  const end = isCall ? line.text.length - 1 : line.text.length;
  return {
    text: line.text.slice(start, end),
    raw: (from, to) => line.raw(start + from, start + to),
    quotedOnly: line.quotedOnly,
  };
}

/** A verb in capitals right after a word or mark that joins: a second action asked for. Quoted speech may name any. */
const JOINED = /(?:[,;.&/+|:>]|\b(?:and|or|then|not|but))\s?([A-Z][A-Z_]+)(?![\p{L}\p{N}_])/gu;

function otherAction(rest: string, vocabulary: Vocabulary): string | null {
  const verbs = verbsOf(vocabulary);
  const unquoted = rest.startsWith("'") ? '' : (rest.split('"', 1)[0] ?? '');
  for (const match of unquoted.matchAll(JOINED)) {
    const action = verbs.get(match[1] ?? '');
    if (action !== undefined) return action.name;
  }
  return null;
}

function readBare(action: VocabularyAction, rest: Rest): LineReading {
  if (withoutStop(rest.text) === '') return { ok: true, command: { action: action.name, args: {} } };
  const told = `I read ${action.name}, but nothing may follow it, and there was: ${shown(rest.text)}.`;
  return refuse(problem('bad-argument', told));
}

function readRest(action: VocabularyAction, rest: Rest): LineReading {
  const { readings, problem: reason } = readArguments(action.name, action.grammar, rest);
  return readings.length > 0 ? accepted(action, readings) : refuse(reason ?? wrongForm(action, rest));
}

function accepted(action: VocabularyAction, readings: readonly Args[]): LineReading {
  const [args = {}, ...alternatives] = readings;
  const command = { action: action.name, args };
  return { ok: true, command: alternatives.length === 0 ? command : { ...command, alternatives } };
}

function wrongForm(action: VocabularyAction, rest: Rest): Problem {
  const forms = spokenForms(action.name, action.grammar).join(' or ');
  const written = withoutStop(rest.text);
  const understood =
    written === ''
      ? `I read ${action.name} with nothing after it.`
      : `I read ${action.name}, but not what follows: ${shown(written)}.`;
  return problem('bad-argument', `${understood} Write ${forms}.`);
}

function unknownAction(text: string, vocabulary: Vocabulary): Problem {
  const names = vocabulary.map((action) => action.name);
  const first = /^[^\s:(]+/.exec(text)?.[0] ?? '';
  const isNegated = /^(?:do not|don't|not|never|no)\b/i.test(text);
  const close = isNegated ? undefined : nearest(first, [...verbsOf(vocabulary).keys()]);
  const hint = close === undefined ? '' : ` Did you mean ${close}?`;
  const isVerb = /^[A-Z_]{2,}$/.test(first) || withoutStop(first) === withoutStop(text);
  const told = isVerb
    ? `There is no action ${shown(withoutStop(first))}; I read ${shown(text)}.`
    : `I read ${shown(text)}, which does not begin with an action.`;
  return problem('unknown-action', `${told}${hint} The actions are ${names.join(', ')}.`);
}

/** A part of the agent's own reply as a problem's message repeats it. */
export function shown(text: string): string {
  return quoted(text, 60);
}

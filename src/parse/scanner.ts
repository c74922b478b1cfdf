/**
 * Finds the one line of a reply that may count (DESIGN section 7): the last explicit answer; where there is none, the one
 * whole-line command. In goes the normalised text, out comes a place in it or a problem. Linear.
 *
 * Nothing is taken out of prose, quotations, negations or lists of choices. Where two readings differ and neither is
 * marked as the answer, none counts.
 */
import { LIMITS } from '../base/limits.js';
import { problem } from '../base/problem.js';
import { readVerb } from './command-line.js';
import { doubtOf } from './doubts.js';
import type { Label } from './labels.js';
import { commandLineOf, findLabels } from './labels.js';
import { announces } from './lead-in.js';
import type { Answer } from './place.js';
import { lineBefore } from './place.js';
import type { Vocabulary } from './protocol.js';
import { foreignShape } from './shapes.js';
import { findWholeLine } from './whole-line.js';

export function findAnswer(text: string, vocabulary: Vocabulary): Answer {
  const all = findLabels(text);
  if (all.length > LIMITS.replyCandidates) return tooMany();
  const { labels, ownEnd } = countingLabels(text, all, vocabulary);
  const last = labels.at(-1);
  if (last !== undefined) return explicitAnswer(text, last, { before: labels.at(-2), ownEnd }, vocabulary);
  const shape = foreignShape(text);
  return shape === null
    ? findWholeLine(text, vocabulary)
    : { ok: false, rung: null, place: null, problem: shape };
}

function tooMany(): Answer {
  const message = `Your reply holds more than ${LIMITS.replyCandidates} answers. Give exactly one.`;
  return { ok: false, rung: null, place: null, problem: problem('ambiguous', message) };
}

/** What a model writes when it plays the program's part as well; whatever follows an answer and this is invented. */
const INVENTED =
  /^[# <[(]{0,4}(?:(?:observation|user|human|environment|system|assistant|result|outcome|game|world|narrator|用户|系统)\b ?(?:\d{1,4} ?)?(?:[:>\])]|$)|(?:用户|系统|观察) ?:|turn \d{1,5}\.? ?$|you may now:)/gim;

/** A chat role glued to the command ends the reply as well; the command itself is then refused. */
const GLUED_ROLE = /\S(?:assistant|user|model|system)$/;

interface Counting {
  readonly labels: readonly Label[];
  /** Where the agent's own words end. */
  readonly ownEnd: number;
}

/** The labels that may be the answer: strong before weak, none that is shown or told of, none of an invented turn. */
function countingLabels(text: string, found: readonly Label[], vocabulary: Vocabulary): Counting {
  const all = found.filter((label) => !isTold(text, label));
  const strong = all.filter((label) => label.strength === 'strong');
  const labels = strong.length > 0 ? strong : all.filter((label) => beginsWithVerb(text, label, vocabulary));
  const first = labels[0];
  if (first === undefined) return { labels, ownEnd: text.length };
  if (GLUED_ROLE.test(text.slice(Math.max(first.start, first.end - 20), first.end))) {
    return { labels: [first], ownEnd: first.end };
  }
  INVENTED.lastIndex = first.end;
  const ownEnd = INVENTED.exec(text)?.index ?? text.length;
  return { labels: labels.filter((label) => label.at < ownEnd), ownEnd };
}

function beginsWithVerb(text: string, label: Label, vocabulary: Vocabulary): boolean {
  const line = commandLineOf(text, label);
  return line !== null && readVerb(text.slice(line.start, line.end), vocabulary) !== null;
}

/** An example, a format, somebody's words, a thing not to do: the label is talked about, not used. */
const TELLS =
  /(?:\b(?:examples?|formats?|templates?|e\.g\.?|for instance|previous(?:ly)?|last turn|earlier|instructions?|says?|said|reads?|wrote|told me|shout(?:s|ed)|heard|whisper(?:s|ed)|announced?|(?:not|never|n't) (?:do|choose|use|pick|answer|reply|say|write|send|output|give|take)|instead of|wrong|bad|incorrect|invalid)\b[^\n:]{0,60}):$/i;

function isTold(text: string, label: Label): boolean {
  return isIntroduced(text, label.at) || isStruck(text, label) || isWrapped(text, label);
}

function isIntroduced(text: string, at: number): boolean {
  let last = at - 1;
  while (last > at - 50 && /\s/.test(text.charAt(last))) last--;
  if (text[last] !== ':') return false;
  const before = lineBefore(text, at);
  return TELLS.test(before) && !announces(before);
}

const TAG = /<(\/?)([a-z][a-z_-]{0,30})(?:\s[^<>]{0,80})?>|<!--|-->/gi;
const ANSWERS =
  /^(?:action|final_action|command|answer|final_answer|final|output|response|result|reply|br|p|b|i|u|strong|em|code|pre)$/i;

/** Inside a pair of tags that are not an answer's, such as `<example>` or a comment. Looks 2,000 characters around. */
function isWrapped(text: string, label: Label): boolean {
  const above = text.slice(Math.max(0, label.at - 2000), label.at);
  if (!above.includes('<')) return false;
  const open: string[] = [];
  for (const [tag, slash, name = '!--'] of above.matchAll(TAG)) {
    if (tag === '-->' || slash === '/') open.splice(open.lastIndexOf(name.toLowerCase()) >>> 0);
    else if (!ANSWERS.test(name)) open.push(name.toLowerCase());
  }
  if (open.length === 0) return false;
  const rest = text.slice(label.end, label.end + 2000).toLowerCase();
  return open.some((name) => rest.includes(name === '!--' ? '-->' : `</${name}>`));
}

/** Struck out, crossed or negated by a sign: `~~ACTION: …~~`, `❌ ACTION: …`, `ACTION: !GO EAST`. */
const CROSSED = /~~|[❌❎✗✘✖🚫⛔🛑👎🙅]/u;

function isStruck(text: string, label: Label): boolean {
  const line = text.slice(label.at, Math.min(label.end, label.at + 300));
  const spoken = line.indexOf('"');
  const unquoted = spoken < 0 ? line : line.slice(0, spoken);
  return CROSSED.test(unquoted) || /^[!¬≠~]/.test(text.slice(label.start, label.start + 1));
}

function explicitAnswer(
  text: string,
  label: Label,
  around: { readonly before: Label | undefined; readonly ownEnd: number },
  vocabulary: Vocabulary,
): Answer {
  const rung = label.kind;
  const place = commandLineOf(text, label);
  if (place === null || place.start >= place.end) {
    const nothing = problem(
      'unparsable',
      'Your answer has nothing after ACTION:. Write the command on that same line.',
    );
    return { ok: false, rung, place: null, problem: nothing };
  }
  const doubt =
    foreignShape(text.slice(label.start).trimStart()) ??
    doubtOf(text, { ...around, label, place }, vocabulary);
  return doubt === null ? { ok: true, rung, place } : { ok: false, rung, place, problem: doubt };
}

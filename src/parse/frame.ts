/**
 * Whether an answer is the agent's own, by what stands right before it. Reasoning is free; but the last words before an answer may
 * quote it, deny it, tell of it or make it a condition, and then it is none. In goes a normalised text and a place in it.
 *
 * Words that lead on (a colon, a half sentence) must be known to announce one's own answer. A finished sentence is refused only where it
 * speaks of the answer itself, or where the sentences before it did so plainly. Doubt refuses: the agent is asked again.
 */
import { lineBefore, nextLine } from './place.js';
import type { Vocabulary } from './protocol.js';
import { isShort, turnsAnswer } from './remark.js';
import { verbsOf } from './verbs.js';
import {
  CATAPHORIC,
  FOREIGN_DENIAL,
  FOREIGN_THIS,
  FRAGMENT,
  GOES_ON,
  MAKE_BELIEVE,
  OF_THE_ANSWER,
  OWN_ANSWER,
  OWN_START,
  PLAIN_ANNOUNCING,
  REFUSING,
  TELLING,
} from './frame-words.js';

/** The words that lead to the place `at`: those before it on its line, or the line before; at most 200 characters. */
export function leadOf(text: string, at: number): string {
  const start = text.lastIndexOf('\n', at - 1) + 1;
  const beside = text.slice(Math.max(start, at - 200), at);
  return bare(beside) === '' ? lineBefore(text, at) : beside.trimEnd();
}

/** Without marks of lists, headings and emphasis around it, and without pictures. */
function bare(line: string): string {
  const plain = withoutPictures(line);
  return plain.replace(/^[\s#>*_+\-|([]+/, '').replace(/[\s#*_|]+$/, '');
}

const PICTURE = '(?:(?![❌❎✗✘✖🚫⛔🛑👎🙅🙈])\\p{So}|[\\u{1F3FB}-\\u{1F3FF}])';
const PICTURES = new RegExp(`^(?:${PICTURE}| )+|(?: ?${PICTURE})+ ?$`, 'gu');

/** A picture says nothing of the answer beside a sentence, unless it crosses out. */
function withoutPictures(line: string): string {
  return line.replace(PICTURES, '');
}

/** A closing tag, a control token, or an answer's own opening tag. */
const TAG =
  /(?:<\/[^<>]{1,80}|<\|[^<>]{1,80}|<(?:action|final_action|command|answer|final_answer|final|output|response|result|reply|br|p|b|code|pre)\s?\/?)>$|&lt;\/[^&]{1,40}&gt;$/i;
const FINISHED = /(?<!\.\.)[.!?。！？]["')\]]*$/;
const LISTED = /^\s*(?:[-+*>]|\d{1,2}[.)]) /;

/**
 * Whether an answer at `at` is the agent's own as far as the words before it show. A heading of a name passes here: whose name
 * it is, is asked with the observation (`headingOf`).
 */
export function isOwn(text: string, at: number, vocabulary: Vocabulary): boolean {
  const lead = leadOf(text, at);
  const line = bare(lead);
  if (line === '' || TAG.test(line) || /^\|.*\|$/.test(lead.trim())) return true;
  // An earlier answer: whether both may stand is asked apart.
  if (/^(?:[^\p{L}]*)(?:\p{L}+ ){0,2}(?:action|answer) ?: ?\S/iu.test(lead)) return true;
  if (announces(lead)) return true;
  if (isDisowned(text, at)) return false;
  const last = lastSentence(line);
  if (isShort(last) && turnsAnswer(last, sentenceBefore(text, at), nextWords(text, at))) return false;
  if (FINISHED.test(line) || endsQuoted(line)) return !disowns(last);
  if (/[:：]\W{0,3}$/.test(line)) return isName(headingOf(lead)) || isIntent(line, vocabulary);
  if (isListedCommand(lead, vocabulary)) return true;
  return !disowns(last) && !(isShort(last) && disowns(`${last}.`)) && leadsOpenly(lead, line);
}

function isName(heading: string | null): boolean {
  return heading !== null && !FRAGMENT.test(heading) && !GOES_ON.test(heading);
}

/** Whether one of the last three sentences speaks of what is to come, such as "Ignore the next line." */
function isDisowned(text: string, at: number): boolean {
  const recent = sentences(text.slice(Math.max(0, at - 400), at).trimEnd()).slice(-3);
  return recent.some((one) => CATAPHORIC.test(one));
}

function sentences(text: string): readonly string[] {
  return text.split(/(?<=[.!?]["')\]]{0,3})\s+|(?<=[。！？])|\n/).filter((one) => /[\p{L}\p{N}]/u.test(one));
}

/** The last sentence of what leads to an answer. */
export function lastSentence(lead: string): string {
  return sentences(bare(lead)).at(-1) ?? '';
}

/** The last sentence but one, on whatever line. */
function sentenceBefore(text: string, at: number): string {
  return (
    sentences(text.slice(Math.max(0, at - 400), at).trimEnd())
      .at(-2)
      ?.trim() ?? ''
  );
}

function nextWords(text: string, at: number): string {
  const line = nextLine(text, at);
  return line === null ? '' : text.slice(line.start, Math.min(line.end, line.start + 200));
}

/** `The rat squeaked: "Go!"` is whole. */
function endsQuoted(line: string): boolean {
  return line.endsWith('"') && line.split('"').length % 2 === 1;
}

function disowns(sentence: string): boolean {
  if (OWN_ANSWER.test(sentence) || OWN_START.test(sentence)) return false;
  return (
    [OF_THE_ANSWER, TELLING, REFUSING, MAKE_BELIEVE].some((words) => words.test(sentence)) ||
    isForeignDenial(sentence)
  );
}

const FOREIGN_WORDS_MAX = 8;

/** `Das ist falsch.`, `Ne fais pas ça.`: a short sentence that says of `this` that it is wrong or not done. Longer ones reason. */
function isForeignDenial(sentence: string): boolean {
  const words = sentence.trim().split(' ').length;
  return words <= FOREIGN_WORDS_MAX && FOREIGN_THIS.test(sentence) && FOREIGN_DENIAL.test(sentence);
}

/** A line without a full stop that can stand for a sentence: a note (`key first`), an item, a clause of four words. */
function leadsOpenly(lead: string, line: string): boolean {
  const words = line.replace(/ \([^()]*\)$/, '').replace(/[\s,;.…-]+$/, '');
  if (
    FRAGMENT.test(words) ||
    (GOES_ON.test(words) && !/^\p{L}+ it is$/u.test(words)) ||
    /["'/)]$/.test(words)
  )
    return false;
  if (/^\s*#/.test(lead)) return false;
  if (LISTED.test(lead)) return true;
  const count = Math.max(words.split(' ').length, Math.floor(words.replace(/[ -~]/g, '').length / 2));
  // "Hmm..." trails off; "The crowd roars -" leads on to the crowd's words.
  const isCut = isShort(words) ? /[-,]$/.test(line) : /[-…,]$|\.\.\.$/.test(line);
  if (isCut && count < 8 && !/(?:^|[^\p{L}])(?:I|me|my|we|us)(?=\P{L})/u.test(words)) return false;
  return count >= 4 || ((count >= 2 || /^[\p{L}'-]+$/u.test(words)) && headingOf(lead) === null);
}

const NAME = /^[^\p{L}\p{N}<&/]*((?:[\p{L}\p{N}'_-]+ ?){1,3})(?:\([^()]{0,40}\))?[^\p{L}\p{N},.!?]*$/u;
/** Words that are no name, as a reply's own notes have them: `Waiting`, `Door locked`, `So I wait`; not `Giant Rat`, `The king`. */
const NOTE =
  /^\p{L}{3,}(?:ing|ed|wards?|ING|ED)$|^(?!(?:The|An?|My|His|Her|Its|Our|Your|Their|This|That) )\S+ (?:.* )?\p{Ll}|^\p{Ll}\S* |\b(?:first|now|again|north|south|east|west)$/u;
const INTERJECTION =
  /^(?:h+m+|u+m+|u+h+|o+h|a+h|aha|well|yes|yeah|yep|right|now|again|north|south|east|west)$/i;

/** The name or title that a lead is, where it is nothing else: up to three words without a full stop. `key first` is a note. */
export function headingOf(written: string): string | null {
  const lead = withoutPictures(written);
  if (/[.!?,;。！？…]["')\]]*$/.test(lead) || LISTED.test(lead) || announces(lead)) return null;
  const line = bare(lead);
  if (/^(?:i|let)\b/i.test(line) || /\bI\b/.test(line)) return null;
  const name = NAME.exec(lead)?.[1]?.trim() ?? null;
  // Scripts without spaces write whole sentences in one word.
  if (name !== null && name.replace(/[ -~]/g, '').length > 8 && !name.includes(' ')) return null;
  const isMarked = line !== lead.trim() || /[^\p{L}\p{N}]$/u.test(line);
  return name !== null && !isMarked && (NOTE.test(name) || INTERJECTION.test(name)) ? null : name;
}

/** Whether the words announce the agent's own answer and say nothing else. */
export function announces(lead: string): boolean {
  const clause = bare(sentences(lead).at(-1) ?? '')
    .replace(/[:：,.!([\])]/g, ' ')
    .replace(/^\s*\d{1,2} /, '')
    .toLowerCase()
    .trim();
  return FORMAL.test(clause) || clause.split(/\s+/).every((word) => PLAIN_ANNOUNCING.has(word));
}

const FORMAL =
  /^(?:in the (?:required|requested|given|right) format|(?:following|as per|per) the instructions|step \d{1,2}|let me (?:think|see|check)|let's (?:think|see)|here (?:goes|we go|i go)|time to (?:act|decide|move|go))$/;

/** A choice of an echoed or weighed list, which says nothing about the answer after it. */
function isListedCommand(lead: string, vocabulary: Vocabulary): boolean {
  const word = /^(?:[-+>]|\d{1,2}[.)]) ([A-Z_]+)(?: |$)/.exec(lead)?.[1];
  return word !== undefined && verbsOf(vocabulary).has(word);
}

const INTENT =
  /^(?:.*[.!?] )?(?:(?:so|now|therefore|then),? )*(?:i will|i'll|i shall|let me|let's)(?: now| then)? ([a-z]+)\b([^.!?:]*):$/i;
/** `I choose:`, `The way is free, so I go:` */
const CHOICE =
  /^(?:.*[.!?] )?(?:[^.!?:]*, (?:so|and so|therefore|hence|thus) |(?:(?:so|now|therefore|then|thus|hence),? )*)i (?:now |then )?(?:choose|decide|pick|select|act|go|walk|move|wait|stay|take|open|use|push)(?: now| so| on| this way)?:$/i;
const MOVES = ['go', 'walk', 'move', 'head', 'pick', 'grab'];
const CONDITION = /\b(?:not|never|if|when|once|unless|after|until|like|as|but|or)\b|n't\b/i;

/** `I will take the key:`, with a verb of the vocabulary and no condition. */
function isIntent(line: string, vocabulary: Vocabulary): boolean {
  const clause = sentences(line).at(-1) ?? line;
  if (CHOICE.test(line))
    return !disowns(line) && !/\b(?:if|when|once|unless|until|were|would|could|says?|said)\b/i.test(clause);
  const intent = INTENT.exec(line);
  const verb = intent?.[1]?.toLowerCase() ?? '';
  const isKnown = MOVES.includes(verb) || verbsOf(vocabulary).has(verb.toUpperCase());
  return isKnown && !disowns(line) && !CONDITION.test(intent?.[2] ?? '');
}

const OWN_WISH =
  /^(?:(?:so|now|then|therefore|okay|thus),? )?(?:i (?:will|shall|choose|decide|want|need|have to|must|prefer|go|am going|think (?:i|it|that|the best|going))|i'll|i'm going|let me|let's)\b/i;
const DOUBTING =
  /\b(?:not|never|no|if|unless|or|but|would|could|might|maybe|perhaps|until|when|after|what|says?|said)\b|n't\b|[?:"]/i;

/** More is no wish; this also bounds the work. */
const WISH_MAX = 600;

/** Whether a text is nothing but what the agent means to do, in whole sentences: `I think it is best to stay.` */
export function isOwnWish(text: string): boolean {
  if (text.trim().length > WISH_MAX) return false;
  return sentences(text).every((one) => {
    const line = bare(one);
    return FINISHED.test(line) && OWN_WISH.test(line) && !DOUBTING.test(line) && !disowns(line);
  });
}

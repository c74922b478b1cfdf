/**
 * What may stand right before an answer: nothing, a finished sentence, a whole statement that lacks its full stop, or words
 * known to announce an answer (`So my action is:`). A heading of up to three words may be the agent's own name; whose name it is
 * is checked with the observation. All else may quote, attribute or forbid the answer, and refuses it.
 */
import { lineBefore } from './place.js';
import type { Vocabulary } from './protocol.js';
import { verbsOf } from './verbs.js';

/** The words that lead to the place `at`: those before it on its line, or the line before. */
export function leadOf(text: string, at: number): string {
  const start = text.lastIndexOf('\n', at - 1) + 1;
  const beside = at - start > 200 ? text.slice(at - 200, at) : text.slice(start, at);
  return bare(beside) === '' ? lineBefore(text, at) : beside.trimEnd();
}

/** Without marks of lists, headings and emphasis around it. */
function bare(line: string): string {
  return line.replace(/^[\s#>*_+\-|]+/, '').replace(/[\s#*_|]+$/, '');
}

const ANNOUNCING = new Set(
  `so therefore thus hence now finally accordingly conclusion in my the final chosen selected next best own action answer command
  decision choice move response reply output is are will be i shall do here here's this clear option reason reasoning thought thoughts
  ok okay sure alright thinking analysis summary explanation situation goal step update reflection`.split(
    /\s+/,
  ),
);
const FORMAL =
  /^(?:in the (?:required|requested|given|right) format|(?:following|as per|per) the instructions|step \d{1,2})$/;

/** Whether the words announce the agent's own answer and say nothing else. */
export function announces(lead: string): boolean {
  const clause = bare(lead.slice(lead.replace(/[.!?]+$/, '').search(/[^.!?]*$/)))
    .replace(/[:,([\])]/g, ' ')
    .replace(/^\s*(?:\d{1,2}\. )?/, '')
    .toLowerCase()
    .trim();
  return FORMAL.test(clause) || clause.split(/\s+/).every((word) => ANNOUNCING.has(word));
}

const LISTED = /^\s*(?:[-+*>]|\d{1,2}[.)]) /;
const NAME = /^[^\p{L}\p{N}<&/]*((?:[\p{L}\p{N}'_-]+ ?){1,3})(?:\([^()]{0,40}\))?[^\p{L}\p{N},.!?]*$/u;

/** The name or title that a lead is, where it is nothing else: up to three words without a full stop. */
export function headingOf(lead: string): string | null {
  if (/[.!?,;。！？]["')\]]*$/.test(lead) || LISTED.test(lead) || announces(lead)) return null;
  if (/^(?:i|let)\b/i.test(bare(lead))) return null;
  return NAME.exec(lead)?.[1]?.trim() ?? null;
}

/** Words of a sentence that shows, tells or forbids what follows it. */
const TELLS =
  /\b(?:says?|said|reads?:?$|wrote|writ(?:es?|ten)|scratched|carved|painted|engraved|shout\w*|whisper\w*|announce[sd]?|speaks?|spoke|examples?|formats?|templates?|e\.g|for instance|forbidden|instead of|refuse|avoid|opposite|would (?:do|be|have))\b/i;
/** No sentence ends with these. */
const GOES_ON =
  /(?:\b(?:to|of|in|on|at|by|with|as|from|for|like|than|is|are|was|were|be|been|do|does|did|done|doing|should|would|could|must|will|shall|can|may|might|and|or|but|not|never|the|an?|my|your|his|her|its|their|this|that|these|those|following|if|whether|when|because|i|you|he|she|we|they|says|said|thinks?|wants?|does|tells?|asks?)|n't)$/i;
/** A finished sentence that still tells who said the next one. */
const ATTRIBUTES =
  /(?:^|[.!?] )[^.!?]{0,60}\b(?:says|said|asks|wrote|shouts|thinks|speaks|e\.g)(?: (?:this|so|that|it))?[.!]$/i;

/** A closing tag, a control token, or an answer's own opening tag. */
const TAG =
  /(?:<\/[^<>]{1,80}|<\|[^<>]{1,80}|<(?:action|final_action|command|answer|final_answer|final|output|response|result|reply|br|p|b|code|pre)\s?\/?)>$|&lt;\/[^&]{1,40}&gt;$/i;

/** Whether an answer after `lead` is the agent's own as far as its words show. */
export function leadsToAnswer(lead: string, vocabulary: Vocabulary): boolean {
  const line = bare(lead);
  if (/^[-=>|\s[(]*$/.test(line) || TAG.test(line)) return true;
  if (/\b(?:action|answer) ?: ?\S|^\|/i.test(lead) || isListed(lead, vocabulary)) return true;
  if (/[.!?…]["')\]]*$/.test(line) && !/(?:\.\.\.|…)$/.test(line)) return !ATTRIBUTES.test(line);
  if (announces(lead) || headingOf(lead) !== null || isIntent(line, vocabulary)) return true;
  if (LISTED.test(lead)) return !/[:'"/]$/.test(line) && !TELLS.test(line) && !GOES_ON.test(line);
  return !/[:'"/]$/.test(line) && isStatement(line);
}

/** A choice of an echoed or weighed list, which says nothing about the answer after it. */
function isListed(lead: string, vocabulary: Vocabulary): boolean {
  const word = /^(?:[-+>]|\d{1,2}[.)]) ([A-Z_]+)(?: |$)/.exec(lead)?.[1];
  return word !== undefined && verbsOf(vocabulary).has(word);
}

const INTENT =
  /^(?:.*[.!?] )?(?:(?:so|now|therefore|then),? )*(?:i will|i'll|i shall|let me)(?: now| then)? ([a-z]+)\b[^.!?:]*:$/i;
const MOVES = ['go', 'walk', 'move', 'head', 'pick', 'grab'];

/** `I will take the key:`, with a verb of the vocabulary and no condition. */
function isIntent(line: string, vocabulary: Vocabulary): boolean {
  const verb = INTENT.exec(line)?.[1]?.toLowerCase() ?? '';
  const isKnown = MOVES.includes(verb) || verbsOf(vocabulary).has(verb.toUpperCase());
  return isKnown && !TELLS.test(line) && !/\b(?:not|never|if|when|after|until|like|as|but|or)\b/i.test(line);
}

/** Four words at least, none that tell of others' words, and an end that a sentence may have. */
function isStatement(line: string): boolean {
  const words = line.replace(/,$/, '').trim();
  return (
    words.split(' ').length >= 4 && /^[\p{Lu}\d]/u.test(words) && !TELLS.test(words) && !GOES_ON.test(words)
  );
}

/** Whether a line without a label may be the answer after `lead`: only after nothing or a finished sentence. */
export function isFinished(lead: string): boolean {
  const line = bare(lead);
  if (line === '' || TAG.test(line)) return true;
  return /[.!?]["')\]]*$/.test(line) && !line.endsWith('...') && !ATTRIBUTES.test(line);
}

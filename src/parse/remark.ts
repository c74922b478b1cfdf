/**
 * Remarks: sentences of three words at most, such as `Locked.` or `Key found!`, as agents end their reasoning. So short a sentence is
 * about the situation or about oneself unless it is of a kind that denies, shows or gives away the answer after it. In goes a sentence,
 * out comes whether it does so; `frame.ts` asks, and judges longer ones.
 *
 * What is refused is listed, not what is accepted: remarks are without number, and the kinds of words that turn an answer into none are few.
 */
import {
  ANOTHERS,
  ASKING,
  BARE_DENIAL,
  ELSEWHEN,
  FOREIGN_BARE_DENIAL,
  FOREIGN_SHOWING,
  SHOWING,
} from './remark-words.js';

const WORDS_MAX = 3;
/** Of scripts that write without spaces. */
const WIDE_MAX = 8;
const WIDE = /[\u3000-\u9fff\uac00-\ud7af]/g;

/** Whether a sentence is short enough for its every word to matter. */
export function isShort(sentence: string): boolean {
  const words = wordsOf(sentence);
  return words.split(' ').length <= WORDS_MAX && (words.match(WIDE)?.length ?? 0) <= WIDE_MAX;
}

/** Lower case, without marks and pictures; apostrophes and the dashes within words stay. */
function wordsOf(sentence: string): string {
  const letters = sentence.toLowerCase().replace(/[^\p{L}\p{M}\p{N}' -]+/gu, ' ');
  return letters
    .replace(/(?<= |^)[' -]+|[' -]+(?= |$)/g, ' ')
    .replace(/ {2,}/g, ' ')
    .trim();
}

/** A question, or a thought of what might be done: what says no after it says no to it. */
const WEIGHED = /\?["')\]]*$|\b(?:could|might|may|maybe|perhaps|tempting|tempted)\b/i;

/**
 * Whether a short sentence turns the answer after it, `command`, into something else. `before` is the sentence before it; '' for none.
 * A word that the command holds too makes it a note of what is done: `Sign first.` before READ sign.
 */
export function turnsAnswer(sentence: string, before: string, command: string): boolean {
  const words = wordsOf(sentence);
  if (BARE_DENIAL.test(words) || FOREIGN_BARE_DENIAL.test(words)) return !WEIGHED.test(before);
  if (ELSEWHEN.test(words) || FOREIGN_SHOWING.test(words)) return true;
  if (sentence.includes('?') && ASKING.test(words)) return true;
  return (SHOWING.test(words) || ANOTHERS.test(words) || BARE_NAME.test(words)) && !isNamed(words, command);
}

/** Somebody or something with its article and nothing more, as a heading has it: `The king.` */
const BARE_NAME = /^(?!my turn$)(?:the|my|his|her|their|your|its|our|this|that|these|those) \p{L}+$/u;

/** Whether the command holds one of the words, its label and articles aside. */
function isNamed(words: string, command: string): boolean {
  const done = wordsOf(command.replace(/^[^:]{0,40}:/, '')).split(' ');
  return words.split(' ').some((word) => word.length > 2 && word !== 'the' && done.includes(word));
}

/** What a short sentence names and says no more of, as `The knight.` does; null where it calls out, asks or tells of something new. */
export function bareNameOf(sentence: string): string | null {
  if (!isShort(sentence) || /[!?]/.test(sentence)) return null;
  const words = wordsOf(sentence);
  if (/^an? /.test(words)) return null;
  return words.replace(/^(?:(?:from|by|for|to|as|dear) )?(?:the |my )?/, '').replace(/ \p{L}+ly$/u, '');
}

/**
 * The free words within a guided form: a thought before the answer, what is said, a name that the world does not list. Out come
 * patterns. Each holds nothing that a reader could take for a mark, an answer or an end of its own, so that every reply of a form is
 * read; that is why a thought is followed by a line that says the answer is meant.
 */
import type { Pattern } from './pattern.js';
import { characters, inOrder, literal, maybe, regexOf } from './pattern.js';

/** The thought within an object, where no reader looks. */
const THOUGHT_CHARACTERS = 600;
/** Letters of any script that no reader folds, drops or takes for a mark. */
const LETTERS = 'A-Za-z0-9À-ÖØ-öø-ɏͰ-ͽΆΈ-ԯא-תء-يऄ-हぁ-ゖァ-ヺ㐀-䶿一-鿿가-힣';
/** However a thought ends, the words after it are the agent's own answer. */
const LEAD = 'So my action is:\n';

/** One line of any words without colons, quotation marks and brackets, then the lead. May be left out, since some models think elsewhere. */
export function thought(before: string): Pattern {
  const words = inOrder(
    characters(LETTERS, 1, 1),
    characters(`${LETTERS} ,;.!?'-`, 0, THOUGHT_CHARACTERS),
    characters('.!?', 1, 1),
  );
  return maybe(inOrder(literal(before), words, literal(`\n${LEAD}`)));
}

/** A name of anything. */
export function anyName(): Pattern {
  return inOrder(characters(LETTERS, 1, 1), characters(`${LETTERS} '-`, 0, 59));
}

/** Words that need no escape in any protocol: no quotation marks, no brackets. */
export function spoken(charactersMax: number): Pattern {
  const rest = characters(`${LETTERS}、。，！？ :.,;!?'()-`, 0, charactersMax - 1);
  return charactersMax > 1 ? inOrder(characters(LETTERS, 1, 1), rest) : characters(LETTERS, 1, 1);
}

/** The pattern of a text in a JSON Schema. */
export function wholeText(pattern: Pattern): string {
  return `^${regexOf(pattern)}$`;
}

/** The thought of an object, which may be empty. */
export function thoughtText(): string {
  return wholeText(maybe(spoken(THOUGHT_CHARACTERS)));
}

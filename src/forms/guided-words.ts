/**
 * Patterns for the free text within a guided form: a thought before the answer, an utterance, a name that the
 * world does not list. None of them can contain anything that a parser could take for a mark, an answer or
 * the end of the turn, so every reply in a guided form can be parsed. For the same reason, a line that
 * announces the answer follows a thought.
 */
import type { Pattern } from './pattern.js';
import { characters, inOrder, literal, maybe, regexOf } from './pattern.js';

/** The thought within an object, which the parser ignores. */
const THOUGHT_CHARACTERS = 600;
/** Letters of any script that no parser folds, drops or takes for a mark. */
const LETTERS = 'A-Za-z0-9À-ÖØ-öø-ɏͰ-ͽΆΈ-ԯא-תء-يऄ-हぁ-ゖァ-ヺ㐀-䶿一-鿿가-힣';
/** However a thought ends, the words after it are the agent's answer. */
const ANNOUNCEMENT = 'So my action is:\n';

/**
 * One line of any words without colons, quotation marks and brackets, then the announcement. Optional,
 * because some models reason elsewhere.
 */
export function thought(prefix: string): Pattern {
  const sentence = inOrder(
    characters(LETTERS, 1, 1),
    characters(`${LETTERS} ,;.!?'-`, 0, THOUGHT_CHARACTERS),
    characters('.!?', 1, 1),
  );
  return maybe(inOrder(literal(prefix), sentence, literal(`\n${ANNOUNCEMENT}`)));
}

/** A name of anything. */
export function anyName(): Pattern {
  return inOrder(characters(LETTERS, 1, 1), characters(`${LETTERS} '-`, 0, 59));
}

/** Words that need no escapes in any protocol: no quotation marks, no brackets. */
export function spokenText(charactersMax: number): Pattern {
  const rest = characters(`${LETTERS}、。，！？ :.,;!?'()-`, 0, charactersMax - 1);
  return charactersMax > 1 ? inOrder(characters(LETTERS, 1, 1), rest) : characters(LETTERS, 1, 1);
}

/** The pattern of a text in a JSON Schema. */
export function wholeText(pattern: Pattern): string {
  return `^${regexOf(pattern)}$`;
}

/** The thought of an object, which may be empty. */
export function thoughtText(): string {
  return wholeText(maybe(spokenText(THOUGHT_CHARACTERS)));
}

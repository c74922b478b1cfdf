/** What the instructions of several protocols say alike. */
import type { Vocabulary, VocabularyAction } from './vocabulary.js';

export const NAMES_RULE = 'Use names as they are told to you.';

/** What the question mark in some of the lines means; nothing where there is none. */
export function optionalRule(help: readonly string[]): readonly string[] {
  const hasOptional = help.some((line) => line.includes('"?: '));
  return hasOptional ? ['What has a question mark may be left out.'] : [];
}

/** The line above the list of actions; it says what a free action is, where there is one. */
export function helpHeading(what: string, vocabulary: Vocabulary): string {
  const hasFree = vocabulary.some(({ cost }) => cost === 'free');
  return hasFree ? `${what} (free actions cost no turn):` : `${what}:`;
}

export function costNote({ cost }: VocabularyAction): string {
  return cost === 'free' ? ' Free action.' : '';
}

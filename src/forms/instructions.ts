/** The instructions that several protocols share. */
import type { Vocabulary, VocabularyAction } from './vocabulary.js';

export const NAMES_RULE = 'Use names as they are told to you.';

/** The meaning of the question mark in some of the lines; nothing if there is none. */
export function optionalRule(help: readonly string[]): readonly string[] {
  const hasOptional = help.some((line) => line.includes('"?: '));
  return hasOptional ? ['What has a question mark may be left out.'] : [];
}

/** The line above the list of actions, which explains free actions if there are any. */
export function helpHeading(title: string, vocabulary: Vocabulary): string {
  const hasFree = vocabulary.some(({ cost }) => cost === 'free');
  return hasFree ? `${title} (free actions cost no turn):` : `${title}:`;
}

export function costNote({ cost }: VocabularyAction): string {
  return cost === 'free' ? ' Free action.' : '';
}

/** An act in the words in which it was requested. */
import type { ActView } from '../../replay/step-view.js';

/** The action as it was understood; '' if it was not. Free text is in quotation marks. */
export function wordsOf({ accepted, intent }: ActView): string {
  if (accepted !== null) return accepted.words;
  if (intent === null) return '';
  const values = Object.values(intent.args).map(String);
  return [intent.action, ...values.map((one) => (ID.test(one) ? one : JSON.stringify(one)))].join(' ');
}

/** Ids of things, directions and numbers. */
const ID = /^[a-z0-9_#-]+$/;

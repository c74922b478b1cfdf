/**
 * What may follow an answer: nothing but marks that close something. A list of what is allowed, since whatever else stands there may
 * take the answer back, go on to another one or show that it was somebody else's, in any language.
 */
const CLOSING_TAG = /<(?:\/[a-z_]{1,20}|\|[a-z_]{1,20}\|)>/gi;
const MARKS = /^[\s.*_#`|=\-)\]}$]*$/;
/** A longer end closes nothing; this also bounds the work. */
const END_MAX = 600;

/** Whether nothing but closing marks stands in `text`: brackets, rules, fences, tags, control tokens. */
export function isClosing(text: string): boolean {
  return text.length <= END_MAX && MARKS.test(text.replace(CLOSING_TAG, ''));
}

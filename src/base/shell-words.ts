/**
 * Splits and joins the words of a command as a shell does: text is split at spaces, with '…' taken literally,
 * "…" in which \" and \\ are escapes, and \ before any other character outside quotes. Nothing is expanded:
 * no variables, no wildcards, no pipes.
 */

/** The words; null if a quotation mark is never closed, or a backslash ends the text. */
export function splitWords(text: string): readonly string[] | null {
  const words: string[] = [];
  const token = /\s+|'([^']*)'|"((?:[^"\\]|\\[\s\S])*)"|\\([\s\S])|([^\s'"\\]+)/y;
  let word: string | null = null;
  while (token.lastIndex < text.length) {
    const match = token.exec(text);
    if (match === null) return null;
    const [, single, double, escaped, plain] = match;
    const part = single ?? double?.replace(/\\(["\\])/g, '$1') ?? escaped ?? plain;
    if (part !== undefined) word = (word ?? '') + part;
    else if (word !== null) {
      words.push(word);
      word = null;
    }
  }
  return word === null ? words : [...words, word];
}

/** A word, quoted so that a shell would read it back unchanged. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./#-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

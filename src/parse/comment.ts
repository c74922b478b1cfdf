/**
 * Where the comment behind a command begins: brackets to the end of the line, or whatever stands after a dash, a full stop or another heading.
 * In go the words after the verb, out comes the place where the command itself ends. Quoted speech holds no comment.
 */

/** A quotation mark, or what may begin a comment. */
const STARTS =
  /"| ?(?=[([])| ?—|(?:^| )-{1,3} |[.!] +(?=[\p{L}\p{N}])| ?#{2,6} ?(?=\p{L})| (?:#|\/\/) (?=\p{L})|^(?=[*_|#]{0,4}\p{Lu}{2,20}: )| (?=[*_|#]{0,4} ?\p{Lu}\p{L}{1,20}(?: \p{L}{1,20}){0,2}[*_]{0,3}:(?:[* ]|$))|(?<=[\p{L}\p{N}"'.)\]])(?:assistant|user|model|system|human)$/gu;
const CLOSERS: Readonly<Record<string, string>> = { '(': ')', '[': ']' };

export interface CommentRules {
  /** What begins with a verb is a second command and no comment. */
  readonly isVerb: (word: string) => boolean;
  /** Behind a command without a label only brackets and a dash begin one. */
  readonly isLabelled: boolean;
}

/** The length of `words` without its comment; null where it has none. Square brackets right after the verb hold its argument. */
export function commentStart(words: string, { isVerb, isLabelled }: CommentRules): number | null {
  let isQuoted = false;
  for (const { 0: mark, index } of words.matchAll(STARTS)) {
    if (mark === '"') {
      isQuoted = !isQuoted;
      continue;
    }
    if (isQuoted) continue;
    const comment = words.slice(index + mark.length);
    if (index === 0 && comment.startsWith('[')) return null;
    const isWhole = CLOSERS[comment.charAt(0)] === undefined || isBracketed(comment);
    const first = /^[^\p{L}]*([\p{L}_]+)/u.exec(comment)?.[1] ?? '';
    const isCommand = mark.trim() !== '' && isVerb(first);
    const isAllowed = isLabelled || /^(?:[([]|[\s—-]+$)/.test(mark.trim() === '' ? comment : mark);
    if (isWhole && isAllowed && !isCommand) return index;
  }
  return null;
}

/** Whether the bracket that opens `text` closes at its end, but for marks. */
function isBracketed(text: string): boolean {
  const open = text.charAt(0);
  const close = CLOSERS[open] ?? '';
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const character = text.charAt(i);
    if (character === open) depth += 1;
    if (character === close) depth -= 1;
    if (depth === 0) return /^[\s.,!*_`~]*$/.test(text.slice(i + 1));
  }
  return false;
}

/**
 * Where the comment behind a command begins: brackets to the end of the line, or whatever stands after a dash, a full stop or another heading.
 * In go the words after the verb, out comes the place where the command itself ends. Quoted speech holds no comment.
 */

/** A quotation mark, or what may begin a comment. */
const STARTS =
  /"| ?(?=[([])| ?—|(?:^| )-{1,3} |[.!] +(?=[\p{L}\p{N}])| ?#{2,6} ?(?=\p{L})| (?:#|\/\/) (?=\p{L})|^(?=[*_|#]{0,4}\p{Lu}{2,20}: )| (?=[*_|#]{0,4} ?\p{Lu}\p{L}{1,20}(?: \p{L}{1,20}){0,2}[*_]{0,3}:(?:[* ]|$))|(?<=[\p{L}\p{N}"'.)\]])(?:assistant|user|model|system|human)$/gu;
const OPENERS: Readonly<Record<string, string>> = { ')': '(', ']': '[' };

export interface CommentRules {
  /** What begins with a verb is a second command and no comment. */
  readonly isVerb: (word: string) => boolean;
  /** Behind a command without a label only brackets and a dash begin one. */
  readonly isLabelled: boolean;
}

/** More of a comment says nothing of how it begins. */
const LOOKED_AT = 40;

/** The length of `words` without its comment; null where it has none. Square brackets right after the verb hold its argument. */
export function commentStart(words: string, { isVerb, isLabelled }: CommentRules): number | null {
  const bracket = lastBracket(words);
  let isQuoted = false;
  for (const { 0: mark, index } of words.matchAll(STARTS)) {
    if (mark === '"') {
      isQuoted = !isQuoted;
      continue;
    }
    if (isQuoted) continue;
    const start = index + mark.length;
    const comment = words.slice(start, start + LOOKED_AT);
    if (index === 0 && comment.startsWith('[')) return null;
    const isBracket = /^[([]/.test(comment);
    const first = /^[^\p{L}]*([\p{L}_]+)/u.exec(comment)?.[1] ?? '';
    const isCommand = mark.trim() !== '' && isVerb(first);
    const isAllowed = isLabelled || isBracket || /^[\s—-]+$/.test(mark);
    if ((!isBracket || start === bracket) && isAllowed && !isCommand) return index;
  }
  return null;
}

/** Where the bracket opens that closes at the end of a text, but for marks; null where there is none. One pass. */
function lastBracket(text: string): number | null {
  let end = text.length - 1;
  while (end >= 0 && ' .,!*_`~'.includes(text.charAt(end))) end--;
  const close = text.charAt(end);
  const open = OPENERS[close];
  if (open === undefined) return null;
  let depth = 0;
  for (let at = end; at >= 0; at--) {
    if (text.charAt(at) === close) depth += 1;
    if (text.charAt(at) === open) depth -= 1;
    if (depth === 0) return at;
  }
  return null;
}

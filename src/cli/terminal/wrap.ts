/** Wraps a line of letters, styled or not, to at most this many, at spaces if there are any. */
export function wrapLetters<Letter>(
  line: readonly Letter[],
  columns: number,
  isSpace: (letter: Letter) => boolean,
): readonly (readonly Letter[])[] {
  const lines: (readonly Letter[])[] = [];
  let remaining = line;
  while (remaining.length > columns) {
    const space = remaining.slice(0, columns + 1).findLastIndex(isSpace);
    const cut = space > 0 ? space : columns;
    lines.push(remaining.slice(0, cut));
    remaining = remaining.slice(space > 0 ? cut + 1 : cut);
  }
  return [...lines, remaining];
}

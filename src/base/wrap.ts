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

/** The same of a text, in code points. */
export function wrapped(line: string, columns: number): readonly string[] {
  return wrapLetters(Array.from(line), columns, (letter) => letter === ' ').map((letters) =>
    letters.join(''),
  );
}

// @ts-check
/** Reads the part of GBNF that guided forms use, from its text alone, and gives a regular expression that accepts the same. */

/** @typedef {{ readonly text: string, at: number }} Reader */

/** The whole grammar must be one rule, `root`. Throws where the text is no such grammar. @param {string} grammar */
export function gbnfRegExp(grammar) {
  const body = /^root ::= (.*)$/s.exec(grammar)?.[1];
  if (body === undefined) throw new Error('no root rule');
  const reader = { text: body, at: 0 };
  const source = alternatives(reader);
  if (reader.at !== body.length)
    throw new Error(`not understood from ${reader.at}: ${body.slice(reader.at, reader.at + 40)}`);
  return new RegExp(`^(?:${source})$`, 'u');
}

/** @param {Reader} reader @returns {string} */
function alternatives(reader) {
  const parts = [items(reader)];
  while (took(reader, '|')) parts.push(items(reader));
  return `(?:${parts.join('|')})`;
}

/** @param {Reader} reader */
function items(reader) {
  const parts = [];
  for (;;) {
    blanks(reader);
    const next = reader.text[reader.at];
    if (next === undefined || next === '|' || next === ')') return parts.join('');
    const [one, times] = [item(reader), count(reader)];
    if (one !== '') parts.push(`(?:${one})${times}`);
  }
}

/** @param {Reader} reader */
function item(reader) {
  if (took(reader, '(')) {
    const inner = alternatives(reader);
    if (!took(reader, ')')) throw new Error(`a group does not end at ${reader.at}`);
    return inner;
  }
  if (reader.text[reader.at] === '"') return literal(reader);
  const found = /^\[([^\]\\^]+)\]/.exec(reader.text.slice(reader.at));
  if (found === null) throw new Error(`no item at ${reader.at}`);
  reader.at += found[0].length;
  return `[${(found[1] ?? '').replace(/-$/, '\\-')}]`;
}

/** @param {Reader} reader */
function literal(reader) {
  const found = /^"((?:[^"\\]|\\.)*)"/.exec(reader.text.slice(reader.at));
  if (found === null) throw new Error(`a literal does not end at ${reader.at}`);
  reader.at += found[0].length;
  const text = (found[1] ?? '').replace(/\\(.)/g, (_, letter) => (letter === 'n' ? '\n' : letter));
  return text.replace(/[\\^$.|?*+()[\]{}/-]/g, (mark) => `\\${mark}`);
}

/** @param {Reader} reader */
function count(reader) {
  const found = /^(?:\?|\{\d+(?:,\d+)?\})/.exec(reader.text.slice(reader.at))?.[0] ?? '';
  reader.at += found.length;
  return found;
}

/** @param {Reader} reader */
function blanks(reader) {
  while (reader.text[reader.at] === ' ') reader.at++;
}

/** @param {Reader} reader @param {string} mark */
function took(reader, mark) {
  blanks(reader);
  if (reader.text[reader.at] !== mark) return false;
  reader.at++;
  return true;
}

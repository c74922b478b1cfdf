/**
 * Turns an error of the YAML parser into a diagnostic: the parser's own words, at the position where the
 * mistake can be corrected (a bracket that is never closed is reported where it opens, not at the end of the
 * file), and what to do about it.
 */
import type { Document, ErrorCode, Node, YAMLError } from 'yaml';
import { isCollection, isNode, isPair, isScalar, visit } from 'yaml';
import type { Diagnostic } from '../base/errors.js';
import type { SourceText } from './source.js';
import { diagnostic, lineAt, positionAt } from './source.js';

const BLOCK = 'begin keys and dashes exactly below those that they belong with';
const HINTS: Partial<Record<ErrorCode, string>> = {
  BAD_ALIAS: 'put the text in quotes',
  BAD_DQ_ESCAPE: "write \\\\ for a backslash, or use ' for the quotes",
  BAD_INDENT: BLOCK,
  BAD_SCALAR_START: 'put the text in quotes',
  BLOCK_AS_IMPLICIT_KEY: `put text with a colon in quotes, and ${BLOCK}`,
  KEY_OVER_1024_CHARS: 'put the text in quotes',
  MISSING_CHAR: `write a colon after each key, and ${BLOCK}`,
  MULTILINE_IMPLICIT_KEY: 'write a colon after each key, and text of several lines in a block: key: |',
  TAB_AS_INDENT: 'indent with spaces',
  UNEXPECTED_TOKEN: 'remove it, or put the whole text in quotes',
};
const IN_BRACKETS = 'write one comma between two entries, and put text with a colon in quotes';

export function syntaxDiagnostic(source: SourceText, document: Document, error: YAMLError): Diagnostic {
  const { code, message } = error;
  let [offset] = error.pos;
  const open = openAt(source, document, offset);
  let suggestion = HINTS[code];
  if (open !== undefined && / end with |^Missing closing /.test(message)) {
    offset = open.range?.[0] ?? offset;
    suggestion = undefined;
  } else if (isCollection(open)) {
    suggestion = IN_BRACKETS;
    if (code === 'BLOCK_IN_FLOW' || code === 'MULTILINE_IMPLICIT_KEY') {
      // A comma may be missing before a key: `{ a: b c: d }`.
      const [, value = ''] = /^([^\s:]+\s+)[^\s:]+\s*:/.exec(source.text.slice(offset)) ?? [];
      offset += value.length;
    }
  }
  offset = visibleOffset(source, offset);
  if (isInVariable(source, offset)) suggestion = 'put a value with ${…} in quotes';
  return diagnostic(source, positionAt(source, offset), { message: `YAML: ${message}`, suggestion });
}

/** The innermost bracket or quotation that is open at an offset. */
function openAt({ text }: SourceText, document: Document, offset: number): Node | undefined {
  let open: Node | undefined;
  visit(document, (_, node) => {
    const [start, end] = (isNode(node) ? node.range : null) ?? [Infinity, 0];
    if (start > offset || end < offset) return;
    if (isScalar(node) && node.type?.startsWith('QUOTE') === true) open = node;
    if (!isCollection(node) || node.flow !== true) return;
    // Without its own bracket, it ends where its last entry does.
    const last: unknown = node.items.at(-1);
    const entry: unknown = isPair(last) ? (last.value ?? last.key) : last;
    const isClosed = /[}\]]/.test(text.charAt(end - 1)) && !(isNode(entry) && entry.range?.[1] === end);
    if (end > offset || !isClosed) open = node;
  });
  return open;
}

/** The parser may point at the spaces before a text, or after the last line with content. */
function visibleOffset(source: SourceText, offset: number): number {
  const isBlank = lineAt(source, positionAt(source, offset).line).trim() === '';
  if (isBlank) return Math.max(0, source.text.slice(0, offset).trimEnd().length - 1);
  return offset + source.text.slice(offset).search(/[^ ]|$/);
}

function isInVariable(source: SourceText, offset: number): boolean {
  const { line } = positionAt(source, offset);
  return source.text.slice(source.lineStarts[line - 1] ?? 0, offset + 2).includes('${');
}

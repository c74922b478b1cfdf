/**
 * Turns an error of the YAML parser into a diagnostic at the position where it can be fixed: a bracket that
 * is never closed is reported where it opens, not at the end of the file.
 */
import type { ErrorCode } from 'yaml';
import { CST, Lexer } from 'yaml';
import type { Diagnostic } from '../base/errors.js';
import type { SourceText } from './source.js';
import { diagnostic, lineAt, positionAt } from './source.js';
import { syntaxMessage } from './syntax-words.js';
import type { SyntaxMessage } from './syntax-words.js';

export interface SyntaxFault {
  readonly code: ErrorCode;
  readonly offset: number;
}

export function syntaxDiagnostic(source: SourceText, fault: SyntaxFault): Diagnostic {
  const { code, offset } = fault;
  const isOpen = code === 'BAD_INDENT' || code === 'MISSING_CHAR';
  const reported: SyntaxMessage =
    (isOpen ? findUnclosed(source) : undefined) ??
    syntaxMessage(code, { text: source.text, offset, ...contextAt(source, offset) });
  const shownOffset = lastVisibleOffset(source, reported.offset ?? offset);
  return diagnostic(source, positionAt(source, shownOffset), {
    message: `YAML: ${reported.message}`,
    suggestion: variableHint(source, shownOffset) ?? blockHint(source, fault) ?? reported.suggestion,
  });
}

interface YamlToken {
  readonly type: CST.TokenType | null;
  readonly source: string;
  readonly offset: number;
}

/** The tokens of the text up to the position where the lexer gives up. */
function* lexTokens({ text }: SourceText): Generator<YamlToken> {
  let offset = 0;
  for (const source of new Lexer().lex(text)) {
    const type = CST.tokenType(source);
    if (type === 'flow-error-end') return;
    // The lexer inserts these two marks; they are no part of the text.
    if (type === 'scalar' || type === 'doc-mode') continue;
    yield { type, source, offset };
    offset += source.length;
  }
}

/** The brackets that are open after a token; null if the token closes the wrong one. */
function bracketsAfter(open: readonly YamlToken[], token: YamlToken): readonly YamlToken[] | null {
  const { type } = token;
  if (type === 'flow-map-start' || type === 'flow-seq-start') return [...open, token];
  if (type !== 'flow-map-end' && type !== 'flow-seq-end') return open;
  return open.at(-1)?.source === (type === 'flow-map-end' ? '{' : '[') ? open.slice(0, -1) : null;
}

/** The innermost bracket or quotation that is open where the parser gives up; undefined if there is none. */
function findUnclosed(source: SourceText): SyntaxMessage | undefined {
  let open: readonly YamlToken[] = [];
  for (const token of lexTokens(source)) {
    const after = bracketsAfter(open, token);
    if (after === null) break;
    open = after;
    const mark = token.source.charAt(0);
    if (isQuotation(token) && (token.source.length === 1 || token.source.at(-1) !== mark))
      return {
        message: 'this quoted text is not closed',
        suggestion: `write ${mark} where it ends`,
        offset: token.offset,
      };
  }
  const innermost = open.at(-1);
  if (innermost === undefined) return undefined;
  const suggestion = `write ${innermost.source === '{' ? '}' : ']'} where it ends`;
  return { message: `this ${innermost.source} is not closed`, suggestion, offset: innermost.offset };
}

function isQuotation({ type }: YamlToken): boolean {
  return type === 'double-quoted-scalar' || type === 'single-quoted-scalar';
}

/** The bracket around a position, and whether a quotation ends before it. */
function contextAt(
  source: SourceText,
  offset: number,
): { readonly bracket: string | null; readonly isAfterQuotation: boolean } {
  let open: readonly YamlToken[] = [];
  let previous: YamlToken | undefined;
  for (const token of lexTokens(source)) {
    if (token.offset >= offset) break;
    open = bracketsAfter(open, token) ?? open;
    if (token.type !== 'space') previous = token;
  }
  return {
    bracket: open.at(-1)?.source ?? null,
    isAfterQuotation: previous !== undefined && isQuotation(previous),
  };
}

/** The end of the last line with content, if the parser points after it. */
function lastVisibleOffset(source: SourceText, offset: number): number {
  const { line } = positionAt(source, offset);
  if (lineAt(source, line).trim() !== '') return offset;
  return Math.max(0, source.text.slice(0, offset).trimEnd().length - 1);
}

function variableHint(source: SourceText, offset: number): string | undefined {
  const { line } = positionAt(source, offset);
  const before = source.text.slice(source.lineStarts[line - 1] ?? 0, offset + 2);
  return /\$\{/.test(before) ? 'put a value with ${…} in quotes' : undefined;
}

/** Text of several lines without `|`, such as a map, is parsed as keys if it contains a colon. */
function blockHint(source: SourceText, { code, offset }: SyntaxFault): string | undefined {
  if (code !== 'MULTILINE_IMPLICIT_KEY') return undefined;
  const before = source.text.slice(Math.max(0, offset - 200), offset);
  const [, key] = /(?:^|\n)([a-z_]{1,32}):[ \t]*\r?\n[^:]*$/.exec(before) ?? [];
  return key === undefined ? undefined : `several lines of text go in a block: write ${key}: |`;
}

/**
 * What the YAML parser refuses, in our words and at the place where something can be done about it: a bracket that is never closed is
 * told where it opens, not at the end of the file. In: the parser's first error; out: a diagnostic.
 */
import type { ErrorCode } from 'yaml';
import { CST, Lexer } from 'yaml';
import type { Diagnostic } from '../base/errors.js';
import type { Source } from './source.js';
import { diagnostic, lineAt, positionAt } from './source.js';

export interface SyntaxFault {
  readonly code: ErrorCode | null;
  /** The parser's own words. */
  readonly message: string;
  readonly offset: number;
}

interface Told {
  readonly message: string;
  readonly suggestion?: string | undefined;
}

/** Ours for the codes that say what to do; others keep the parser's words. */
const WORDS: Partial<Readonly<Record<ErrorCode, Told>>> = {
  TAB_AS_INDENT: { message: 'tabs are not allowed as indentation', suggestion: 'indent with spaces' },
  BLOCK_AS_IMPLICIT_KEY: {
    message: 'a line holds one key: here is a second colon',
    suggestion: "put text that holds a colon in quotes: 'a: b'",
  },
  MULTILINE_IMPLICIT_KEY: { message: 'a key and its colon stand on one line' },
  BAD_SCALAR_START: {
    message: 'text can not begin with this character',
    suggestion: 'put the text in quotes',
  },
};

export function syntaxDiagnostic(source: Source, fault: SyntaxFault): Diagnostic {
  const open = fault.code === 'BAD_INDENT' || fault.code === 'MISSING_CHAR' ? unclosed(source) : undefined;
  const offset = open?.offset ?? visible(source, fault.offset);
  const at = positionAt(source, offset);
  const { message, suggestion } = open ?? toldOf(fault);
  return diagnostic(source, at, {
    message: `YAML: ${message}`,
    suggestion: variableHint(source, offset) ?? blockHint(source, fault) ?? suggestion,
  });
}

function toldOf({ code, message }: SyntaxFault): Told {
  const own = code === null ? undefined : WORDS[code];
  return own ?? { message: message.charAt(0).toLowerCase() + message.slice(1) };
}

/** The innermost bracket, or the quotation, that is open where the parser gives up; undefined where there is none. */
function unclosed({ text }: Source): (Told & { readonly offset: number }) | undefined {
  const open: { readonly mark: string; readonly offset: number }[] = [];
  let offset = 0;
  for (const token of new Lexer().lex(text)) {
    const type = CST.tokenType(token);
    if (type === 'flow-error-end') break;
    // These two marks are the lexer's own and stand nowhere in the text.
    if (type === 'scalar' || type === 'doc-mode') continue;
    if (type === 'flow-map-start' || type === 'flow-seq-start') open.push({ mark: token, offset });
    if (type === 'flow-map-end' || type === 'flow-seq-end') {
      if (open.at(-1)?.mark !== (type === 'flow-map-end' ? '{' : '[')) break;
      open.pop();
    }
    const isQuoted = type === 'double-quoted-scalar' || type === 'single-quoted-scalar';
    if (isQuoted && (token.length === 1 || token.at(-1) !== token.at(0)))
      return {
        message: 'this quotation is never closed',
        suggestion: `write ${token.charAt(0)} where it ends`,
        offset,
      };
    offset += token.length;
  }
  const last = open.at(-1);
  if (last === undefined) return undefined;
  const suggestion = `write ${last.mark === '{' ? '}' : ']'} where it ends`;
  return { message: `this ${last.mark} is never closed`, suggestion, offset: last.offset };
}

/** The end of the last line that says something, where the parser points behind it. */
function visible(source: Source, offset: number): number {
  const { line } = positionAt(source, offset);
  if (lineAt(source, line).trim() !== '') return offset;
  return Math.max(0, source.text.slice(0, offset).trimEnd().length - 1);
}

function variableHint(source: Source, offset: number): string | undefined {
  const { line } = positionAt(source, offset);
  const before = source.text.slice(source.lineStarts[line - 1] ?? 0, offset + 2);
  return /\$\{/.test(before) ? 'put a value with ${…} in quotes' : undefined;
}

/** Text of several lines without `|`, such as a map, is read as keys where it holds a colon. */
function blockHint(source: Source, { code, offset }: SyntaxFault): string | undefined {
  if (code !== 'MULTILINE_IMPLICIT_KEY') return undefined;
  const before = source.text.slice(Math.max(0, offset - 200), offset);
  const [, key] = /(?:^|\n)([a-z_]{1,32}):[ \t]*\r?\n[^:]*$/.exec(before) ?? [];
  return key === undefined ? undefined : `several lines of text go in a block: write ${key}: |`;
}

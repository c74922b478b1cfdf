/**
 * The text of a scenario file, which is refused if it is not plain UTF-8 text within the limits, and the
 * positions in it. Every diagnostic is made here, so each shows its line in a form that is safe for a
 * terminal and never repeats a secret.
 */
import type { Diagnostic } from '../base/errors.js';
import { ScenarioError } from '../base/errors.js';
import { LIMITS } from '../base/limits.js';
import { withoutSecrets } from './secret-pattern.js';

/** A position in the file; both numbers count from 1, columns in UTF-16 units. */
export interface SourcePosition {
  line: number;
  column: number;
}

export interface SourceText {
  /** As the user named it. */
  file: string;
  text: string;
  /** Offset of each line's first character. */
  lineStarts: readonly number[];
}

/** The number of characters of a line that are printed around the mistake. */
const EXCERPT = 120;

const CONTROL = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F]/;

/** Reads the bytes as UTF-8. Throws ScenarioError for anything that is not plain text within the limits. */
export function sourceOf(file: string, content: Uint8Array | string): SourceText {
  const tooLarge = content.length > LIMITS.scenarioBytes;
  if (tooLarge) refuse(file, `the file is larger than ${LIMITS.scenarioBytes} bytes`);
  const text = typeof content === 'string' ? content : decode(file, content);
  if (!text.isWellFormed()) refuse(file, 'the text contains half of a surrogate pair');
  const source: SourceText = { file, text, lineStarts: lineStartsOf(text) };
  if (source.lineStarts.length > LIMITS.yamlLines)
    refuse(file, `the file has more than ${LIMITS.yamlLines} lines`);
  refuseControlCharacters(source);
  refuseLongLines(source);
  return source;
}

/** A text whose size was already checked elsewhere, wrapped so that positions in it can be reported. */
export function unlimitedSource(file: string, text: string): SourceText {
  return { file, text, lineStarts: lineStartsOf(text) };
}

function refuse(file: string, message: string, suggestion?: string): never {
  const base = { severity: 'error', file, line: 1, column: 1, message, source: '', caret: 1 } as const;
  throw scenarioError([suggestion === undefined ? base : { ...base, suggestion }]);
}

function decode(file: string, bytes: Uint8Array): string {
  const [first, second] = bytes;
  const utf16 = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  if (utf16) refuse(file, 'the file is UTF-16', 'save it as UTF-8');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return refuse(file, 'the file is not UTF-8 text', 'save it as UTF-8');
  }
}

function lineStartsOf(text: string): readonly number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

function refuseControlCharacters(source: SourceText): void {
  const offset = source.text.search(CONTROL);
  if (offset === -1) return;
  const code = source.text.charCodeAt(offset).toString(16).padStart(4, '0').toUpperCase();
  const message = `the control character U+${code} is not allowed in a scenario`;
  throw scenarioError([diagnostic(source, positionAt(source, offset), { message })]);
}

function refuseLongLines(source: SourceText): void {
  const { lineStarts, text } = source;
  const line = lineStarts.findIndex((start, i) => {
    return (lineStarts[i + 1] ?? text.length) - start > LIMITS.yamlLineBytes;
  });
  if (line === -1) return;
  const message = `the line is longer than ${LIMITS.yamlLineBytes} characters`;
  throw scenarioError([diagnostic(source, { line: line + 1, column: 1 }, { message })]);
}

/** The position of an offset, found by bisection. */
export function positionAt(source: SourceText, offset: number): SourcePosition {
  let low = 0;
  let high = source.lineStarts.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((source.lineStarts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return { line: low + 1, column: offset - (source.lineStarts[low] ?? 0) + 1 };
}

/** One line without its end; '' if there is none. `line` counts from 1. */
export function lineAt(source: SourceText, line: number): string {
  const start = source.lineStarts[line - 1];
  if (start === undefined) return '';
  const end = source.lineStarts[line] ?? source.text.length;
  return source.text.slice(start, end).replace(/\r?\n$/, '');
}

export interface SourceFinding {
  severity?: 'error' | 'warning';
  message: string;
  suggestion?: string | undefined;
  /** The line contains a secret, which is not repeated: the value of this key, or the value itself. */
  masked?: 'key' | 'value';
  unknowable?: string | undefined;
}

export function diagnostic(source: SourceText, at: SourcePosition, finding: SourceFinding): Diagnostic {
  const line = lineAt(source, at.line);
  const withoutKeys = { line: withoutSecrets(line), column: at.column };
  const shownLine = finding.masked === undefined ? withoutKeys : maskFrom(line, at.column, finding.masked);
  const excerptOfLine = excerpt(shownLine.line, shownLine.column);
  const suggestion = finding.suggestion === undefined ? undefined : withoutSecrets(finding.suggestion);
  const base = {
    severity: finding.severity ?? 'error',
    file: source.file,
    line: at.line,
    column: at.column,
    message: withoutSecrets(finding.message),
    source: excerptOfLine.text,
    caret: excerptOfLine.caret,
  } as const;
  const { unknowable } = finding;
  return {
    ...base,
    ...(suggestion === undefined ? {} : { suggestion }),
    ...(unknowable === undefined ? {} : { unknowable }),
  };
}

/** A secret-looking key with its value, which may precede the reported one. */
const KEY_AND_VALUE =
  /((?:key|token|secret|password|passwd|authorization|bearer)s?['"]?\s*[:=]\s*)[^\s,}*][^,}]*/gi;

/** The line up to the mistake, and the reported key if the secret is its value, but nothing after that. */
function maskFrom(line: string, column: number, masked: 'key' | 'value'): { line: string; column: number } {
  const before = withoutSecrets(line.slice(0, column - 1).replace(KEY_AND_VALUE, '$1********'));
  const rest = line.slice(column - 1);
  const key = masked === 'key' ? (/^[^:=]*[:=]\s*/.exec(rest)?.[0] ?? '') : '';
  return { line: `${before}${withoutSecrets(key)}********`, column: before.length + 1 };
}

/**
 * The part of a line around a column, and the position of the column in it; invisible characters are
 * replaced, so that it is safe in a terminal.
 */
function excerpt(line: string, column: number): { text: string; caret: number } {
  const from = line.length <= EXCERPT ? 0 : Math.max(0, Math.min(column - 40, line.length - EXCERPT));
  const part = line
    .slice(from, from + EXCERPT)
    .toWellFormed()
    .replace(/\t/g, ' ')
    .replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '·');
  const text = `${from > 0 ? '…' : ''}${part}${from + EXCERPT < line.length ? '…' : ''}`;
  return { text, caret: column - from + (from > 0 ? 1 : 0) };
}

/** The error for mistakes in a scenario; its message gives their number and the first one. */
export function scenarioError(diagnostics: readonly Diagnostic[]): ScenarioError {
  const errors = diagnostics.filter((each) => each.severity === 'error');
  const [first] = errors;
  const head =
    errors.length === 1
      ? 'The scenario has a mistake'
      : `The scenario has ${errors.length} mistakes; the first`;
  const firstMessage =
    first === undefined ? '' : `: ${first.file}:${first.line}:${first.column}: ${first.message}`;
  return new ScenarioError(`${head}${firstMessage}`, diagnostics);
}

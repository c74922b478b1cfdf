/**
 * Checks the YAML tokens before anything is built from them: nesting, size, tags and directives are refused
 * here, in one linear pass, because the parser that follows is recursive and would overflow or run out of
 * memory on hostile nesting.
 */
import { CST, Lexer } from 'yaml';
import type { Diagnostic } from '../base/errors.js';
import { LIMITS } from '../base/limits.js';
import type { SourceFinding, SourceText } from './source.js';
import { diagnostic, positionAt, scenarioError } from './source.js';

interface PrescanState {
  readonly source: SourceText;
  /** Offset of the current token. */
  offset: number;
  tokenCount: number;
  flowDepth: number;
  /** Columns of the open block collections, increasing. */
  readonly blockColumns: number[];
  column: number;
  documentCount: number;
  /** Type of the previous token, ignoring spaces and comments. */
  previousType: string | null | undefined;
  readonly tagFindings: Diagnostic[];
}

/**
 * Returns the tags, which can be ignored. Throws ScenarioError for directives, several documents, and
 * exceeded limits on depth or size.
 */
export function prescan(source: SourceText): readonly Diagnostic[] {
  const scan: PrescanState = {
    source,
    offset: 0,
    tokenCount: 0,
    flowDepth: 0,
    blockColumns: [],
    column: 0,
    documentCount: 0,
    previousType: undefined,
    tagFindings: [],
  };
  for (const token of new Lexer().lex(source.text)) {
    const type = CST.tokenType(token);
    // The lexer inserts these three marks; they are no part of the text.
    const isMark = type === 'scalar' || type === 'doc-mode' || type === 'flow-error-end';
    if (isMark) continue;
    checkToken(scan, type, token);
    scan.offset += token.length;
    scan.column = type === 'newline' ? 0 : scan.column + token.length;
  }
  return scan.tagFindings;
}

function checkToken(scan: PrescanState, type: string | null, token: string): void {
  if (type === 'space' || type === 'newline' || type === 'comment') return;
  scan.tokenCount++;
  if (scan.tokenCount > LIMITS.yamlTokens) refuse(scan, { message: 'the scenario has too many values' });
  if (type === 'tag')
    reportTag(scan, {
      message: `tags such as ${token.slice(0, 40)} are not supported`,
      suggestion: 'write only the value',
    });
  if (type === 'directive-line')
    refuse(scan, { message: 'directives are not supported', suggestion: 'remove the line' });
  if (type === 'doc-start' && (scan.documentCount > 0 || scan.tokenCount > 1)) refuseSecondDocument(scan);
  if (type === 'doc-start') scan.documentCount++;
  checkDepth(scan, type);
  scan.previousType = type;
}

function refuseSecondDocument(scan: PrescanState): never {
  return refuse(scan, {
    message: 'a file can contain only one scenario',
    suggestion: "remove '---' and everything after it",
  });
}

function checkDepth(scan: PrescanState, type: string | null): void {
  if (type === 'flow-seq-start' || type === 'flow-map-start') scan.flowDepth++;
  else if (type === 'flow-seq-end' || type === 'flow-map-end')
    scan.flowDepth = Math.max(0, scan.flowDepth - 1);
  else if (scan.flowDepth === 0 && !isAfterKey(scan, type)) openBlock(scan);
  if (scan.flowDepth + scan.blockColumns.length > LIMITS.yamlDepth)
    refuse(scan, { message: `nested more than ${LIMITS.yamlDepth} deep` });
}

/** Whether the token is the colon of a key in quotes or in a flow collection, which opens no block. */
function isAfterKey(scan: PrescanState, type: string | null): boolean {
  return (
    type === 'map-value-ind' &&
    (scan.previousType === null || (scan.previousType?.endsWith('quoted-scalar') ?? false))
  );
}

/**
 * Tokens further right than all open blocks may open one, at most one per column, so this counts at least
 * half of the blocks.
 */
function openBlock(scan: PrescanState): void {
  const { blockColumns, column } = scan;
  const isFirst = scan.source.text.slice(scan.offset - column, scan.offset).trim() === '';
  if (isFirst) while (blockColumns.length > 0 && (blockColumns.at(-1) ?? 0) > column) blockColumns.pop();
  if ((blockColumns.at(-1) ?? -1) < column) blockColumns.push(column);
}

/** After this many unsupported tags, the file is refused at once. */
const TAGS_MAX = 100;

function reportTag(scan: PrescanState, finding: SourceFinding): void {
  scan.tagFindings.push(diagnostic(scan.source, positionAt(scan.source, scan.offset), finding));
  if (scan.tagFindings.length >= TAGS_MAX) throw scenarioError(scan.tagFindings);
}

function refuse(scan: PrescanState, finding: SourceFinding): never {
  throw scenarioError([diagnostic(scan.source, positionAt(scan.source, scan.offset), finding)]);
}

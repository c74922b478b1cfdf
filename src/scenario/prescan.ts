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
  tokens: number;
  flow: number;
  /** Columns of the open block collections, increasing. */
  readonly blocks: number[];
  column: number;
  documents: number;
  /** Type of the previous token, ignoring spaces. */
  before: string | null | undefined;
  readonly tags: Diagnostic[];
}

/**
 * Returns the tags, which can be ignored. Throws ScenarioError for directives, several documents, and
 * exceeded limits on depth or size.
 */
export function prescan(source: SourceText): readonly Diagnostic[] {
  const scan: PrescanState = {
    source,
    offset: 0,
    tokens: 0,
    flow: 0,
    blocks: [],
    column: 0,
    documents: 0,
    before: undefined,
    tags: [],
  };
  for (const token of new Lexer().lex(source.text)) {
    const type = CST.tokenType(token);
    // These three marks belong to the lexer and never occur in the text.
    const isMark = type === 'scalar' || type === 'doc-mode' || type === 'flow-error-end';
    if (isMark) continue;
    look(scan, type, token);
    scan.offset += token.length;
    scan.column = type === 'newline' ? 0 : scan.column + token.length;
  }
  return scan.tags;
}

function look(scan: PrescanState, type: string | null, token: string): void {
  if (type === 'space' || type === 'newline' || type === 'comment') return;
  scan.tokens++;
  if (scan.tokens > LIMITS.yamlTokens) refuse(scan, { message: 'the scenario has too many values' });
  if (type === 'tag')
    tell(scan, {
      message: `tags such as ${token.slice(0, 40)} are not supported`,
      suggestion: 'write only the value',
    });
  if (type === 'directive-line')
    refuse(scan, { message: 'directives are not supported', suggestion: 'remove the line' });
  if (type === 'doc-start' && (scan.documents > 0 || scan.tokens > 1)) refuseSecond(scan);
  if (type === 'doc-start') scan.documents++;
  lookDepth(scan, type);
  scan.before = type;
}

function refuseSecond(scan: PrescanState): never {
  return refuse(scan, {
    message: 'a file can contain only one scenario',
    suggestion: "remove '---' and everything after it",
  });
}

function lookDepth(scan: PrescanState, type: string | null): void {
  if (type === 'flow-seq-start' || type === 'flow-map-start') scan.flow++;
  else if (type === 'flow-seq-end' || type === 'flow-map-end') scan.flow = Math.max(0, scan.flow - 1);
  else if (scan.flow === 0 && !isAfterKey(scan, type)) openBlock(scan);
  if (scan.flow + scan.blocks.length > LIMITS.yamlDepth)
    refuse(scan, { message: `nested more than ${LIMITS.yamlDepth} deep` });
}

/** A colon after its key opens nothing; a separate one does. */
function isAfterKey(scan: PrescanState, type: string | null): boolean {
  return (
    type === 'map-value-ind' && (scan.before === null || (scan.before?.endsWith('quoted-scalar') ?? false))
  );
}

/**
 * Tokens further right than all open blocks may open one, at most one per column, so this counts at least
 * half of the blocks.
 */
function openBlock(scan: PrescanState): void {
  const { blocks, column } = scan;
  const isFirst = scan.source.text.slice(scan.offset - column, scan.offset).trim() === '';
  if (isFirst) while (blocks.length > 0 && (blocks.at(-1) ?? 0) > column) blocks.pop();
  if ((blocks.at(-1) ?? -1) < column) blocks.push(column);
}

/** More than anyone would correct at once; a file with only mistakes is refused. */
const TAGS_MAX = 100;

function tell(scan: PrescanState, finding: SourceFinding): void {
  scan.tags.push(diagnostic(scan.source, positionAt(scan.source, scan.offset), finding));
  if (scan.tags.length >= TAGS_MAX) throw scenarioError(scan.tags);
}

function refuse(scan: PrescanState, finding: SourceFinding): never {
  throw scenarioError([diagnostic(scan.source, positionAt(scan.source, scan.offset), finding)]);
}

/**
 * Checks the YAML tokens before anything is built from them: nesting, size and what would change how the rest
 * is read are refused here, in one linear pass, because the parser that follows takes gigabytes for a
 * megabyte of brackets, which ends the process.
 */
import { CST, Lexer } from 'yaml';
import { LIMITS } from '../base/limits.js';
import type { SourceText } from './source.js';
import { diagnostic, positionAt, scenarioError } from './source.js';

/** Throws ScenarioError for directives, several documents, and exceeded limits on depth or size. */
export function prescan(source: SourceText): void {
  let offset = 0;
  let column = 0;
  let tokens = 0;
  let flowDepth = 0;
  /** Columns of the open block collections, increasing. */
  const blockColumns: number[] = [];
  /** Type of the previous token, ignoring spaces and comments. */
  let previous: string | null = '';
  const refuse = (message: string, suggestion?: string): never => {
    throw scenarioError([diagnostic(source, positionAt(source, offset), { message, suggestion })]);
  };
  for (const token of new Lexer().lex(source.text)) {
    const type = CST.tokenType(token);
    // The lexer inserts these three marks; they are no part of the text.
    if (type === 'scalar' || type === 'doc-mode' || type === 'flow-error-end') continue;
    if (type !== 'space' && type !== 'newline' && type !== 'comment') {
      tokens++;
      if (tokens > LIMITS.yamlTokens) refuse('the scenario has too many values');
      if (type === 'directive-line' && column === 0)
        refuse('directives are not supported', 'remove the line');
      if (type === 'doc-start' && tokens > 1)
        refuse('a file can contain only one scenario', "remove '---' and everything after it");
      // The colon of a key in quotes or in a flow collection opens no block.
      const isAfterKey =
        type === 'map-value-ind' && (previous === null || previous.endsWith('quoted-scalar'));
      if (type === 'flow-seq-start' || type === 'flow-map-start') flowDepth++;
      else if (type === 'flow-seq-end' || type === 'flow-map-end') flowDepth = Math.max(0, flowDepth - 1);
      else if (flowDepth === 0 && !isAfterKey) {
        // Tokens further right than all open blocks may open one, at most one per column, so this counts at
        // least half of the blocks.
        const isFirst = source.text.slice(offset - column, offset).trim() === '';
        if (isFirst) while ((blockColumns.at(-1) ?? 0) > column) blockColumns.pop();
        if ((blockColumns.at(-1) ?? -1) < column) blockColumns.push(column);
      }
      if (flowDepth + blockColumns.length > LIMITS.yamlDepth)
        refuse(`nested more than ${LIMITS.yamlDepth} deep`);
      previous = type;
    }
    offset += token.length;
    column = type === 'newline' ? 0 : column + token.length;
  }
}

/**
 * Reads a file of replies, a list for each agent as YAML or JSON, with which an author shows that a scenario
 * can be won.
 */
import { type Diagnostic, UsageError } from '../base/errors.js';
import { scenarioError, sourceOf } from './source.js';
import { childOf } from './records.js';
import { parseTree } from './tree.js';

/**
 * Replies by agent, at the top level or under `replies` if the author keeps notes next to them. Throws
 * ScenarioError for text that is not YAML, UsageError for any other shape.
 */
export function readReplies(
  file: string,
  content: Uint8Array | string,
): Readonly<Record<string, readonly string[]>> {
  const source = sourceOf(file, content);
  const mistakes: Diagnostic[] = [];
  const { value } = parseTree(source, mistakes);
  if (mistakes.length > 0) throw scenarioError(mistakes);
  const replies = childOf(value, 'replies') ?? value;
  if (isReplies(replies)) return replies;
  throw new UsageError(`${file} contains no replies`, [
    'write a list of texts for each agent, such as  ranger: ["ACTION: GO NORTH", "ACTION: WAIT"]',
  ]);
}

function isReplies(value: unknown): value is Readonly<Record<string, readonly string[]>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const lists: readonly unknown[] = Object.values(value);
  return lists.every((list) => Array.isArray(list) && list.every((reply) => typeof reply === 'string'));
}

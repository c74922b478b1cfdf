/**
 * The hash of a whole state, computed from the hashes of its parts, so that the cost depends only on what a
 * step changed.
 */
import { hashJson } from '../base/canonical.js';

/**
 * The hash of a whole state, from the hashes of its parts (`Environment.parts`): 64 hexadecimal digits, the
 * `stateHash` of a log's steps.
 */
export function stateHash(parts: Readonly<Record<string, string>>): string {
  return hashJson('orchestrate-state-v1', parts);
}

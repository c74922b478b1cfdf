/**
 * Hashes of rows that are not over their own columns alone (`Table.hash`): a call's has the hashes of its
 * contents in place of their numbers. Logs of version 1 have hashes for calls and replies only, over what is
 * listed here as theirs.
 */
import { sha256 } from '../base/canonical.js';
import type { CallRow, ReplyRow } from './read-columns.js';
import { rowHash } from './table.js';
import { CALLS } from './tables.js';

/** The contents that a call's row refers to, by their hashes; null if there is none. */
export interface CallContents {
  observation: string;
  messages: string;
  settings: string | null;
  frame: string | null;
}

export type CallHead = Pick<
  CallRow,
  'run' | 'call' | 'step' | 'turn' | 'agent' | 'attempt' | 'purpose' | 'controller' | 'started_at'
>;

export function callHash(row: CallHead, { observation, messages, settings, frame }: CallContents): string {
  const { run, call, step, turn, agent, attempt, purpose, controller } = row;
  const head = [run, call, step, turn, agent, attempt, purpose, controller];
  const contents = [observation, messages, settings, frame];
  return rowHash('calls', [...head, ...contents, row.started_at, ...CALLS.laterValues(row)]);
}

/** In a log of version 1: covers the request, but not the agent or the purpose. */
export function firstCallHash({ observation, messages, settings }: Omit<CallContents, 'frame'>): string {
  return sha256([observation, messages, settings ?? ''].join('\n'));
}

/** In a log of version 1: covers only the texts, and there is none for a failed call. */
export function firstReplyHash(row: ReplyRow): string {
  return sha256(JSON.stringify([row.content, row.reasoning, row.raw, row.memory]));
}

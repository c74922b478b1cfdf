/**
 * The hash of a row over all its columns: SHA-256 over a label with the table's name and the row's values,
 * one per line, with the hash of a text or a picture in place of its number. The writer computes it from what
 * it writes, the reader from what it reads. Logs of version 1 have none for most tables, and for a call and a
 * reply only what is listed here as theirs.
 */
import { sha256 } from '../base/canonical.js';
import type { CallRow, OutsideRow, ProbeRow, StepRow } from './read-columns.js';

type HashedValue = string | number | null;
type HashedTable = 'leases' | 'steps' | 'calls' | 'replies' | 'outside' | 'probes' | 'begin' | 'end' | 'left';

/**
 * Texts are preceded by their lengths, so that different rows never give the same input; SQLite stores no
 * lone surrogates, so none is hashed.
 */
export function rowHash(table: HashedTable, values: readonly HashedValue[]): string {
  let text = `orchestrate-${table}-v2`;
  for (const value of values)
    text += typeof value === 'string' ? `\n${value.length}:${value}` : `\n${String(value)}`;
  return sha256(text.toWellFormed());
}

export function stepHash(row: Omit<StepRow, 'snapshot' | 'sha256'>): string {
  return rowHash('steps', [
    row.run,
    row.step,
    row.turn,
    row.agent,
    row.calls,
    row.acts,
    row.events,
    row.state,
    row.parts,
    row.chain,
    row.finished_at,
    // Rows without rewards hash as they did before rewards existed.
    ...(row.rewards == null ? [] : [row.rewards]),
    // The same for rows without the times of a tick.
    ...(row.overrun_ms == null ? [] : ['timing', row.overrun_ms, row.settle_ms]),
    // The same for rows without counts of untimely intents.
    ...(row.untimely == null ? [] : ['untimely', row.untimely]),
  ]);
}

/** The contents that a call's row refers to, by their hashes; null if there is none. */
export interface CallContents {
  readonly observation: string;
  readonly messages: string;
  readonly settings: string | null;
  readonly frame: string | null;
}

export type CallHead = Pick<
  CallRow,
  'run' | 'call' | 'step' | 'turn' | 'agent' | 'attempt' | 'stored_purpose' | 'controller' | 'started_at'
>;

export function callHash(row: CallHead, { observation, messages, settings, frame }: CallContents): string {
  const { run, call, step, turn, agent, attempt, stored_purpose: purpose, controller } = row;
  const head = [run, call, step, turn, agent, attempt, purpose, controller];
  return rowHash('calls', [...head, observation, messages, settings, frame, row.started_at]);
}

/** In a log of version 1: covers the request, but not the agent or the purpose. */
export function firstCallHash({ observation, messages, settings }: Omit<CallContents, 'frame'>): string {
  return sha256([observation, messages, settings ?? ''].join('\n'));
}

export type ReplyColumns = Pick<
  CallRow,
  | 'run'
  | 'call'
  | 'error'
  | 'content'
  | 'reasoning'
  | 'tool_calls'
  | 'finish_reason'
  | 'model'
  | 'usage'
  | 'raw'
  | 'adaptations'
  | 'latency_ms'
  | 'tries'
  | 'memory'
>;

export function replyHash(row: ReplyColumns): string {
  return rowHash('replies', [
    row.run,
    row.call,
    row.error,
    row.content,
    row.reasoning,
    row.tool_calls,
    row.finish_reason,
    row.model,
    row.usage,
    row.raw,
    row.adaptations,
    row.latency_ms,
    row.tries,
    row.memory,
  ]);
}

/** In a log of version 1: covers only the texts, and there is none for a failed call. */
export function firstReplyHash(row: Pick<ReplyColumns, 'content' | 'reasoning' | 'raw' | 'memory'>): string {
  return sha256(JSON.stringify([row.content, row.reasoning, row.raw, row.memory]));
}

/** `output` is the hash of what the handler returned. */
export function outsideHash(row: Omit<OutsideRow, 'output' | 'sha256'>, output: string): string {
  const { run, step, position, agent, action, args } = row;
  return rowHash('outside', [
    run,
    step,
    position,
    agent,
    action,
    args,
    output,
    row.started_at,
    row.duration_ms,
  ]);
}

export function probeHash(row: Omit<ProbeRow, 'step' | 'turn' | 'agent' | 'sha256'>): string {
  const { run, call, kind, question, options, expected, answer, verdict } = row;
  return rowHash('probes', [run, call, kind, question, options, expected, answer, verdict]);
}

/**
 * What a fork changes compared with its parent: given replies, and settings. Determined by comparing both
 * logs.
 */
import { differences } from '../base/differences.js';
import type { Json } from '../base/json.js';
import { oneLine } from '../base/text.js';
import type { RunRecord } from '../trajectory/records.js';
import { givenReplies } from './restored-history.js';

export interface ForkChange {
  /** Such as `turns.max`, `reply of wizard`. */
  what: string;
  /** As JSON; null for nothing. */
  before: string | null;
  after: string | null;
}

export function changesOf(parent: RunRecord, fork: RunRecord): readonly ForkChange[] {
  const replies = Object.entries(givenReplies(fork)).map(([agent, reply]) => {
    return { what: `reply of ${agent}`, before: null, after: JSON.stringify(reply) };
  });
  const { agents } = fork.scenario;
  const scenarios = [parent.scenario, fork.scenario] as unknown as readonly [Json, Json];
  const settings = differences(...scenarios).map(({ path, before, after }) => {
    const [first, index, ...rest] = path;
    const agent = first === 'agents' && typeof index === 'number' ? agents[index]?.id : undefined;
    const what = (agent === undefined ? path : [first, agent, ...rest]).join('.');
    return { what, before: valueText(before), after: valueText(after) };
  });
  return [...replies, ...settings];
}

function valueText(value: Json | undefined): string | null {
  return value === undefined ? null : JSON.stringify(value);
}

/** On one safe line; each value has at most this many characters. */
export function changeText({ what, before, after }: ForkChange, characters: number): string {
  const short = (text: string | null): string => oneLine(text ?? 'nothing', characters);
  return before === null ? `${what}: ${short(after)}` : `${what}: ${short(before)} → ${short(after)}`;
}

/**
 * The state of a toolbox: the result of each agent's last call, how often each tool returned results and
 * errors, and the final answer. Plain JSON, never changed in place.
 */
import { lookUp } from '../../base/look-up.js';
import type { AnswerTally } from './answer.js';

/** The output of a tool, or its error. */
export interface ToolResult {
  tool: string;
  /** The arguments as one line. */
  input: string;
  ok: boolean;
  /** For programs: the result in words; for a text, its lines. */
  lines: readonly string[];
  /** The number of the first line; 0 if lines have none. */
  from: number;
}

export interface ToolboxState {
  /** By agent. */
  results: Readonly<Record<string, ToolResult>>;
  /** By agent and tool. */
  tallies: Readonly<Record<string, Readonly<Record<string, AnswerTally>>>>;
  /** The first final answer; null until then. */
  answer: { agent: string; text: string } | null;
}

export const INITIAL_STATE: ToolboxState = { results: {}, tallies: {}, answer: null };

/** The state after a tool returned a result to an agent. */
export function withResult(state: ToolboxState, agent: string, result: ToolResult): ToolboxState {
  const tallies = lookUp(state.tallies, agent) ?? {};
  const tally = lookUp(tallies, result.tool) ?? { given: 0, refused: 0 };
  const updated = result.ok ? { ...tally, given: tally.given + 1 } : { ...tally, refused: tally.refused + 1 };
  return {
    ...state,
    results: { ...state.results, [agent]: result },
    tallies: { ...state.tallies, [agent]: { ...tallies, [result.tool]: updated } },
  };
}

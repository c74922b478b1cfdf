/**
 * Shared by the tools: the message of a call, in which output is quoted because it is untrusted, and the
 * result that the state keeps.
 */
import type { Json } from '../../../base/json.js';
import { quoted } from '../../../base/text.js';
import type { ActionSpec } from '../../../environment/own-action.js';
import { childOf } from '../json.js';
import type { ToolboxState } from '../state.js';
import { withResult } from '../state.js';

export type ToolboxAction = ActionSpec<ToolboxState>;

export interface ToolInvocation {
  tool: string;
  agent: string;
  input: string;
  /** The label of the call, if its input is more than one text. */
  label?: string;
}

type ToolEffect = ReturnType<ToolboxAction['apply']>;

/** The effect of a call that succeeded: `message` is the sentence for the agent, `lines` the output. */
export function toolOutput(
  state: ToolboxState,
  { tool, agent, input }: ToolInvocation,
  { message, lines, from = 0 }: { message: string; lines: readonly string[]; from?: number },
): ToolEffect {
  return { state: withResult(state, agent, { tool, input, ok: true, lines, from }), message };
}

/** The effect of a call that failed. `why` completes the sentence; untrusted text in it must be quoted. */
export function toolError(
  state: ToolboxState,
  call: ToolInvocation,
  why: string,
  verb = 'gave an error',
): ToolEffect {
  const { tool, agent, input } = call;
  const message = `${call.label ?? callLabel(tool, input)} ${verb}: ${why}.`;
  return { state: withResult(state, agent, { tool, input, ok: false, lines: [why], from: 0 }), message };
}

/** A call as a label: `SEARCH "iron"`. */
export function callLabel(tool: string, input: string): string {
  return input === '' ? tool : `${tool} ${quoted(input)}`;
}

/** The error that an effect handler returned; null if it succeeded. */
export function effectError(outside: Json | undefined): string | null {
  if (outside === undefined || outside === null) return 'nothing came back';
  const error = childOf(outside, 'error');
  return typeof error === 'string' ? error : null;
}

/**
 * Shared by the tools: each call becomes one sentence, its output is data in quotation marks, and both are
 * kept.
 */
import type { Json } from '../../../base/json.js';
import { quoted } from '../../../base/text.js';
import type { ActionSpec } from '../../../environment/own-action.js';
import { childOf } from '../json.js';
import type { ToolResult, ToolboxState } from '../state.js';
import { withResult } from '../state.js';

export type ToolboxAction = ActionSpec<ToolboxState>;

export interface ToolInvocation {
  readonly tool: string;
  readonly agent: string;
  readonly input: string;
  /** The label of the call, if its input is more than one text. */
  readonly label?: string;
}

type ToolEffect = ReturnType<ToolboxAction['apply']>;

interface ToolAnswer extends Pick<ToolResult, 'lines'>, Partial<Pick<ToolResult, 'from'>> {
  readonly message: string;
}

/** A tool returned something: `message` is the sentence, `lines` the output. */
export function toolOutput(
  state: ToolboxState,
  { tool, agent, input }: ToolInvocation,
  { message, lines, from = 0 }: ToolAnswer,
): ToolEffect {
  return { state: withResult(state, agent, { tool, input, ok: true, lines, from }), message };
}

/** A tool gave nothing: `why` as a part of a sentence, by us; what others said is quoted in it. */
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

/** Why an effect handler gave nothing; null if it gave something. */
export function effectError(outside: Json | undefined): string | null {
  if (outside === undefined || outside === null) return 'nothing came back';
  const error = childOf(outside, 'error');
  return typeof error === 'string' ? error : null;
}

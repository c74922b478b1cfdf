/** The files of `atif` and `agent-traces`, as far as tests look into them. */
import { jsonLines } from './runs.js';

export interface AtifStep {
  step_id: number;
  timestamp: string;
  source: 'system' | 'user' | 'agent';
  model_name?: string;
  message: string | readonly { type: string; text?: string; source?: { path: string } }[];
  reasoning_content?: string;
  tool_calls?: readonly { tool_call_id: string; function_name: string; arguments: object }[];
  observation?: { results: readonly { source_call_id?: string; content: string }[] };
  metrics?: object;
  llm_call_count?: number;
  is_copied_context?: boolean;
  extra?: { orchestrate: Readonly<Record<string, unknown>> };
}

export interface Atif {
  session_id: string;
  trajectory_id: string;
  agent: { model_name?: string; tool_definitions?: readonly { function: { name: string } }[] };
  steps: readonly AtifStep[];
  final_metrics: Readonly<Record<string, number>>;
  extra: { orchestrate: Readonly<Record<string, unknown>> };
}

export interface Sts {
  role: string;
  content: string;
  toolCalls?: readonly { id: string; function: { name: string; arguments: string } }[];
  toolCallId?: string;
  reasoningContent?: string;
  model?: string;
  timestamp: number;
}

/** Those of an export, by their names. */
export function documentsIn(files: Readonly<Record<string, Buffer>>): Readonly<Record<string, Atif>> {
  const names = Object.keys(files).filter((name) => /^\w+-\d+-\w+\.json$/.test(name));
  return Object.fromEntries(names.map((name) => [name, JSON.parse(String(files[name])) as Atif]));
}

/** A session without its header. */
export function messagesIn(file: Buffer | undefined): readonly Sts[] {
  return jsonLines(file)
    .slice(1)
    .map(({ message }) => message as Sts);
}

export function textIn({ message }: AtifStep): string {
  return typeof message === 'string' ? message : message.map(({ text = '' }) => text).join('');
}

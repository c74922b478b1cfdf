/**
 * `agent-traces`: sessions for the trace viewer of the Hugging Face hub, in its Session Trace Simple Format
 * (STS-Format): one JSONL file for each agent of a run, with a header and a line per message. The format has
 * texts only, so a picture is a link to its file.
 */
import type { ExportFormat } from '../format.js';
import { callsOf, harnessOf, traceFacts, traceId, traceWriter } from '../traces.js';
import type { ToldMessage, TraceDocument } from '../traces.js';
import type { ExportRow } from '../row.js';

export const agentTraces: ExportFormat = {
  name: 'agent-traces',
  about: "traces of agents for the hub's trace viewer, one JSONL file per agent and run, pictures as files",
  unit: 'trace',
  needsPicture: false,
  upload: [
    'The hub finds the traces by their form: open the data set in Data Studio and click a row. `load_dataset` needs `teich` beside `datasets` and gives one row per trace.',
  ],
  dataFiles: (split) => `${split}-*.jsonl`,
  open: (context) => traceWriter(context, { ending: 'jsonl', open: session }),
};

function session(first: ExportRow): TraceDocument {
  const { scenario, agent } = first.sample;
  const header = {
    type: 'session',
    harness: harnessOf(first).name,
    id: traceId(first),
    name: `${scenario} · ${agent}`,
    orchestrate: { run: first.sample.runId, ...traceFacts(first) },
  };
  let begins = `${JSON.stringify(header)}\n`;
  return {
    add: ({ sample }, told) => {
      const { answer, answeredAs, model, askedAt, answeredAt, result } = sample;
      const calls = callsOf(sample);
      const answeredBy = answeredAs ?? model;
      const messages = [
        ...told.map(({ role, parts }) => ({ role, content: textOf(parts), timestamp: askedAt })),
        {
          role: 'assistant',
          content: answer.text,
          ...(answer.reasoning === null ? {} : { reasoningContent: answer.reasoning }),
          // Also if there are none: readers know a trace by messages with different keys.
          toolCalls: calls.map(({ id, name, arguments: args }) => ({
            id,
            function: { name, arguments: args },
          })),
          timestamp: answeredAt,
          ...(answeredBy === null ? {} : { model: answeredBy }),
        },
        ...calls.map(({ id }) => ({
          role: 'tool',
          toolCallId: id,
          content: result?.message ?? '',
          timestamp: answeredAt,
        })),
      ];
      const lines = messages.map((message) => `${JSON.stringify({ type: 'message', message })}\n`);
      const text = `${begins}${lines.join('')}`;
      begins = '';
      return text;
    },
    end: () => '',
  };
}

function textOf(parts: ToldMessage['parts']): string {
  return parts.map((part) => (typeof part === 'string' ? part : `![picture](${part.picture})`)).join('\n\n');
}

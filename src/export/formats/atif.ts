/**
 * `atif`: the Agent Trajectory Interchange Format, version 1.7, of the Harbor framework: one JSON document for
 * each agent of a run. Its readers refuse unknown keys, so everything that is ours is in `extra`. A document is
 * one line, because the hub's reader takes a line as a row.
 */
import { isRecord } from '../../base/json.js';
import type { Json } from '../../base/json.js';
import { GIVEN } from '../../agent/controllers/given.js';
import { deciderOf } from '../../scenario/controllers.js';
import { jsonColumn, listColumn, textColumn } from '../features.js';
import type { ExportFormat } from '../format.js';
import { isNative } from '../native-turns.js';
import type { PictureEncoder } from '../pictures.js';
import type { ExportRow } from '../row.js';
import type { ExportSample } from '../sample.js';
import { callsOf, harnessOf, isCopied, replyFacts, traceFacts, traceId, traceWriter } from '../traces.js';
import type { ToldMessage, TraceDocument } from '../traces.js';
import { toolsOf } from './openai.js';

export const atif: ExportFormat = {
  name: 'atif',
  about: 'trajectories of agents as ATIF v1.7, one JSON document per agent and run, pictures as files',
  unit: 'trace',
  needsPicture: false,
  upload: [
    'Each document is a trajectory in the Agent Trajectory Interchange Format 1.7, with pictures by paths from its own folder. To check one, install `nvidia-nat-atif` and call `nat.atif.Trajectory.model_validate_json`.',
  ],
  features: [
    ...['schema_version', 'session_id', 'trajectory_id'].map(textColumn),
    ...['agent', 'extra'].map(jsonColumn),
    listColumn('steps', 'json'),
    jsonColumn('final_metrics'),
  ],
  dataFiles: (split) => `${split}-*.json`,
  open: (context) =>
    traceWriter(context, { ending: 'json', open: (first) => trajectory(first, context.encoder) }),
};

function trajectory(first: ExportRow, encoder: PictureEncoder): TraceDocument {
  const facts = traceFacts(first);
  const model = modelOf(first.sample);
  const head = {
    schema_version: 'ATIF-v1.7',
    session_id: first.sample.runId,
    trajectory_id: traceId(first),
    agent: {
      ...harnessOf(first),
      ...(model === null ? {} : { model_name: model }),
      ...(isNative(first.sample) ? { tool_definitions: toolsOf(first.sample.settings).tools } : {}),
    },
    extra: { orchestrate: facts },
  };
  const totals: Record<string, number> = {};
  let steps = 0;
  const stepText = (step: object): string => {
    steps += 1;
    return `${steps === 1 ? `${JSON.stringify(head).slice(0, -1)},"steps":[` : ','}${JSON.stringify({ step_id: steps, ...step })}`;
  };
  return {
    add: (row, told) => {
      const { sample } = row;
      const copied = isCopied(row) ? { is_copied_context: true } : {};
      const { promptTokens, completionTokens, cachedTokens, imageTokens, reasoningTokens } =
        sample.answer.usage;
      const metrics = known({
        prompt_tokens: promptTokens,
        completion_tokens: completionTokens,
        cached_tokens: cachedTokens,
      });
      const otherMetrics = known({ image_tokens: imageTokens, reasoning_tokens: reasoningTokens });
      for (const [name, count] of Object.entries(metrics))
        totals[`total_${name}`] = (totals[`total_${name}`] ?? 0) + count;
      const hasMetrics = Object.keys({ ...metrics, ...otherMetrics }).length > 0;
      const calls = callsOf(sample);
      const said = {
        ...timestampOf(sample.answeredAt),
        source: 'agent',
        ...(modelOf(sample) === model ? {} : { model_name: modelOf(sample) }),
        message: sample.answer.text,
        ...(sample.answer.reasoning === null ? {} : { reasoning_content: sample.answer.reasoning }),
        ...(calls.length === 0
          ? {}
          : {
              tool_calls: calls.map(({ id, name, arguments: text }) => ({
                tool_call_id: id,
                function_name: name,
                ...argumentsIn(text),
              })),
              observation: {
                results: [
                  {
                    // A refusal of several calls is about all of them.
                    ...(calls.length === 1 ? { source_call_id: calls[0]?.id } : {}),
                    content: sample.result?.message ?? '',
                  },
                ],
              },
            }),
        ...(hasMetrics
          ? {
              metrics: {
                ...metrics,
                ...(Object.keys(otherMetrics).length === 0 ? {} : { extra: otherMetrics }),
              },
            }
          : {}),
        ...modelCalls(sample),
        ...copied,
        extra: { orchestrate: replyFacts(row, facts) },
      };
      return [
        ...told.map(({ role, parts }) =>
          stepText({
            ...timestampOf(sample.askedAt),
            source: role,
            message: contentOf(parts, encoder),
            ...copied,
          }),
        ),
        stepText(said),
      ].join('');
    },
    end: () => `],"final_metrics":${JSON.stringify({ ...totals, total_steps: steps })}}\n`,
  };
}

/** The model that answered; if no server said so, the one that was asked. */
function modelOf({ answeredAs, model }: ExportSample): string | null {
  return answeredAs ?? model;
}

/** Texts alone are one text. */
function contentOf(parts: ToldMessage['parts'], { extension }: PictureEncoder): string | readonly object[] {
  if (parts.every((part) => typeof part === 'string')) return parts.join('\n\n');
  return parts.map((part) =>
    typeof part === 'string'
      ? { type: 'text', text: part }
      : { type: 'image', source: { media_type: `image/${extension}`, path: part.picture } },
  );
}

/** Arguments that are no JSON object stay as they were written. */
function argumentsIn(text: string): { arguments: object; extra?: object } {
  try {
    const value = JSON.parse(text) as Json;
    if (isRecord(value)) return { arguments: value };
  } catch {
    // As below.
  }
  return { arguments: {}, extra: { orchestrate: { arguments: text } } };
}

/** The inferences that a reply took; not stated if it came from a program of others. */
function modelCalls({ settings, controller }: ExportSample): { llm_call_count?: number } {
  if (settings !== null) return { llm_call_count: 1 };
  const decider = controller === GIVEN ? 'person' : deciderOf(controller);
  return decider === 'built-in' || decider === 'person' ? { llm_call_count: 0 } : {};
}

function known(counts: Readonly<Record<string, number | null>>): Readonly<Record<string, number>> {
  return Object.fromEntries(Object.entries(counts).flatMap(([name, n]) => (n === null ? [] : [[name, n]])));
}

/** A log may hold any number: one that is no time is left out. */
function timestampOf(milliseconds: number): { timestamp?: string } {
  const date = new Date(milliseconds);
  return Number.isNaN(date.getTime()) ? {} : { timestamp: date.toISOString() };
}

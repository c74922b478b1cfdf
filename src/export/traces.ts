/**
 * What formats of traces share: one file for each agent of a run, written reply by reply. A request repeats
 * what an agent was told before; here everything is told once, when it was new. All files of a run are open at
 * the same time, because its agents take turns.
 */
import { lookUp } from '../base/look-up.js';
import { harnessIn } from '../trajectory/player-names.js';
import type { Harness } from '../trajectory/player-names.js';
import { ALL_COLUMNS } from './columns.js';
import type { ColumnValue } from './columns.js';
import type { DataFile, FormatContext, SplitWriter } from './format.js';
import type { ExportRow } from './row.js';
import type { ExportSample } from './sample.js';
import type { TargetFile } from './target.js';

/** A message that an agent got: texts, and pictures by the names of their files. */
export interface ToldMessage {
  role: 'system' | 'user';
  parts: readonly (string | { picture: string })[];
}

/** A document in the making; each function returns the text that comes next in its file. */
export interface TraceDocument {
  add(row: ExportRow, told: readonly ToldMessage[]): string;
  end(): string;
}

interface OpenTrace {
  name: string;
  document: TraceDocument;
  /** Null if an interrupted export has written it. */
  file: TargetFile | null;
  /** The rules that the agent was told last. */
  rules: ToldMessage['parts'][number] | undefined;
}

/** `open` begins a document with its first reply, which `add` gets, too. */
export function traceWriter(
  { split, target, images }: FormatContext,
  { ending, open }: { ending: string; open: (first: ExportRow) => TraceDocument },
): SplitWriter {
  const written: DataFile[] = [];
  /** Those of the run that is being read, by agent. */
  const traces = new Map<string, OpenTrace>();
  let current = '';
  const endRun = (): void => {
    for (const { name, document, file } of traces.values()) {
      file?.write(document.end());
      const whole = file?.keep() ?? target.finished(name);
      if (whole !== null) written.push({ ...whole, rows: 1 });
    }
    traces.clear();
  };
  return {
    add: async (row) => {
      const { run, sample } = row;
      const names = await images.names(sample);
      if (run.ordinal !== current) endRun();
      current = run.ordinal;
      const name = `${split}-${run.ordinal}-${sample.agent}.${ending}`;
      const trace = traces.get(sample.agent) ?? {
        name,
        document: open(row),
        file: target.finished(name) === null ? target.open(name) : null,
        rules: undefined,
      };
      traces.set(sample.agent, trace);
      const told = toldIn(sample, names).filter(
        ({ role, parts: [rules] }) => role !== 'system' || rules !== trace.rules,
      );
      trace.rules = told.find(({ role }) => role === 'system')?.parts[0] ?? trace.rules;
      trace.file?.write(trace.document.add(row, told));
    },
    end: async () => {
      endRun();
      return written;
    },
  };
}

/** The messages of a sample, which are its rules and what is new (`newsOf`). */
function toldIn(sample: ExportSample, names: readonly string[]): readonly ToldMessage[] {
  let next = 0;
  return sample.prompt().messages.map(({ role, parts }) => ({
    role: role === 'system' ? role : 'user',
    parts: parts.map((part) => (typeof part === 'string' ? part : { picture: names[next++] ?? '' })),
  }));
}

/** The same for all traces of an agent in a run, in every format. */
export function traceId({ sample: { runId, agent } }: ExportRow): string {
  return `${runId}-${agent}`;
}

/** The harness that played the agent and its version; this program, if it asked the agent itself. */
export function harnessOf({ sample: { controller, program } }: ExportRow): Harness {
  return harnessIn(controller) ?? { name: 'orchestrate', version: program };
}

/** A call as a trace has it; `arguments` is JSON text. */
interface TracedCall {
  id: string;
  name: string;
  arguments: string;
}

/**
 * The calls of a reply: those that the model made, or the command that was read in its words, with names as it
 * wrote them.
 */
export function callsOf({ answer, command, step, attempt }: ExportSample): readonly TracedCall[] {
  const read = command === null ? [] : [{ name: command.action, arguments: JSON.stringify(command.args) }];
  const calls = answer.toolCalls.length > 0 ? answer.toolCalls : read;
  return calls.map((call, i) => ({
    id: `call-${step}-${attempt}${i === 0 ? '' : `-${i + 1}`}`,
    name: call.name,
    arguments: call.arguments,
  }));
}

/** Whether the step is also in the trace of the run that this one was forked from. */
export function isCopied({ run, sample }: ExportRow): boolean {
  return sample.step < run.firstStep;
}

/** The columns about a whole trace, as of its first reply. */
const TRACE_COLUMNS =
  'scenario seed environment agent player lineup controller protocol outcome agent_outcome run_turns'.split(
    ' ',
  );
/** The columns that every format of traces has a field of its own for. */
const OWN_COLUMNS =
  'run model reply reasoning action arguments result pictures prompt_tokens completion_tokens'.split(' ');

/** What a trace says of itself, besides its ids. */
export function traceFacts({ run, sample }: ExportRow): Readonly<Record<string, unknown>> {
  const { parent } = run.summary;
  return {
    ...presentColumns(sample, ({ name }) => TRACE_COLUMNS.includes(name)),
    program_version: sample.program,
    ...(parent === null ? {} : { forked_from: parent.runId, forked_at: parent.step }),
  };
}

/**
 * What is known of a reply that the format has no field for; of the facts about the trace, only those that are
 * no longer true.
 */
export function replyFacts(
  { sample }: ExportRow,
  facts: Readonly<Record<string, unknown>>,
): Readonly<Record<string, ColumnValue>> {
  return presentColumns(sample, ({ name }, value) =>
    TRACE_COLUMNS.includes(name) ? lookUp(facts, name) !== value : !OWN_COLUMNS.includes(name),
  );
}

/** Without those that are null. */
function presentColumns(
  sample: ExportSample,
  isWanted: (column: (typeof ALL_COLUMNS)[number], value: ColumnValue) => boolean,
): Readonly<Record<string, ColumnValue>> {
  const values = ALL_COLUMNS.map((column) => [column, column.read(sample)] as const);
  return Object.fromEntries(
    values.flatMap(([column, value]) =>
      value !== null && isWanted(column, value) ? [[column.name, value]] : [],
    ),
  );
}

/**
 * The runs of a file as a tree: each fork below the run that it shares its past with, where it parts, what was changed, how it ended. In: a
 * reader; out: text for a person or one JSON document. What was changed is told by comparing what the log holds of both.
 */
import { counted } from '../base/counted.js';
import { differences } from '../base/differences.js';
import type { Json } from '../base/json.js';
import type { LogReader } from '../log/reader.js';
import type { RunSummary } from '../log/run-summary.js';
import type { RunEnd, RunRecord } from '../log/records.js';
import { givenIn } from '../replay/past.js';
import { block, fit } from './style.js';
import type { Paint } from './style.js';

const CHANGES_SHOWN = 6;
const VALUE_CHARACTERS = 60;

/** What a fork does otherwise than its parent. */
interface Change {
  /** Such as `turns.max`, `reply of wizard`. */
  readonly what: string;
  /** As JSON; null for nothing. */
  readonly before: string | null;
  readonly after: string | null;
}

export interface TreeRun {
  readonly summary: RunSummary;
  readonly end: Omit<RunEnd, 'finalState'> | null;
  readonly changes: readonly Change[];
  /** How far from a run of its own. */
  readonly depth: number;
}

/** Every run, each followed by its forks in the order in which they began. */
export function runTree(reader: LogReader): readonly TreeRun[] {
  const runs = reader.runs();
  const below = (parent: string | null, depth: number): readonly TreeRun[] =>
    runs
      .filter((run) => (run.parent?.runId ?? null) === parent)
      .flatMap((summary) => [treeRun(reader, summary, depth), ...below(summary.runId, depth + 1)]);
  return below(null, 0);
}

function treeRun(reader: LogReader, summary: RunSummary, depth: number): TreeRun {
  const { runId, parent } = summary;
  const changes = parent === null ? [] : changesOf(reader.run(parent.runId), reader.run(runId));
  return { summary, end: reader.ending(runId), changes, depth };
}

function changesOf(parent: RunRecord, fork: RunRecord): readonly Change[] {
  const given = Object.entries(givenIn(fork)).map(([agent, reply]) => {
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
  return [...given, ...settings];
}

function valueText(value: Json | undefined): string | null {
  return value === undefined ? null : JSON.stringify(value);
}

export function treeText(
  tree: readonly TreeRun[],
  { paint, columns }: { paint: Paint; columns: number },
): string {
  const lines = tree.flatMap(({ summary, end, changes, depth }) => {
    const { runId, parent, name, seed, steps, status } = summary;
    const indent = '  '.repeat(depth);
    const from = parent === null ? `${name}, seed ${seed}` : `from step ${parent.step}`;
    const ending = end === null ? status : `${end.status}: ${end.reason}`;
    const head = `${indent}${paint('bold', block(runId))}  ${paint('dim', block(from))}`;
    const told = changes.slice(0, CHANGES_SHOWN).map((one) => changeText(one));
    if (changes.length > CHANGES_SHOWN) told.push(`and ${changes.length - CHANGES_SHOWN} more`);
    const tail = `${counted(steps, 'step')}, ${ending}`;
    return [head, ...told.map((one) => fitted(indent, one, columns)), fitted(indent, tail, columns)];
  });
  return lines.map((line) => `${line}\n`).join('');
}

function fitted(indent: string, text: string, columns: number): string {
  return `${indent}    ${fit(text, columns - indent.length - 4)}`;
}

function changeText({ what, before, after }: Change): string {
  const short = (text: string | null): string => fit(text ?? 'nothing', VALUE_CHARACTERS);
  return before === null ? `${what}: ${short(after)}` : `${what}: ${short(before)} → ${short(after)}`;
}

export function treeDocument(tree: readonly TreeRun[]): Readonly<Record<string, Json>> {
  const runs = tree.map(({ summary, end, changes }) => ({
    run_id: summary.runId,
    parent: summary.parent?.runId ?? null,
    fork_step: summary.parent?.step ?? null,
    name: summary.name,
    seed: summary.seed,
    changes: changes.map((one) => ({ ...one })),
    steps: summary.steps,
    status: summary.status,
    reason: end?.reason ?? null,
    chain_hash: end?.chain ?? null,
  }));
  return { runs };
}

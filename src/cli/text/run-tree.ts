/**
 * The runs of a file as a tree: each fork below its parent, with the step where it diverges, what was changed,
 * and how it ended.
 */
import { loggedSteps } from '../../base/counted.js';
import type { Json } from '../../base/json.js';
import { oneLine } from '../../base/text.js';
import type { LogReader } from '../../log/reader.js';
import type { RunSummary } from '../../trajectory/run-summary.js';
import type { RunEnd } from '../../trajectory/records.js';
import { changesOf, changeText } from '../../replay/fork-changes.js';
import type { ForkChange } from '../../replay/fork-changes.js';
import { fit } from '../terminal/style.js';
import type { Paint } from '../terminal/style.js';

const CHANGES_SHOWN = 6;
const VALUE_CHARACTERS = 60;

export interface TreeRun {
  summary: RunSummary;
  end: Omit<RunEnd, 'finalState'> | null;
  changes: readonly ForkChange[];
  /** The number of its ancestors. */
  depth: number;
}

/** Every run, each followed by its forks in the order in which they began. */
export function runTree(reader: LogReader): readonly TreeRun[] {
  const runs = reader.runs();
  const subtree = (parent: string | null, depth: number): readonly TreeRun[] =>
    runs
      .filter((run) => (run.parent?.runId ?? null) === parent)
      .flatMap((summary) => {
        const { runId } = summary;
        const changes = parent === null ? [] : changesOf(reader.run(parent), reader.run(runId));
        return [{ summary, end: reader.ending(runId), changes, depth }, ...subtree(runId, depth + 1)];
      });
  return subtree(null, 0);
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
    const head = `${indent}${paint('bold', oneLine(runId))}  ${paint('dim', oneLine(from))}`;
    const changeLines = changes.slice(0, CHANGES_SHOWN).map((one) => changeText(one, VALUE_CHARACTERS));
    if (changes.length > CHANGES_SHOWN) changeLines.push(`and ${changes.length - CHANGES_SHOWN} more`);
    const tail = `${loggedSteps(steps)}, ${ending}`;
    return [head, ...changeLines.map((one) => fitted(indent, one, columns)), fitted(indent, tail, columns)];
  });
  return lines.map((line) => `${line}\n`).join('');
}

function fitted(indent: string, text: string, columns: number): string {
  return `${indent}    ${fit(text, columns - indent.length - 4)}`;
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

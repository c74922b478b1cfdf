/** What `report --knowledge` prints for people: over many runs who learnt each fact; then of each run, turn by turn, who learnt it and acted on it. In: runs with their facts; out: text. */
import {
  factLines,
  factWords,
  knowingSource,
  knowingTitle,
  toldFacts,
  totalTitle,
  totalWords,
} from '../report/knowledge-words.js';
import { knowingTotals } from '../report/knowledge-totals.js';
import type { KnowingRun, KnowingTotal } from '../report/knowledge-totals.js';
import type { Fact } from '../report/knowledge.js';
import type { Io } from './io.js';
import { fit, painter, wrapped } from './style.js';
import type { Paint } from './style.js';

interface Layout {
  readonly paint: Paint;
  readonly columns: number;
}

export function knowledgeText(runs: readonly KnowingRun[], io: Io): string {
  const layout = { paint: painter(io, io.out), columns: io.out.isTerminal ? io.out.columns : 120 };
  const parts = [
    ...knowingTotals(runs).map((total) => totalLines(total, layout)),
    ...runs.map((run) => runLines(run, layout)),
  ];
  return `${parts.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

function totalLines(total: KnowingTotal, layout: Layout): readonly string[] {
  const [facts, rest] = toldFacts(total);
  return [
    layout.paint('bold', fit(totalTitle(total), layout.columns)),
    ...facts.flatMap((fact) =>
      factText(
        fact,
        fact.agents.map((one) => totalWords(one, total.runs)),
        layout,
      ),
    ),
    ...(rest === '' ? [] : [`  ${rest}`]),
  ];
}

function runLines(run: KnowingRun, layout: Layout): readonly string[] {
  const { paint, columns } = layout;
  const facts = run.facts.flatMap((fact) => factText(fact, factLines(fact), layout));
  return [
    paint('bold', fit(knowingTitle(run), columns)),
    ...wrapped(fit(knowingSource(run), 1000), columns - 2).map((words) => paint('dim', `  ${words}`)),
    ...(facts.length === 0 ? ['  nothing was said, read or found'] : facts),
  ];
}

/** The fact, then its lines. */
function factText(
  fact: Pick<Fact, 'kind' | 'words'>,
  lines: readonly string[],
  { paint, columns }: Layout,
): readonly string[] {
  const head = wrapped(fit(factWords(fact), 1000), columns - 2).map((words) => `  ${words}`);
  const told = lines.flatMap((words) => wrapped(fit(words, 1000), columns - 4));
  return [...head, ...told.map((words) => paint('dim', `    ${words}`))];
}

/** What `report --knowledge` prints for people: of each fact who learnt it, turn by turn, and who acted on it. In: runs with their facts; out: text. */
import { actedWords, factWords, learntWords } from '../report/knowledge-words.js';
import { knowingTitle } from '../report/knowledge-page.js';
import type { KnowingRun } from '../report/knowledge-page.js';
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
  const parts = runs.map((run) => {
    const title = layout.paint('bold', fit(knowingTitle(run), layout.columns));
    const facts = run.facts.flatMap((fact) => factLines(fact, layout));
    return [title, ...(facts.length === 0 ? ['  nothing was said, read or found'] : facts)].join('\n');
  });
  return `${parts.join('\n\n')}\n`;
}

/** The fact, then a line each for who learnt it, then for who acted. */
function factLines(fact: Fact, { paint, columns }: Layout): readonly string[] {
  const head = wrapped(fit(factWords(fact), 1000), columns - 2).map((words) => `  ${words}`);
  const learnt = fact.learnt.map((one) => line(one.turn, learntWords(one, fact)));
  const acted = fact.acted.map((one) => line(one.turn, `${actedWords(one)} (acted)`));
  return [...head, ...[...learnt, ...acted].map((words) => paint('dim', `    ${fit(words, columns - 4)}`))];
}

function line(turn: number, words: string): string {
  return `T${turn} ${words}`;
}

/** Who knew what as one HTML file that opens from disk and runs no script. In: runs with their facts; out: the file's text. */
import { oneLine } from '../base/text.js';
import { actedWords, factWords, learntWords } from './knowledge-words.js';
import type { Fact } from './knowledge.js';
import { escaped } from './markup.js';
import { fileOf } from './page-file.js';

/** A run with what its agents knew. */
export interface KnowingRun {
  /** As it was named on the command line. */
  readonly log: string;
  readonly run: string;
  readonly scenario: string;
  readonly seed: string;
  readonly players: string;
  readonly facts: readonly Fact[];
}

/** What a run is called above its facts: "crypt, seed 7, played by qwen". */
export function knowingTitle({ scenario, seed, players }: KnowingRun): string {
  return oneLine(`${scenario}, seed ${seed}, played by ${players}`);
}

export function knowledgePage(runs: readonly KnowingRun[]): string {
  const lead =
    'Who learnt what when, and who acted on it afterwards: from what the agents were told, as the log has it. Acting afterwards does not mean because of it.';
  return fileOf('Who knew what', [
    '<h1>Who knew what</h1>',
    `<p class="lead">${lead}</p>`,
    ...runs.map((run) => `<section><h2>${escaped(knowingTitle(run))}</h2>${tableOf(run)}</section>`),
  ]);
}

function tableOf({ facts }: KnowingRun): string {
  if (facts.length === 0) return '<p>Nothing was said, read or found.</p>';
  const rows = facts.map((fact) => {
    const learnt = fact.learnt.map((one) => line(one.turn, learntWords(one, fact)));
    const acted = fact.acted.map((one) => line(one.turn, actedWords(one)));
    const cells = [learnt, acted].map((lines) => `<td class="text">${lines.join('<br>')}</td>`);
    return `<tr><th scope="row" class="text">${escaped(factWords(fact))}</th>${cells.join('')}</tr>`;
  });
  const heads = ['fact', 'learnt', 'acted on'].map((word) => `<th scope="col" class="text">${word}</th>`);
  return `<div class="wide"><table><thead><tr>${heads.join('')}</tr></thead><tbody>${rows.join('')}</tbody></table></div>`;
}

function line(turn: number, words: string): string {
  return `T${turn} ${escaped(words)}`;
}

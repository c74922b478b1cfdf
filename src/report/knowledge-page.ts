/** What agents knew, as one HTML file that opens from disk and runs no script. */
import type { KnowingRun } from './knowledge-totals.js';
import { knowledgeSections } from './knowledge-sections.js';
import type { KnowledgeSection } from './knowledge-sections.js';
import { escaped } from './markup.js';
import { fileOf } from './page-file.js';

export function knowledgePage(runs: readonly KnowingRun[]): string {
  const lead =
    'Who learnt what and when, and who acted on it afterwards, according to the observations in the log. Acting afterwards does not imply acting because of it.';
  return fileOf('Who knew what', [
    '<h1>Who knew what</h1>',
    `<p class="lead">${lead}</p>`,
    ...knowledgeSections(runs).map(sectionOf),
  ]);
}

function sectionOf({ title, lead, facts }: KnowledgeSection): string {
  const body = facts.length === 0 ? '<p>Nothing was said, read or found.</p>' : tableOf(facts);
  const leadParagraph = lead === '' ? '' : `<p class="lead">${escaped(lead)}</p>`;
  return `<section><h2>${escaped(title)}</h2>${leadParagraph}${body}</section>`;
}

function tableOf(rows: KnowledgeSection['facts']): string {
  const lines = rows.map(
    ({ name, lines: words }) =>
      `<tr><th scope="row" class="text">${escaped(name)}</th><td class="text">${words.map(escaped).join('<br>')}</td></tr>`,
  );
  const heads = ['fact', 'who learnt it and acted'].map(
    (word) => `<th scope="col" class="text">${word}</th>`,
  );
  return `<div class="wide"><table><thead><tr>${heads.join('')}</tr></thead><tbody>${lines.join('')}</tbody></table></div>`;
}

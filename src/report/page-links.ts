/**
 * Links from the report's page to its runs on the page of `view`. In: runs and the address of that page; out:
 * HTML, a line of seeds for each player.
 */
import { escaped } from './markup.js';
import { isWon, playersOf } from './run-kinds.js';
import type { RunMetrics } from './run-metrics.js';

/**
 * `view`: the page's address relative to the report's folder, as a URL. Names of runs are escaped for the
 * address.
 */
export function runLinks(runs: readonly RunMetrics[], view: string): string {
  const lines = [...new Set(runs.map(playersOf))].map((name) => {
    const own = runs.filter((run) => playersOf(run) === name);
    return `<li>${escaped(name)}: ${own.map((run) => linkOf(run, view)).join(' ')}</li>`;
  });
  return `<h3>Runs by seed</h3><ul class="runs">${lines.join('')}</ul>`;
}

function linkOf(run: RunMetrics, view: string): string {
  const address = `${view}#run=${encodeURIComponent(run.run.toWellFormed())}`;
  const title = `${run.status}: ${run.reason}`;
  return `<a href="${escaped(address)}" title="${escaped(title)}">${escaped(run.seed)}${isWon(run) ? '' : '\u00a0✗'}</a>`;
}

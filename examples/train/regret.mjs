// @ts-check
/**
 * What the actions of players cost, from `orchestrate export --format jsonl --regret`: the regret of an action is the number of turns by which it
 * delays the earliest possible success; a refused action costs the turn in which the agent then waits. In: exported rows; out: a Markdown table
 * with a row per player and family.
 */
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';

/**
 * @typedef {object} Costs
 * @property {number} replies
 * @property {number} done  replies whose action was carried out
 * @property {number} known  replies with a certain cost in turns
 * @property {number} best  of these, replies that cost nothing
 * @property {number} turns  what all of them cost together
 * @property {number} fatal  replies after which success was impossible
 */

/** @param {readonly (readonly [player: string, rows: string])[]} files @returns {Promise<string>} */
export async function regretTable(files) {
  const lines = [
    '| player | family | replies | carried out | best | mean regret in turns | fatal |',
    '| --- | --- | ---: | ---: | ---: | ---: | ---: |',
  ];
  for (const [player, rows] of files)
    for (const [family, costs] of await costsByFamily(rows)) {
      const { replies, done, known, best, turns, fatal } = costs;
      const shares = [share(done, replies), share(best, known + fatal), mean(turns, known)];
      const cells = [player, family, replies, ...shares, fatal];
      lines.push(`| ${cells.join(' | ')} |`);
    }
  return lines.join('\n');
}

/** @param {string} rows @returns {Promise<Map<string, Costs>>} */
async function costsByFamily(rows) {
  /** @type {Map<string, Costs>} */
  const families = new Map();
  for await (const line of createInterface({ input: createReadStream(rows) })) {
    const { scenario, ok, regret, regret_kind: kind } = JSON.parse(line);
    const costs = families.get(scenario) ?? { replies: 0, done: 0, known: 0, best: 0, turns: 0, fatal: 0 };
    families.set(scenario, costs);
    costs.replies += 1;
    if (ok) costs.done += 1;
    if (kind === 'fatal') costs.fatal += 1;
    if (kind !== 'exact') continue;
    costs.known += 1;
    costs.turns += regret;
    if (regret === 0) costs.best += 1;
  }
  return families;
}

/** @param {number} part @param {number} all */
function share(part, all) {
  return all === 0 ? '–' : `${Math.round((100 * part) / all)} %`;
}

/** @param {number} sum @param {number} count */
function mean(sum, count) {
  return count === 0 ? '–' : (sum / count).toFixed(2);
}

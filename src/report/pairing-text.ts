/** What two players won of the same seeds of one scenario, in sentences for terminal and page. */
import { amount } from '../base/counted.js';
import { pValueText } from './figure-text.js';
import { pairVerdictText } from './pair-table.js';
import type { PlayerPair, RunReport } from './report.js';

/**
 * The comparisons in one of several scenarios, a sentence each; of a single scenario, the table of comparisons
 * has them.
 */
export function pairingTexts({ pairings, overview }: RunReport, scenario: string): readonly string[] {
  return overview.scenarios.length < 2
    ? []
    : pairings.filter((pairing) => pairing.scenario === scenario).map(pairingText);
}

/** The comparison of a pair of players in one scenario, in one sentence. */
export function pairingText(pairing: PlayerPair): string {
  const { one, other, both, onlyOne, onlyOther, seeds, p, corrected } = pairing;
  const means = [(both + onlyOne) / seeds, (both + onlyOther) / seeds] as const;
  const differing = onlyOne + onlyOther;
  const verdict = pairVerdictText({
    ...pairing,
    figure: 'success',
    scenarios: 1,
    means,
    differing,
    isAlike: differing === 0,
  });
  if (p === null) return `${one}, ${other}: ${verdict}`;
  const chance = (value: number | null): string =>
    value !== null && value < 0.001 ? 'p < 0.001' : `p = ${pValueText(value)}`;
  const holm = p === corrected ? '' : ` (Holm: ${chance(corrected)})`;
  return `of ${amount(seeds, 'shared seed')}, ${onlyOne} won only by ${one}, ${onlyOther} only by ${other}; ${chance(p)}${holm}, ${verdict}`;
}

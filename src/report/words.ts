/** Figures as words, the same in the table and on the page. */
import { counted } from '../base/counted.js';
import type { Cell, Estimate, Pairing } from './report.js';
import type { Counts } from './run-figures.js';

export function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

/** `72 % (58–83)`; a dash where nothing was won or lost. */
export function successWords({ success }: Pick<Cell, 'success'>): string {
  if (success === null) return '–';
  const { low, high } = success.interval;
  return `${percent(success.share)} (${Math.round(low * 100)}–${Math.round(high * 100)})`;
}

/** `12.3 (10.1–14.0)`, without the interval where there are too few values. */
export function estimateWords(estimate: Estimate | null): string {
  if (estimate === null) return '–';
  const { mean, interval } = estimate;
  return `${mean.toFixed(1)}${interval === null ? '' : ` (${interval.low.toFixed(1)}–${interval.high.toFixed(1)})`}`;
}

/** Of so many; a dash of none. */
export function shareWords(part: number, of: number): string {
  return of === 0 ? '–' : percent(part / of);
}

export function tokensWords({
  promptTokens,
  replyTokens,
}: Pick<Cell, 'promptTokens' | 'replyTokens'>): string {
  const tokens = promptTokens + replyTokens;
  if (tokens === 0) return '–';
  if (tokens < 10_000) return String(tokens);
  return tokens < 10_000_000 ? `${Math.round(tokens / 1000)}k` : `${(tokens / 1_000_000).toFixed(1)}M`;
}

/** Of the prompt tokens, those that servers had cached; a dash where none told. */
export function cachedWords({
  cachedTokens,
  cacheToldTokens,
}: Pick<Cell, 'cachedTokens' | 'cacheToldTokens'>): string {
  return shareWords(cachedTokens, cacheToldTokens);
}

/** Money to four places, the currency being the scenario's own. */
export function costWords(cost: number | null): string {
  return cost === null || cost === 0 ? '–' : cost.toFixed(4);
}

/** What was not understood and what was refused, by problem code; nothing where all went well. */
export function wrongWords({ unread, refused }: Pick<Cell, 'unread' | 'refused'>): readonly string[] {
  return [...countsWords('not understood', unread), ...countsWords('refused', refused)];
}

function countsWords(word: string, counts: Counts): readonly string[] {
  const list = Object.entries(counts).map(([code, times]) => `${code} ${times}`);
  return list.length === 0 ? [] : [`${word}: ${list.join(', ')}`];
}

/** Calls that were asked ahead in vain, of all that were made to act; nothing where there were none. */
export function wastedWords({ wasted, replies }: Pick<Cell, 'wasted' | 'replies'>): readonly string[] {
  return wasted === 0 ? [] : [`${counted(wasted, 'call')} asked ahead in vain, ${replies} counted`];
}

/** One sentence. */
export function pairingWords(pairing: Pairing): string {
  const { one, other, onlyOne, onlyOther, seeds, p, verdict } = pairing;
  const alone = `${one} alone won ${onlyOne}, ${other} alone ${onlyOther} of ${counted(seeds, 'seed')} that both played`;
  const told = p < 0.001 ? 'p < 0.001' : `p = ${p.toFixed(3)}`;
  if (verdict === 'too few to tell') return `${alone} (${told}): too few to tell which is better`;
  return `${alone} (${told}): ${verdict === 'one' ? one : other} is better`;
}

/** Who knew what as words, the same in the terminal and on a page. In: facts; out: short texts. */
import { oneLine } from '../base/text.js';
import type { ActedOn, Fact, Learnt } from './knowledge.js';

export function factWords({ kind, words }: Fact): string {
  return kind === 'words' ? `“${oneLine(words)}”` : oneLine(words);
}

/** "miner heard it from monk" */
export function learntWords({ agent, how, from, place }: Learnt, { kind }: Pick<Fact, 'kind'>): string {
  const it = kind === 'words' ? 'it' : 'of it';
  switch (how) {
    case 'said':
      return `${agent} said it`;
    case 'heard':
      return `${agent} heard ${it} from ${from ?? 'somebody'}`;
    case 'read':
      return `${agent} read ${it}${from === null ? '' : ` on the ${from}`}`;
    case 'seen':
      return `${agent} ${place === null ? 'holds it' : `saw it at (${place.x}, ${place.y})`}`;
  }
}

export function actedWords({ agent, words }: ActedOn): string {
  return `${agent}: ${words}`;
}

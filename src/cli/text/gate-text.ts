/** What `check --gate` prints for a scenario. */
import { counted } from '../../base/counted.js';
import type { GateFigures } from '../../gate/gate.js';
import { fit } from '../terminal/style.js';
import type { Paint } from '../terminal/style.js';

export interface GateResult {
  figures: GateFigures;
  faults: readonly string[];
}

export function gateLines({ figures, faults }: GateResult, paint: Paint): readonly string[] {
  const { path, measures, seeds, wins, allWords, turns, firstReply } = figures;
  const percent = (count: number): string => `${Math.round((100 * count) / seeds)} %`;
  const shown = [
    measures === null ? 'chance not written' : `chance ${measures.chance} %`,
    ...Object.entries(wins).flatMap(([kind, won]) => {
      const needed = kind === 'sighted' ? ` in ${counted(turns, 'turn')}` : '';
      return won === null ? [] : [`${kind} ${percent(won)}${needed}`];
    }),
    ...(allWords === null ? [] : [`all words at once ${percent(allWords.wins)}`]),
    ...(firstReply === null ? [] : [`${fit(firstReply.reply, 40)} at once ${percent(firstReply.wins)}`]),
  ];
  const verdict = faults.length === 0 ? paint('green', 'ok') : paint('red', 'not sound');
  return [
    `${verdict} ${fit(path, 200)}: ${shown.join(' · ')} (${counted(seeds, 'seed')})`,
    ...faults.map((fault) => `   ${fault}`),
  ];
}

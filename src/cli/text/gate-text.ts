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
  const { path, measures, seeds, wins, bestTurn, firstReply } = figures;
  const percent = (count: number): string => `${Math.round((100 * count) / seeds)} %`;
  const shown = [
    measures === null ? 'chance not written' : `chance ${measures.chance} %`,
    ...Object.entries(wins).flatMap(([kind, won]) => (won === null ? [] : [`${kind} ${percent(won)}`])),
    ...(firstReply === null ? [] : [`${fit(firstReply.reply, 40)} at once ${percent(firstReply.wins)}`]),
    bestTurn === null ? 'best solution not found' : `best solution ${counted(bestTurn, 'turn')}`,
  ];
  const verdict = faults.length === 0 ? paint('green', 'ok') : paint('red', 'not sound');
  return [
    `${verdict} ${fit(path, 200)}: ${shown.join(' · ')} (${counted(seeds, 'seed')})`,
    ...faults.map((fault) => `   ${fault}`),
  ];
}

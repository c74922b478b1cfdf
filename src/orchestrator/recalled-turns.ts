/** Which past turns an agent has requested with RECALL, oldest request first. */
import { RECALL } from '../environment/recall.js';
import type { ActRecord } from '../trajectory/act.js';

export function recalledTurns(acts: readonly ActRecord[]): readonly number[] {
  return acts.flatMap(({ intent, result }) => {
    const turn = intent?.action === RECALL && result.ok ? intent.args['turn'] : undefined;
    return typeof turn === 'number' ? [turn] : [];
  });
}

/** How punctual the ticks of a served run were, in words. */
import { counted } from '../../base/counted.js';
import type { TickFigures } from '../../trajectory/tick-sums.js';

export function ticksText({ ticks, ticksLate, overrunMs, settleMs }: TickFigures): string {
  if (ticks === 0) return '';
  const late = ticksLate === 0 ? 'none began late' : `${ticksLate} began late, by at most ${overrunMs} ms`;
  return `${counted(ticks, 'served tick')}, ${late}; settled within ${settleMs} ms\n`;
}

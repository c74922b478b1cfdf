/** How `check` says whether a scenario can be won, and by which moves. In: what was found; out: lines for people. */
import { counted } from '../base/counted.js';
import type { Winnable } from '../assembly/winnable.js';
import { fit, pad } from './style.js';

/** What came of replies that were handed in. */
export interface Proof {
  readonly file: string;
  readonly status: string;
  readonly turns: number;
  readonly reason: string;
}

/** What was found of a scenario, in one line. */
export function winLine(
  found: Winnable | null,
  { without: withdrawn, effort }: { readonly without: readonly string[]; readonly effort: number },
): string {
  if (found === null) return 'nothing counts as success, so there is nothing to win';
  const without = withdrawn.length === 0 ? '' : ` without ${withdrawn.join(' and ')}`;
  const searched = `${counted(found.states, 'position')} searched`;
  switch (found.verdict) {
    case 'winnable': {
      const isLeast = found.isFewest || found.turn === 1;
      const least = found.isFewest ? ', and no sooner' : isLeast ? '' : ' or fewer';
      return `can be won${without}: in ${counted(found.turn ?? 0, 'turn')}${least} (${searched})${alike(found, ', without luck: the way wins in each of')}`;
    }
    case 'impossible':
      return `can't be won${without} by agents that know what they have seen, read and heard (${searched})${alike(found, ': nothing they could do wins in each of')}${luck(found)}`;
    case 'unknown': {
      const isSpent = found.tried >= effort;
      const why = isSpent ? 'the search gave up' : "free words, or what lies outside, can't be searched";
      const more = isSpent ? '--effort searches longer, ' : '';
      return `not known whether it can be won${without}: ${why} (${searched}); ${more}--replies FILE takes a list of replies, and is proof if they win${luck(found)}`;
    }
  }
}

/** Said where there is more than one world to reckon with. */
function alike({ worlds }: Winnable, words: string): string {
  return worlds === 1 ? '' : `${words} ${worlds} worlds that look alike at first`;
}

function luck({ luckTurn }: Winnable): string {
  return luckTurn === null ? '' : `; a lucky guess wins in ${counted(luckTurn, 'turn')}`;
}

export function proofLine({ file, status, turns, reason }: Proof): string {
  return status === 'succeeded'
    ? `can be won: the replies of ${fit(file, 100)} win in ${counted(turns, 'turn')}`
    : `the replies of ${fit(file, 100)} don't win: ${fit(reason, 200)}`;
}

/** The moves of a way to win, a line each. */
export function planLines({ moves }: Winnable): readonly string[] {
  const width = Math.max(0, ...(moves ?? []).map(({ agent }) => agent.length));
  return (moves ?? []).map(
    ({ turn, agent, command }) => `${`T${turn}`.padStart(4)}  ${pad(agent, width)}  ${fit(command, 200)}`,
  );
}

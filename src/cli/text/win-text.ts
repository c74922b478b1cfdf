/**
 * What `check` prints about whether a scenario can be won, and by which moves. In: the result; out: lines for
 * people.
 */
import { counted } from '../../base/counted.js';
import type { Winnable } from '../../assembly/winnable.js';
import type { StepRecord } from '../../trajectory/records.js';
import { fit, pad } from '../terminal/style.js';

/** The result of playing the given replies. */
export interface WinProof {
  readonly file: string;
  readonly status: string;
  readonly turns: number;
  readonly reason: string;
  /** The first reply that was not understood or not allowed; null if each did what it says. */
  readonly refused: RefusedMove | null;
}

export interface RefusedMove {
  readonly turn: number;
  readonly agent: string;
  /** The error in it, as shown to the agent. */
  readonly message: string;
}

/** A step's first reply whose action did not succeed; null if each did. */
export function refusedIn({ turn, agent, acts }: StepRecord): RefusedMove | null {
  for (const { result, insteadOf } of acts) {
    const problem = result.ok ? insteadOf : result.problem;
    if (problem !== null) return { turn, agent, message: problem.message };
  }
  return null;
}

/** The result for a scenario, in one line. */
export function winLine(
  found: Winnable | null,
  { without: withdrawn, effort }: { readonly without: readonly string[]; readonly effort: number },
): string {
  if (found === null) return 'no success condition, so there is nothing to win';
  const without = withdrawn.length === 0 ? '' : ` without ${withdrawn.join(' and ')}`;
  const proven = found.isFewest ? 'proven minimum; ' : '';
  const searched = `${proven}${counted(found.states, 'position')} searched`;
  switch (found.verdict) {
    case 'winnable': {
      const least = found.isFewest || found.turn === 1 ? '' : ' or fewer';
      return `can be won${without} in ${counted(found.turn ?? 0, 'turn')}${least} (${searched})${alike(found, '; no luck needed: the moves win in each of')}`;
    }
    case 'impossible':
      return `unwinnable${without} with the information agents can get (${searched})${alike(found, ': no single plan wins in all')}${luck(found)}`;
    case 'unknown': {
      const isSpent = found.tried >= effort;
      const why = isSpent
        ? 'the search gave up'
        : "free text and actions with outside effects can't be searched";
      const more = isSpent ? '--effort searches longer, ' : '';
      return `not known whether it can be won${without}: ${why} (${searched}); ${more}--replies FILE takes a list of replies, which prove it if they win${luck(found)}`;
    }
  }
}

/** Added if more than one world has to be considered. */
function alike({ worlds }: Winnable, words: string): string {
  return worlds === 1 ? '' : `${words} ${worlds} worlds that look alike at first`;
}

function luck({ luckTurn }: Winnable): string {
  return luckTurn === null ? '' : `; a lucky guess wins in ${counted(luckTurn, 'turn')}`;
}

/** If the replies don't win, also the first one that went wrong, if any did. */
export function proofLines({ file, status, turns, reason, refused }: WinProof): readonly string[] {
  const name = fit(file, 100);
  if (status === 'succeeded') return [`can be won: the replies of ${name} win in ${counted(turns, 'turn')}`];
  const lost = `the replies of ${name} don't win: ${fit(reason, 200)}`;
  if (refused === null) return [lost];
  const { turn, agent, message } = refused;
  return [lost, `first refusal: turn ${turn}, ${agent}: ${fit(message, 200)}`];
}

/** The moves of a solution, a line each. */
export function planLines({ moves }: Winnable): readonly string[] {
  const width = Math.max(0, ...(moves ?? []).map(({ agent }) => agent.length));
  return (moves ?? []).map(
    ({ turn, agent, command }) => `${`T${turn}`.padStart(4)}  ${pad(agent, width)}  ${fit(command, 200)}`,
  );
}

/** What `check` prints about whether a scenario can be won, and by which moves. */
import { counted } from '../../base/counted.js';
import type { Winnable } from '../../assembly/winnable.js';
import type { StepRecord } from '../../trajectory/records.js';
import { fit, pad } from '../terminal/style.js';

/** The result of playing the given replies. */
export interface WinProof {
  file: string;
  status: string;
  turns: number;
  reason: string;
  /** The first reply that was not understood or not allowed; null if each did what it says. */
  refused: RefusedMove | null;
}

export interface RefusedMove {
  turn: number;
  agent: string;
  /** The error in it, as shown to the agent. */
  message: string;
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
  result: Winnable | null,
  {
    without: withdrawn,
    seat,
    effort,
    guesses,
  }: {
    without: readonly string[];
    seat: string | undefined;
    effort: number;
    /** Words that the moves say and that no agent can know. */
    guesses: readonly string[];
  },
): string {
  if (result === null) return 'no success condition, so there is nothing to win';
  const without = [
    ...(seat === undefined ? [] : [` by ${seat} alone`]),
    ...(withdrawn.length === 0 ? [] : [` without ${withdrawn.join(' and ')}`]),
  ].join('');
  const proven = result.isFewest ? 'proven minimum; ' : '';
  const searched = `${proven}${counted(result.states, 'position')} searched`;
  switch (result.verdict) {
    case 'winnable': {
      if (result.steps === 0) return 'won before its first turn';
      const orFewer = result.isFewest || result.turn === 1 ? '' : ' or fewer';
      return `can be won${without} in ${counted(result.turn ?? 0, 'turn')}${orFewer}${guessNote(guesses)} (${searched})${alikeWorldsNote(result, '; no luck needed: the moves win in each of')}`;
    }
    case 'impossible':
      return `unwinnable${without} with the information agents can get (${searched})${alikeWorldsNote(result, ': no single plan wins in all')}${luckyGuessNote(result)}`;
    case 'unknown': {
      const isSpent = result.tried >= effort;
      const why = isSpent
        ? 'the search gave up'
        : result.untried > 0
          ? `only ${counted(result.worlds, 'world')} of ${result.untried === Infinity ? 'very many' : result.worlds + result.untried} that look alike at first ${result.worlds === 1 ? 'was' : 'were'} searched`
          : "free text and actions with outside effects can't be searched";
      const advice = isSpent ? '--effort searches longer, ' : '';
      return `not known whether it can be won${without}: ${why} (${searched}); ${advice}--replies FILE takes a list of replies, which prove it if they win${luckyGuessNote(result)}`;
    }
  }
}

function alikeWorldsNote({ worlds }: Winnable, words: string): string {
  return worlds === 1 ? '' : `${words} ${worlds} worlds that look alike at first`;
}

function guessNote(guesses: readonly string[]): string {
  const words = [...new Set(guesses)].map((phrase) => `'${fit(phrase, 40)}'`);
  return words.length === 0 ? '' : ` if an agent guesses ${words.join(' and ')}, which none can know`;
}

function luckyGuessNote({ luckTurn }: Winnable): string {
  return luckTurn === null ? '' : `; a lucky guess wins in ${counted(luckTurn, 'turn')}`;
}

/** If the replies don't win, also the first one that went wrong, if any did. */
export function proofLines({ file, status, turns, reason, refused }: WinProof): readonly string[] {
  const name = fit(file, 100);
  if (status === 'succeeded') return [`can be won: the replies of ${name} win in ${counted(turns, 'turn')}`];
  const failure = `the replies of ${name} don't win: ${fit(reason, 200)}`;
  if (refused === null) return [failure];
  const { turn, agent, message } = refused;
  return [failure, `first refusal: turn ${turn}, ${agent}: ${fit(message, 200)}`];
}

/** The moves of a solution, a line each. */
export function planLines({ moves }: Winnable): readonly string[] {
  const width = Math.max(0, ...(moves ?? []).map(({ agent }) => agent.length));
  return (moves ?? []).map(
    ({ turn, agent, command }) => `${`T${turn}`.padStart(4)}  ${pad(agent, width)}  ${fit(command, 200)}`,
  );
}

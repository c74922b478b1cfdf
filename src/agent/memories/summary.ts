/**
 * A memory that has its model summarise what it drops: when the history exceeds its limit, the oldest turns
 * become one summary, which precedes the remaining turns. The summary is an input from outside: requested by
 * the loop, stored, length-limited, and shown as the agent's own earlier words. If there is no summary, the
 * block is dropped as in a plain history.
 */
import { counted } from '../../base/counted.js';
import { breakControlTokens } from '../../base/text.js';
import type { Message } from '../../model/chat.js';
import type { MemoryExchange, Memory } from '../memory.js';
import { exchange, exchanged, userMessage } from '../memory.js';

export interface SummaryOptions {
  readonly turnsMax: number;
  readonly turnsKept: number;
  /** The number of newest turns that keep their pictures. */
  readonly pictures?: number;
  /** The maximum length of the summary, in characters. */
  readonly charactersMax: number;
}

interface HeldSummary {
  /** '' if nothing has been summarised yet. */
  readonly summary: string;
  /** The newest turn that the summary covers; 0 while there is none. */
  readonly through: number;
  readonly past: readonly MemoryExchange[];
}

export function summaryMemory(options: SummaryOptions): Memory {
  return memoryOf({ summary: '', through: 0, past: [] }, options);
}

function memoryOf(held: HeldSummary, options: SummaryOptions): Memory {
  const { turnsMax, turnsKept, charactersMax, pictures = 0 } = options;
  const isFull = held.past.length > turnsMax;
  const dropped = isFull ? held.past.slice(0, held.past.length - turnsKept) : [];
  const opening = openingOf(held);
  const memory: Memory = {
    messages: () => [...opening, ...exchanged(held.past, pictures)],
    remember: (turn) => memoryOf({ ...held, past: [...held.past, exchange(turn)] }, options),
    wish: () => (isFull ? request(held.summary, dropped, charactersMax) : null),
    digest: (words) => (isFull ? memoryOf(summedUp(held, dropped, words, charactersMax), options) : memory),
    kept: () => null,
  };
  return memory;
}

function openingOf({ summary, through }: HeldSummary): readonly Message[] {
  if (summary === '') return [];
  return [
    userMessage(`Your own summary of turns 1 to ${through}:\n${summary}`),
    { role: 'assistant', parts: [{ kind: 'text', text: 'I remember.' }] },
  ];
}

function summedUp(
  held: HeldSummary,
  dropped: readonly MemoryExchange[],
  words: string | null,
  charactersMax: number,
): HeldSummary {
  const text = breakControlTokens((words ?? '').trim())
    .slice(0, charactersMax)
    .toWellFormed();
  return {
    summary: text === '' ? held.summary : text,
    through: text === '' ? held.through : (dropped.at(-1)?.turn.turn ?? held.through),
    past: held.past.slice(dropped.length),
  };
}

function request(summary: string, dropped: readonly MemoryExchange[], charactersMax: number): readonly Message[] {
  const before = summary === '' ? [] : [`What you had summed up before:\n${summary}`];
  const turns = dropped.map(({ turn: { text, reply } }) =>
    reply === '' ? text : `${text}\nYour answer: ${reply}`,
  );
  const task = `Sum up for yourself what happened in these turns: places, people, things, promises, what was tried and what came of it. At most ${counted(charactersMax, 'character')}, plain sentences, nothing invented. Do not act now.`;
  return [userMessage([...before, ...turns, task].join('\n\n'))];
}

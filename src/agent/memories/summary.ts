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
import { toExchange, exchangeMessages, userMessage } from '../memory.js';

export interface SummaryOptions {
  turnsMax: number;
  turnsKept: number;
  /** The number of newest turns that keep their pictures. */
  pictures?: number;
  /** The maximum length of the summary, in characters. */
  charactersMax: number;
}

interface HeldSummary {
  /** '' if nothing has been summarised yet. */
  summary: string;
  /** The newest turn that the summary covers; 0 while there is none. */
  through: number;
  past: readonly MemoryExchange[];
}

export function summaryMemory(options: SummaryOptions): Memory {
  return memoryOf({ summary: '', through: 0, past: [] }, options);
}

function memoryOf(state: HeldSummary, options: SummaryOptions): Memory {
  const { turnsMax, turnsKept, charactersMax, pictures = 0 } = options;
  const isFull = state.past.length > turnsMax;
  const dropped = isFull ? state.past.slice(0, state.past.length - turnsKept) : [];
  const summaryMessages = messagesOf(state);
  const memory: Memory = {
    messages: () => [...summaryMessages, ...exchangeMessages(state.past, pictures)],
    remember: (turn) => memoryOf({ ...state, past: [...state.past, toExchange(turn)] }, options),
    textRequest: () => (isFull ? summaryRequest(state.summary, dropped, charactersMax) : null),
    withText: (reply) => (isFull ? memoryOf(withSummary(state, dropped, reply, charactersMax), options) : memory),
    kept: () => null,
  };
  return memory;
}

function messagesOf({ summary, through }: HeldSummary): readonly Message[] {
  if (summary === '') return [];
  return [
    userMessage(`Your own summary of turns 1 to ${through}:\n${summary}`),
    { role: 'assistant', parts: [{ kind: 'text', text: 'I remember.' }] },
  ];
}

function withSummary(
  state: HeldSummary,
  dropped: readonly MemoryExchange[],
  reply: string | null,
  charactersMax: number,
): HeldSummary {
  const text = breakControlTokens((reply ?? '').trim())
    .slice(0, charactersMax)
    .toWellFormed();
  return {
    summary: text === '' ? state.summary : text,
    through: text === '' ? state.through : (dropped.at(-1)?.turn.turn ?? state.through),
    past: state.past.slice(dropped.length),
  };
}

function summaryRequest(summary: string, dropped: readonly MemoryExchange[], charactersMax: number): readonly Message[] {
  const before = summary === '' ? [] : [`What you had summed up before:\n${summary}`];
  const turns = dropped.map(({ turn: { text, reply } }) =>
    reply === '' ? text : `${text}\nYour answer: ${reply}`,
  );
  const task = `Sum up for yourself what happened in these turns: places, people, things, promises, what was tried and what came of it. At most ${counted(charactersMax, 'character')}, plain sentences, nothing invented. Do not act now.`;
  return [userMessage([...before, ...turns, task].join('\n\n'))];
}

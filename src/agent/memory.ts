/**
 * The contract of memory: the history of an agent's model, as messages between the system text and this
 * turn's. A memory is a value: `remember` returns a new one, so a run's history can be rebuilt from its log.
 * Input from outside (a model's summary, notes of an earlier run) is requested by the loop and stored before
 * it is used.
 */
import type { Json } from '../base/json.js';
import type { Message } from '../model/chat.js';

/** One past turn. */
export interface MemoryTurn {
  /** Counts from 1. */
  readonly turn: number;
  /** The text that was sent, without the image. */
  readonly text: string;
  /**
   * The command that was understood, or the agent's own words if they could not be read; '' if it said
   * nothing.
   */
  readonly reply: string;
  /** The notes that the agent took with NOTE during the turn, oldest first. */
  readonly notes: readonly string[];
}

/**
 * The history of an agent's model, as messages between the system text and this turn's text. Immutable:
 * `remember` and `digest` return another memory and leave this one unchanged.
 */
export interface Memory {
  /**
   * The messages, oldest first. The same past returns the same message objects, so that the log hashes each of them only once.
   */
  messages(): readonly Message[];
  /** The memory with one more turn. */
  remember(turn: MemoryTurn): Memory;
  /** What the agent's model should write before its next turn; null for nothing. */
  wish(): readonly Message[] | null;
  /**
   * The memory with the model's text, or with null if there was none; after that, the memory must not ask for it again.
   */
  digest(words: string | null): Memory;
  /** What a later run receives as `kept`; null if nothing is kept across runs. */
  kept(): Json;
}

/** A message with the role `user` and one text. */
export function userMessage(text: string): Message {
  return { role: 'user', parts: [{ kind: 'text', text }] };
}

/** A past turn and the messages that it was. */
export interface MemoryExchange {
  readonly turn: MemoryTurn;
  /** Always the same objects. */
  readonly messages: () => readonly Message[];
}

/** Its messages are made when they are first asked for: of a long past most turns are dropped before. */
export function exchange(turn: MemoryTurn): MemoryExchange {
  let made: readonly Message[] | null = null;
  return {
    turn,
    messages: () => {
      made ??= [userMessage(turn.text), ...assistantMessages(turn.reply)];
      return made;
    },
  };
}

/** None for an agent that said nothing: its text is then followed directly by its next turn. */
function assistantMessages(reply: string): readonly Message[] {
  return reply === '' ? [] : [{ role: 'assistant', parts: [{ kind: 'text', text: reply }] }];
}

/** Past turns as the messages that they were, always the same objects. */
export function exchanged(past: readonly MemoryExchange[]): readonly Message[] {
  const all: Message[] = [];
  for (const { messages } of past) all.push(...messages());
  return all;
}

/**
 * The contract of memory: the history of an agent's model, as messages between the system text and this
 * turn's. A memory is a value: `remember` returns a new one, so a run's history can be rebuilt from its log.
 * Input from outside (a model's summary, notes of an earlier run) is requested by the loop and stored before
 * it is used.
 */
import type { Json } from '../base/json.js';
import type { Message, MessagePart } from '../model/chat.js';

/** A picture as it was sent. */
export interface SeenPicture {
  png: Uint8Array;
  hash: string;
}

/** One past turn. */
export interface MemoryTurn {
  /** Counts from 1. */
  turn: number;
  /** The text that was sent, without the image. */
  text: string;
  /**
   * The command that was understood, or the agent's own words if they could not be read; '' if it said
   * nothing.
   */
  reply: string;
  /** The notes that the agent took with NOTE during the turn, oldest first. */
  notes: readonly string[];
  /**
   * What the agent saw; null if it was shown no picture. It is drawn again on demand, with the same pixels.
   */
  picture: () => SeenPicture | null;
}

/**
 * The history of an agent's model, as messages between the system text and this turn's text. Immutable:
 * `remember` and `withText` return another memory and leave this one unchanged.
 */
export interface Memory {
  /**
   * The messages, oldest first. The same past returns the same message objects, so that the log hashes each
   * of them only once.
   */
  messages(): readonly Message[];
  /** The memory with one more turn. */
  remember(turn: MemoryTurn): Memory;
  /** What the agent's model should write before its next turn; null for nothing. */
  textRequest(): readonly Message[] | null;
  /**
   * The memory with the model's text, or with null if there was none; after that, the memory must not ask for
   * it again.
   */
  withText(text: string | null): Memory;
  /** What a later run receives as `kept`; null if nothing is kept across runs. */
  kept(): Json;
}

/** A message with the role `user` and one text. */
export function userMessage(text: string): Message {
  return { role: 'user', parts: [{ kind: 'text', text }] };
}

/** A past turn and the messages that it consists of. */
export interface MemoryExchange {
  turn: MemoryTurn;
  /** Always the same objects. */
  messages: () => readonly Message[];
  /** The same with the turn's picture; always the same objects, too. */
  picturedMessages: () => readonly Message[];
}

/** Its messages are made on demand, because most turns of a long past are dropped unread. */
export function toExchange(turn: MemoryTurn): MemoryExchange {
  let textMessages: readonly Message[] | null = null;
  let pictureMessages: readonly Message[] | null = null;
  return {
    turn,
    messages: () => {
      textMessages ??= [userMessage(turn.text), ...assistantMessages(turn.reply)];
      return textMessages;
    },
    picturedMessages: () => {
      // As it was sent: the text, followed by the picture.
      pictureMessages ??= [
        { role: 'user', parts: [{ kind: 'text', text: turn.text }, ...imageParts(turn.picture())] },
        ...assistantMessages(turn.reply),
      ];
      return pictureMessages;
    },
  };
}

export function imageParts(picture: SeenPicture | null): readonly MessagePart[] {
  return picture === null ? [] : [{ kind: 'image', png: picture.png, frameHash: picture.hash }];
}

/** No answer if the agent said nothing: its text is then followed directly by the next turn's. */
function assistantMessages(reply: string): readonly Message[] {
  return reply === '' ? [] : [{ role: 'assistant', parts: [{ kind: 'text', text: reply }] }];
}

/** Past turns as their messages, always the same objects; the newest `pictures` turns have their pictures. */
export function exchangeMessages(past: readonly MemoryExchange[], pictures: number): readonly Message[] {
  const messagesOfAll: Message[] = [];
  for (const [i, { messages, picturedMessages }] of past.entries())
    messagesOfAll.push(...(i < past.length - pictures ? messages() : picturedMessages()));
  return messagesOfAll;
}

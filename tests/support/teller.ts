/** A controller for tests that acts, and answers in words whatever else it is asked; it keeps what it was sent. */
import type { Controller } from '../../src/agent/controller.js';
import { embeddedReply } from '../../src/agent/controllers/embedded-reply.js';
import type { Message } from '../../src/model/chat.js';

export interface Teller extends Controller {
  acted: (readonly Message[])[];
  asked: (readonly Message[])[];
}

export interface TellerOptions {
  /** What it says to a question beside the game; null: it can only act. */
  words: string | null | ((messages: readonly Message[]) => string);
  reply?: (turn: number) => string;
}

export function teller({ words, reply = () => 'ACTION: WAIT' }: TellerOptions): Teller {
  const acted: (readonly Message[])[] = [];
  const asked: (readonly Message[])[] = [];
  const answer = async (messages: readonly Message[]) => {
    asked.push(messages);
    return embeddedReply(typeof words === 'function' ? words(messages) : (words ?? ''));
  };
  return {
    name: 'teller',
    isRemote: false,
    acted,
    asked,
    decide: async ({ messages, memory, turn }) => {
      acted.push(messages);
      return { reply: embeddedReply(reply(turn)), memory };
    },
    ...(words === null ? {} : { answer }),
  };
}

/** All texts of a request, one after the other. */
export function textOf(messages: readonly Message[] | undefined): string {
  return (messages ?? [])
    .flatMap(({ parts }) => parts.map((part) => (part.kind === 'text' ? part.text : '')))
    .join('\n');
}

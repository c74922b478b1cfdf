/**
 * A controller that asks a person. A bare command is enough: the line is sent as the agent's `ACTION:` line,
 * read by the same parser as a model's. The `Person` decides how to show what the agent perceives; the
 * request is stored before the person is asked.
 */
import type { Controller, ControllerInput } from '../controller.js';
import { embeddedReply } from './embedded-reply.js';

/** The person who plays. */
export interface Person {
  /** Reads one line for the agent. Rejects if there is no more input, or with the signal's reason. */
  answer(input: ControllerInput, signal: AbortSignal): Promise<string>;
  /** Whether the person currently decides for this agent; checked at each request. */
  hasTaken(agent: string): boolean;
}

/** A controller that asks a person. If `answer` rejects, the run ends with that error. */
export function humanController(person: Person): Controller {
  return {
    name: 'human',
    isRemote: true,
    decide: async (input, signal) => ({
      reply: embeddedReply(asReply(await person.answer(input, signal))),
      memory: input.memory,
    }),
  };
}

/** A typed line as a reply in the protocol `command`. */
export function asReply(line: string): string {
  return /^\s*ACTION\s*:/i.test(line) ? line : `ACTION: ${line.trim()}`;
}

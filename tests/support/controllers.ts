/** Controllers for tests: fixed answers that remember what they were asked, and ones that fail or never answer. */
import type { Controller, ControllerInput } from '../../src/agent/controller.js';
import { embeddedReply } from '../../src/agent/controllers/embedded-reply.js';

export interface Asked extends Controller {
  inputs: readonly ControllerInput[];
}

type Answer = string | ((input: ControllerInput, signal: AbortSignal) => string | Promise<string>);

/** Answers in order, then waits for ever. Remote, as a model is, where `isRemote`. */
export function answering(answers: readonly Answer[], isRemote = false): Asked {
  const inputs: ControllerInput[] = [];
  return {
    name: 'answering',
    isRemote,
    inputs,
    decide: async (input, signal) => {
      const answer = answers[inputs.length] ?? 'ACTION: WAIT';
      inputs.push(input);
      const content = typeof answer === 'string' ? answer : await answer(input, signal);
      return { reply: embeddedReply(content), memory: inputs.length };
    },
  };
}

/** The text of the last message that a controller was sent. */
export function lastText(input: ControllerInput | undefined): string {
  const parts = input?.messages.at(-1)?.parts ?? [];
  return parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join('\n');
}

/** Rejects only when it is given up, as a model call does. */
export function neverAnswers(asked: () => void = () => undefined): Answer {
  return (_input, signal) =>
    new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(new DOMException('given up', 'AbortError')), {
        once: true,
      });
      asked();
    });
}

/** Never answers, not even when it is given up. */
export function neverListens(asked: () => void = () => undefined): Answer {
  return () => {
    asked();
    return new Promise(() => undefined);
  };
}

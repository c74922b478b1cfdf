/**
 * A controller whose first answer was given by the user: what a fork tries out. Everything after it comes
 * from the agent's own controller, which keeps its memory and never sees the given answer.
 */
import type { Controller } from '../controller.js';
import { embeddedReply } from './embedded-reply.js';

/** The name that the given answer's call has in the log. */
export const GIVEN = 'given';

export function givenFirst(own: Controller, content: string): Controller {
  let isPending = true;
  return {
    get name() {
      return isPending ? GIVEN : own.name;
    },
    isRemote: own.isRemote,
    get mayBeAskedAhead() {
      return !isPending && (own.mayBeAskedAhead ?? false);
    },
    settings: (form) => (isPending ? null : (own.settings?.(form) ?? null)),
    decide: async (input, signal) => {
      if (!isPending) return own.decide(input, signal);
      isPending = false;
      return { reply: embeddedReply(content), memory: input.memory };
    },
    isVacant: (turn) => !isPending && (own.isVacant?.(turn) ?? false),
    judged: (judgement) => own.judged?.(judgement),
    get tell() {
      return own.tell;
    },
    prepare: async (introduction, signal) => own.prepare?.(introduction, signal),
    close: async () => own.close?.(),
  };
}

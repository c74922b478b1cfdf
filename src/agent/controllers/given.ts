/**
 * A controller whose first answer was given by the user: what a fork tries out. Everything after it comes
 * from the agent's own controller, which keeps its memory and never sees the given answer.
 */
import type { Controller } from '../controller.js';
import { embeddedReply } from './embedded-reply.js';

/** The name that the given answer's call has in the log. */
export const GIVEN = 'given';

export function withGivenReply(ownController: Controller, content: string): Controller {
  let isPending = true;
  return {
    get name() {
      return isPending ? GIVEN : ownController.name;
    },
    isRemote: ownController.isRemote,
    get mayBeAskedAhead() {
      return !isPending && (ownController.mayBeAskedAhead ?? false);
    },
    settings: (form) => (isPending ? null : (ownController.settings?.(form) ?? null)),
    decide: async (input, signal) => {
      if (!isPending) return ownController.decide(input, signal);
      isPending = false;
      return { reply: embeddedReply(content), memory: input.memory };
    },
    isVacant: (turn) => !isPending && (ownController.isVacant?.(turn) ?? false),
    judged: (judgement) => ownController.judged?.(judgement),
    get tell() {
      return ownController.tell;
    },
    prepare: async (introduction, signal) => ownController.prepare?.(introduction, signal),
    close: async () => ownController.close?.(),
  };
}

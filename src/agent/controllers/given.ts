/**
 * A controller whose first reply is given by the user, as a fork may try out. All later replies come from the
 * agent's own controller, which keeps its memory and never sees the given reply.
 */
import type { Controller } from '../controller.js';
import { embeddedReply } from './embedded-reply.js';

/** The controller's name in the log for the call with the given reply. */
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
    get answer() {
      return ownController.answer;
    },
    prepare: async (introduction, signal) => ownController.prepare?.(introduction, signal),
    close: async () => ownController.close?.(),
  };
}

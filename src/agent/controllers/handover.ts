/**
 * A controller that another one may replace, step by step. Each call has the name of the controller that
 * decided. The memory belongs to the own controller; the replacement returns it unchanged, so that the own
 * controller continues where it was.
 */
import type { Controller } from '../controller.js';

/** `standIn` keeps no memory. `isTaken` is asked at each request and must not change within a step. */
export function handover(ownController: Controller, standIn: Controller, isTaken: () => boolean): Controller {
  const current = (): Controller => (isTaken() ? standIn : ownController);
  return {
    get name() {
      return current().name;
    },
    get isRemote() {
      return current().isRemote;
    },
    get mayBeAskedAhead() {
      return current().mayBeAskedAhead ?? false;
    },
    settings: (form) => current().settings?.(form) ?? null,
    decide: (input, signal) => current().decide(input, signal),
    isVacant: (turn) => current().isVacant?.(turn) ?? false,
    judged: (judgement) => current().judged?.(judgement),
    get answer() {
      return current().answer;
    },
    prepare: async (introduction, signal) => {
      await ownController.prepare?.(introduction, signal);
    },
    close: async () => {
      await ownController.close?.();
    },
  };
}

/**
 * A controller that another one may stand in for, step by step. Each call carries the name of whoever decided. The memory is the own
 * controller's, which the stand-in hands back as it got it, so that it goes on where it was.
 */
import type { Controller } from '../controller.js';

/** `standIn` keeps no memory. `isTaken` is asked at each request and must not change within a step. */
export function handover(own: Controller, standIn: Controller, isTaken: () => boolean): Controller {
  const current = (): Controller => (isTaken() ? standIn : own);
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
    get tell() {
      return current().tell;
    },
    prepare: async (introduction, signal) => {
      await own.prepare?.(introduction, signal);
    },
    close: async () => {
      await own.close?.();
    },
  };
}

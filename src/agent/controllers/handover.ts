/**
 * A controller that another one may stand in for, step by step. Each call carries the name of whoever decided; the own controller's
 * memory stays with it untouched, so that it goes on where it was when it is handed the agent back.
 */
import type { Controller } from '../controller.js';

/** `isTaken` is asked at each request and must not change within a step. */
export function handover(own: Controller, standIn: Controller, isTaken: () => boolean): Controller {
  const current = (): Controller => (isTaken() ? standIn : own);
  return {
    get name() {
      return current().name;
    },
    get isRemote() {
      return current().isRemote;
    },
    settings: (form) => current().settings?.(form) ?? null,
    decide: async (input, signal) => {
      const decision = await current().decide(input, signal);
      return isTaken() ? { ...decision, memory: input.memory } : decision;
    },
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

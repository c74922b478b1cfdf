/**
 * Actions that any world may offer: WAIT and DONE. They need only the world's own way to mark an agent as
 * done.
 */
import type { Action } from './action.js';

/** What WAIT did, as told to the agent. */
export const WAITED = 'You waited.';

/** The action WAIT, which costs the turn and does nothing. */
export function waitAction<S>(): Action<S> {
  return {
    name: 'WAIT',
    aliases: ['PASS'],
    description: 'Do nothing this turn.',
    grammar: null,
    examples: [''],
    cost: 'turn',
    check: () => undefined,
    apply: (state) => ({ state, message: WAITED, events: [] }),
  };
}

/**
 * The action DONE, with which the agent declares that its work is finished and stops acting. `markDone`
 * records it in the world's state.
 */
export function doneAction<S>(markDone: (state: S, agent: string) => S): Action<S> {
  return {
    name: 'DONE',
    aliases: ['FINISH'],
    description: 'Finish your work; you will not act again.',
    grammar: null,
    examples: [''],
    cost: 'turn',
    check: () => undefined,
    apply: (state, agent) => ({
      state: markDone(state, agent),
      message: 'You are done.',
      events: [{ kind: 'agent-done', actor: agent, at: null, data: {}, seenBy: [] }],
    }),
  };
}

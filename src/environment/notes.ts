/**
 * NOTE, a free action of agents whose memory keeps notes, in any world: writes a note to the agent's own
 * memory.
 */
import { LIMITS } from '../base/limits.js';
import { withAgentAction } from './agent-action.js';
import type { Environment } from './environment.js';
import { text } from './grammar.js';

export const NOTE = 'NOTE';

/** The environment with NOTE for these agents. */
export function withNotes<S>(environment: Environment<S>, agents: readonly string[]): Environment<S> {
  return withAgentAction(environment, {
    action: {
      name: NOTE,
      aliases: ['REMEMBER'],
      description: 'Write something down for yourself. You are shown it every turn from then on.',
      grammar: text('text', 'what to remember', LIMITS.noteCharacters),
      examples: ['"the iron door is locked"'],
      cost: 'free',
      check: () => undefined,
      apply: (state) => ({ state, message: 'You wrote it down.', events: [] }),
    },
    agents,
    refusal: 'You have nothing to write notes with.',
    offer: () => ({ action: NOTE, slots: { text: [] } }),
    check: () => undefined,
  });
}

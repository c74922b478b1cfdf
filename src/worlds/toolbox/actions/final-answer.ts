/** FINAL_ANSWER: the terminal action. The first answer counts and ends the run. */
import { LIMITS } from '../../../base/limits.js';
import { text } from '../../../environment/grammar.js';
import type { Event } from '../../../environment/action.js';
import type { ToolboxState } from '../state.js';
import type { ToolboxAction } from './toolbox-action.js';

export const FINAL_ANSWER = 'FINAL_ANSWER';

/** An answer that begins with this word says that the question can't be answered. */
export const UNKNOWN = 'UNKNOWN';

export const finalAnswerAction: ToolboxAction = {
  name: FINAL_ANSWER,
  aliases: ['FINISH', 'ANSWER'],
  description: `Give your answer; where it cannot be known or done, ${UNKNOWN} and why. This ends your work.`,
  grammar: text('answer', 'your answer', LIMITS.finalAnswerCharacters),
  terminal: true,
  examples: ['"It is 42 metres high."'],
  apply: (state, agent, { answer }) => {
    return { ...answered(state, agent, String(answer)), message: 'You gave your answer.' };
  },
};

/** The state with a final answer, unless there is one already, and the event. */
export function answered(
  state: ToolboxState,
  agent: string,
  words: string,
): { state: ToolboxState; events: readonly Event[] } {
  const event = { kind: 'answered', actor: agent, at: null, data: { text: words }, seenBy: [agent] };
  return { state: { ...state, answer: state.answer ?? { agent, text: words } }, events: [event] };
}

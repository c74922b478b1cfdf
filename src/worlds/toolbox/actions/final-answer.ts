/** FINAL_ANSWER: the terminal action. The first answer counts and ends the run. */
import { LIMITS } from '../../../base/limits.js';
import { text } from '../../../environment/grammar.js';
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
    const finalAnswer = { agent, text: String(answer) };
    return {
      state: { ...state, answer: state.answer ?? finalAnswer },
      message: 'You gave your answer.',
      events: [
        { kind: 'answered', actor: agent, at: null, data: { text: finalAnswer.text }, seenBy: [agent] },
      ],
    };
  },
};

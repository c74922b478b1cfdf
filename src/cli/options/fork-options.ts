/** What `fork` changes: one answer or utterance, at one step. */
import { requiredWhole, single, wordOrEmpty } from './option.js';
import { STEP_NUMBERS } from './shared-options.js';

export const FORK = {
  at: requiredWhole('The first step that is played anew; the steps before it are kept', ...STEP_NUMBERS),
  reply: wordOrEmpty("Answer to use instead of the agent's; may be empty"),
  agent: single('Agent whose answer --reply replaces (default: the agent that acts in the step)'),
  say: single('agent:"words": what this agent says in its next step'),
};

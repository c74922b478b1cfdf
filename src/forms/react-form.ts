/**
 * The writing half of `react`: Thought, Action, Action Input; only the program writes the Observation. `Final
 * Answer:` is the environment's terminal action, if it has one.
 */
import { slotsOf } from '../environment/grammar.js';
import { OBSERVATION_LABEL } from '../environment/program-lines.js';
import { guidedBy, guidedReact } from './guided.js';
import { helpHeading, NAMES_RULE, optionalRule } from './instructions.js';
import { actionHelp, argumentsText, objectLines } from './object-help.js';
import type { ReplyForm } from './reply-form.js';
import type { Vocabulary, VocabularyAction } from './vocabulary.js';

export const reactForm: ReplyForm = {
  name: 'react',
  instructions,
  actionLines: objectLines,
  form: (vocabulary, offered) => guidedBy(() => guidedReact(vocabulary, offered)),
  replyText: ({ command }) => `Action: ${command.action}\nAction Input: ${argumentsText(command.args)}`,
  repair: ({ message }) =>
    `${message} Write only the two lines Action: <action> and Action Input: {…}, with the action that you meant.`,
};

function instructions(vocabulary: Vocabulary): string {
  const help = actionHelp(vocabulary);
  const final = answerAction(vocabulary);
  return [
    'How to answer: write these three lines and stop:',
    'Thought: <one to three short sentences>',
    'Action: <action>',
    'Action Input: {"<parameter>": <value>}',
    [
      `Never write an ${OBSERVATION_LABEL} yourself; you are told what happened. One action a reply.`,
      NAMES_RULE,
      ...optionalRule(help),
    ].join(' '),
    ...(final === null
      ? []
      : [`Instead of ${final.action.name} you may write the line Final Answer: <your answer>.`]),
    helpHeading('Actions', vocabulary),
    ...help,
  ].join('\n');
}

/** The one terminal action with a text, such as a final answer, with the slot of its text. */
export function answerAction(vocabulary: Vocabulary): AnswerAction | null {
  const answerActions = vocabulary.flatMap((action) => answerSlot(action) ?? []);
  const [first] = answerActions;
  return first !== undefined && answerActions.length === 1 ? first : null;
}

interface AnswerAction {
  action: VocabularyAction;
  slot: string;
}

function answerSlot(action: VocabularyAction): AnswerAction | null {
  const slot = textSlot(action);
  return action.terminal === true && slot !== null ? { action, slot } : null;
}

/** The slot of an action whose only argument is a text. */
export function textSlot(action: VocabularyAction | undefined): string | null {
  const grammar = action?.grammar ?? null;
  const slots = grammar === null ? [] : slotsOf(grammar);
  const [only] = slots;
  return slots.length === 1 && only?.slot.kind === 'text' ? only.slot.slot : null;
}

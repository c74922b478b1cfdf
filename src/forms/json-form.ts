/** The writing half of `json`: a brief thought, then one JSON object `{"name": "…", "parameters": {…}}`. */
import { guidedBy, guidedJson } from './guided.js';
import { helpHeading, NAMES_RULE, optionalRule } from './instructions.js';
import { actionHelp, argumentsText, jsonString, objectLines } from './object-help.js';
import type { AnswerStyle, ReplyForm } from './reply-form.js';
import type { Vocabulary } from './vocabulary.js';

export const jsonForm: ReplyForm = {
  name: 'json',
  instructions,
  actionLines: objectLines,
  form: (vocabulary, offered, style) => guidedBy(() => guidedJson(vocabulary, offered, style)),
  replyText: ({ command }) =>
    `{"name": ${jsonString(command.action)}, "parameters": ${argumentsText(command.args)}}`,
  repair: ({ message }) =>
    `${message} Write only the answer: one JSON object {"name": "<action>", "parameters": {…}}, with the action that you meant.`,
};

function instructions(vocabulary: Vocabulary, { reasoning }: AnswerStyle): string {
  const help = actionHelp(vocabulary);
  return [
    reasoning
      ? 'How to answer: think in one to three short sentences, then end with one JSON object:'
      : 'How to answer: write only one JSON object:',
    '{"name": "<action>", "parameters": {"<parameter>": <value>}}',
    ['One action a reply.', NAMES_RULE, ...optionalRule(help)].join(' '),
    helpHeading('Actions', vocabulary),
    ...help,
  ].join('\n');
}

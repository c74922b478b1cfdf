/** The written half of `json`: a short thought, then one JSON object `{"name": "…", "parameters": {…}}`. */
import { guidedBy, guidedJson } from './guided.js';
import { actionHelp, argumentsText, jsonString, objectLines } from './object-help.js';
import type { ReplyForm, Said } from './reply-form.js';
import type { Vocabulary } from './vocabulary.js';

export const jsonForm: ReplyForm = {
  name: 'json',
  instructions,
  actionLines: objectLines,
  form: (vocabulary, offered) => guidedBy(() => guidedJson(vocabulary, offered)),
  replyText: ({ command }) => objectText(command),
  repair: ({ message }) =>
    `${message} Write only the answer: one JSON object {"name": "<action>", "parameters": {…}}, with the action that you meant.`,
};

/** An answer as it shall be written. */
function objectText({ action, args }: Said): string {
  return `{"name": ${jsonString(action)}, "parameters": ${argumentsText(args)}}`;
}

function instructions(vocabulary: Vocabulary): string {
  return [
    'How to answer: think in one to three short sentences, then end with exactly one JSON object of this form:',
    '{"name": "<action>", "parameters": {"<parameter>": <value>}}',
    'Nothing may follow the object. One action a reply. Name things as they are named to you; leave out what is marked with a question mark if you do not need it.',
    'The actions, each with its parameters:',
    ...actionHelp(vocabulary),
  ].join('\n');
}

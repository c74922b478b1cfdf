/**
 * The protocol `json`: a short thought, then one JSON object `{"name": "…", "parameters": {…}}`. The object is found in any prose by
 * its balanced braces; the last one that names an action counts.
 */
import { readCalls } from './text-calls.js';
import { guidedJson, guidedBy } from './guided.js';
import { actionHelp, argumentsText, jsonString, objectLines } from './object-help.js';
import type { ReplyText } from './page.js';
import { pageOf } from './page.js';
import type { Protocol, Vocabulary } from './protocol.js';
import type { Command, Reading } from './reading.js';
import { refusedReading } from './reading.js';
import { toolCallProblem } from './shapes.js';

export const jsonProtocol: Protocol = {
  name: 'json',
  instructions,
  actionLines: objectLines,
  form: (vocabulary, offered) => guidedBy(() => guidedJson(vocabulary, offered)),
  replyText: ({ command }) => objectText(command),
  repair: ({ message }) =>
    `${message} Write only the answer: one JSON object {"name": "<action>", "parameters": {…}}, with the action that you meant.`,
  read,
};

const ENDING = 'End your reply with one JSON object: {"name": "<action>", "parameters": {…}}.';

/** An answer as it shall be written. */
export function objectText({ action, args }: Command): string {
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

function read(reply: ReplyText, vocabulary: Vocabulary, told?: ReadonlySet<string>): Reading {
  const taken = pageOf(reply, ENDING);
  if (!taken.ok) return refusedReading(taken.problem);
  if (reply.toolCalls.length > 0) return refusedReading(toolCallProblem(ENDING));
  return readCalls(taken.page, vocabulary, { rung: 'object', ending: ENDING, told });
}

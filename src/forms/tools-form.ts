/** The writing half of `tools`: native tool calls. */
import type { OfferedAction } from '../environment/observation.js';
import type { ChatTool } from '../model/chat.js';
import { guidedParameters } from './guided.js';
import { NAMES_RULE } from './instructions.js';
import { argumentsText, jsonString, objectLines } from './object-help.js';
import { grammarNow } from './offered-forms.js';
import type { ReplyForm } from './reply-form.js';
import { offeredSchema } from './schema.js';
import type { Vocabulary } from './vocabulary.js';

export const toolsForm: ReplyForm = {
  name: 'tools',
  instructions,
  actionLines: objectLines,
  // One tool per offered action; its parameters list the names that fit now.
  form: (vocabulary, offered) => ({
    tools: offered.flatMap((offer) => toolOf(vocabulary, offer) ?? []),
    guided: null,
  }),
  // An answer as text, as a server without native tools would have written it.
  replyText: ({ command }) =>
    `<tool_call>\n{"name": ${jsonString(command.action)}, "arguments": ${argumentsText(command.args)}}\n</tool_call>`,
  repair: ({ message }) => `${message} Call the one tool that you meant, and write nothing else.`,
};

function instructions(vocabulary: Vocabulary): string {
  const free = vocabulary.filter(({ cost }) => cost === 'free').map(({ name }) => name);
  return [
    `How to answer: think in one to three short sentences, then call one of your tools. One call a reply. ${NAMES_RULE}`,
    ...(free.length === 0 ? [] : [`Free actions, which cost no turn: ${free.join(', ')}.`]),
  ].join('\n');
}

function toolOf(vocabulary: Vocabulary, offer: OfferedAction): ChatTool | null {
  const { action, slots } = offer;
  const definition = vocabulary.find(({ name }) => name === action);
  if (definition === undefined) return null;
  const { name, description, grammar } = definition;
  return {
    name,
    description,
    parameters: offeredSchema(grammarNow(grammar, offer), slots),
    get guidedParameters() {
      return guidedParameters(vocabulary, offer);
    },
  };
}

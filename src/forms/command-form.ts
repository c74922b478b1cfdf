/** The writing half of `command`: brief reasoning, then one last line `ACTION: <command>`. */
import { breakControlTokens } from '../base/text.js';
import type { OfferedAction } from '../environment/observation.js';
import { guidedBy, guidedCommand } from './guided.js';
import { offeredForms, commandForms } from './help.js';
import { costNote, helpHeading, NAMES_RULE } from './instructions.js';
import type { AnswerStyle, ReplyForm } from './reply-form.js';
import type { Vocabulary } from './vocabulary.js';

export const commandForm: ReplyForm = {
  name: 'command',
  instructions,
  actionLines,
  form: (vocabulary, offered, style) => guidedBy(() => guidedCommand(vocabulary, offered, style)),
  replyText: ({ words }) => commandText(breakControlTokens(words)),
  repair: ({ message }) =>
    `${message}\nDo not think it over again. Write only the answer, as one line of this form:\nACTION: <command>`,
};

/** An answer in the required form. */
export function commandText(words: string): string {
  return `ACTION: ${words}`;
}

function instructions(vocabulary: Vocabulary, { reasoning, offers = true }: AnswerStyle): string {
  const help = vocabulary.map(
    (action) =>
      `- ${commandForms(action.name, action.grammar, !offers).join(' or ')}: ${action.description}${costNote(action)}`,
  );
  return [
    reasoning
      ? 'How to answer: think in one to three short sentences, then end with one line:'
      : 'How to answer: write only one line:',
    'ACTION: <command>',
    `One command a reply. ${NAMES_RULE}`,
    helpHeading('Commands', vocabulary),
    ...help,
  ].join('\n');
}

/** One line per offered action, in the order offered; known names are in the slots. */
function actionLines(vocabulary: Vocabulary, offered: readonly OfferedAction[]): readonly string[] {
  return offered.flatMap((entry) => {
    const action = vocabulary.find((one) => one.name === entry.action);
    if (action === undefined) return [];
    return [offeredForms(action.name, action.grammar, entry).join(' or ')];
  });
}

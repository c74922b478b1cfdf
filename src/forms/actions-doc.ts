/**
 * Generates the page `docs/reference/actions.md` from the actions of each environment: their forms, costs,
 * slots, and parameters as JSON Schema. `scripts/actions-doc.mjs` writes the page, and a test checks that it
 * is up to date.
 */
import type { Grammar, Slot } from '../environment/grammar.js';
import { slotsOf } from '../environment/grammar.js';
import { commandForms } from './help.js';
import { isPlainWord } from './layouts.js';
import { wordsOf } from './object-help.js';
import { parametersSchema } from './schema.js';
import type { Vocabulary, VocabularyAction } from './vocabulary.js';

/** A chapter for each kind of environment, such as `grid`. */
export function actionsDoc(chapters: readonly { environment: string; vocabulary: Vocabulary }[]): string {
  const body = chapters.map(({ environment, vocabulary }) =>
    [`## ${environment}`, '', ...vocabulary.map(actionText)].join('\n'),
  );
  return `# Actions

\`npm run docs\` generates this page from the actions; don't edit it. [Protocols](protocols.md) describes how a reply becomes an action. In a form, words in capitals are
written as they are, and \`<…>\` is replaced by a value. [A new action with two parameters](../how-to/use-the-library.md#a-new-action-with-two-parameters)
shows how to add your own action.

${body.join('\n')}`;
}

function actionText(action: VocabularyAction): string {
  const forms = commandForms(action.name, action.grammar).map((form) => `\`${form}\``);
  const slots = action.grammar === null ? [] : slotsOf(action.grammar);
  const lines = [
    `### ${action.name}`,
    '',
    action.description,
    '',
    `- Form: ${forms.join(' or ')}`,
    `- Examples: ${action.examples.map((example) => `\`${`${action.name} ${example}`.trim()}\``).join(', ')}`,
    `- Cost: ${action.cost === 'free' ? 'none (a free action)' : 'the turn'}`,
    ...synonymsOf(action.grammar).map((words) => `- Any of these words: ${words.join(', ')}`),
    ...(action.aliases.length === 0 ? [] : [`- Aliases: ${action.aliases.join(', ')}`]),
    ...slots.map(({ slot, required }) => slotLine(action, slot, required)),
  ];
  return `${lines.join('\n')}\n\n${schemaBlock(action)}\n`;
}

/** Words with the same meaning, any of which may be used. */
function synonymsOf(grammar: Grammar | null): readonly (readonly string[])[] {
  if (grammar === null) return [];
  if (grammar.kind === 'optional') return synonymsOf(grammar.part);
  if (grammar.kind !== 'sequence' && grammar.kind !== 'choice') return [];
  const isWords = grammar.kind === 'choice' && grammar.parts.every(isPlainWord);
  if (!isWords) return grammar.parts.flatMap(synonymsOf);
  return [grammar.parts.flatMap((part) => (part.kind === 'word' ? [part.word] : []))];
}

function slotLine({ grammar }: VocabularyAction, slot: Slot, required: boolean): string {
  const meaning = slot.kind === 'word' ? wordsOf(slot.slot, grammar).join(', ') : slot.description;
  const kinds = slot.kind === 'name' ? ` (${slot.of.join(', ')})` : '';
  return `- \`${slot.slot}\`${required ? '' : ' (optional)'}: ${meaning}${kinds}`;
}

function schemaBlock(action: VocabularyAction): string {
  const schema = JSON.stringify(parametersSchema(action.grammar));
  return ['<details><summary>Parameters</summary>', '', '```json', schema, '```', '', '</details>'].join(
    '\n',
  );
}

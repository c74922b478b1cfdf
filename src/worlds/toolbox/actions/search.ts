/** SEARCH: finds entries of the knowledge base by whole words. If there are no hits, the keys are listed. */
import { LIMITS } from '../../../base/limits.js';
import { cutText, oneLine, quoted } from '../../../base/text.js';
import { text } from '../../../environment/grammar.js';
import type { KnowledgeEntry } from '../knowledge.js';
import { search } from '../knowledge.js';
import type { ToolboxAction } from './toolbox-action.js';
import { toolOutput, toolError, callLabel } from './toolbox-action.js';
import { RESULT_ARROW } from '../../../environment/program-lines.js';

export const SEARCH = 'SEARCH';

/** The maximum length of the keys that NOT FOUND lists. */
const KEYS_CHARACTERS = 2000;

export function searchAction(entries: readonly KnowledgeEntry[]): ToolboxAction {
  return {
    name: SEARCH,
    aliases: ['FIND'],
    description: 'Look something up in the knowledge base, by whole words.',
    grammar: text('query', 'the words to look for', LIMITS.queryCharacters),
    examples: ['"lantern tower"'],
    apply: (state, agent, { query }) => {
      const input = String(query);
      const call = { tool: SEARCH, agent, input };
      const hits = search(entries, input);
      if (hits.length === 0) {
        const keys = entries.map(({ key }) => quoted(key)).join(', ');
        const why = `NOT FOUND; there are entries for ${cutText(keys, KEYS_CHARACTERS)}`;
        return toolError(state, call, why, 'gave nothing');
      }
      const quotedHits = hits.map(({ key, text: words }) => `${quoted(key)}: ${quoted(words)}`);
      return toolOutput(state, call, {
        message: `${callLabel(SEARCH, input)}${RESULT_ARROW}${quotedHits.join('; ')}`,
        lines: hits.map(({ text: words }) => oneLine(words)),
      });
    },
  };
}

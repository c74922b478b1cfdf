/**
 * LIST_FILES, READ_FILE, SEARCH_FILES, SEARCH_IN_FILE: the contents of one folder. Effect handlers read the disk
 * (`worlds/toolbox/effects/file-tools.ts`); these actions report their stored output. Names and contents are
 * untrusted data, so they are put in quotation marks, each line of text separately.
 */
import { counted } from '../../../base/counted.js';
import { LIMITS } from '../../../base/limits.js';
import { lookUp } from '../../../base/look-up.js';
import { quoted } from '../../../base/text.js';
import type { Grammar } from '../../../environment/grammar.js';
import { optional, sequence, text } from '../../../environment/grammar.js';
import { FILE_EFFECTS } from '../definition.js';
import { textsIn } from '../../../base/json.js';
import { childOf, countIn } from '../json.js';
import type { Json } from '../../../base/json.js';
import type { ToolboxAction } from './toolbox-action.js';
import { effectError, toolOutput, toolError } from './toolbox-action.js';
import { RESULT_ARROW } from '../../../environment/program-lines.js';

export const LIST_FILES = 'LIST_FILES';
export const READ_FILE = 'READ_FILE';
export const SEARCH_FILES = 'SEARCH_FILES';
export const SEARCH_IN_FILE = 'SEARCH_IN_FILE';
export const FILE_ACTIONS = [LIST_FILES, READ_FILE, SEARCH_FILES, SEARCH_IN_FILE] as const;

interface FileTool extends Pick<ToolboxAction, 'name' | 'description' | 'examples'> {
  aliases: readonly string[];
  handler: string;
  /** All of them are texts. */
  slots: readonly string[];
  grammar: Grammar;
  /** A summary of the output for the message, and the output's lines. */
  describeOutput: (outside: Json) => {
    summary: string;
    lines: readonly string[];
    from?: number;
  };
}

const TOOLS: readonly FileTool[] = [
  {
    name: LIST_FILES,
    aliases: ['LS'],
    description: 'List the files and folders in the folder, or in one below it.',
    handler: FILE_EFFECTS.list,
    slots: ['folder'],
    grammar: optional(text('folder', 'a folder below; the whole folder without it', LIMITS.pathCharacters)),
    examples: ['', '"letters"'],
    describeOutput: (outside) => {
      const lines = textsIn(childOf(outside, 'entries'));
      return { summary: countText(lines.length, 'entry', 'entries', childOf(outside, 'more')), lines };
    },
  },
  {
    name: READ_FILE,
    aliases: ['CAT'],
    description: `Read a text file, at most ${LIMITS.fileLines} lines at once; "log.txt:81" reads on from line 81.`,
    handler: FILE_EFFECTS.read,
    slots: ['path'],
    grammar: text('path', 'the file, as LIST_FILES tells it', LIMITS.pathCharacters),
    examples: ['"letters/march.txt"'],
    describeOutput: (outside) => {
      const lines = textsIn(childOf(outside, 'lines'));
      const from = countIn(childOf(outside, 'from'));
      const total = countIn(childOf(outside, 'total'));
      if (lines.length === 0) return { summary: 'an empty file', lines };
      return { summary: `lines ${from} to ${from + lines.length - 1} of ${total}`, lines, from };
    },
  },
  {
    name: SEARCH_FILES,
    aliases: ['GREP'],
    description: 'Find the lines in all files that hold all of these words.',
    handler: FILE_EFFECTS.search,
    slots: ['words'],
    grammar: text('words', 'the words to look for', LIMITS.queryCharacters),
    examples: ['"harbour fee"'],
    describeOutput: foundLines,
  },
  {
    name: SEARCH_IN_FILE,
    aliases: ['GREP_IN_FILE'],
    description: 'Find the lines in one file that hold all of these words.',
    handler: FILE_EFFECTS.searchIn,
    slots: ['file_name', 'search_term'],
    grammar: sequence(
      text('file_name', 'the file, as LIST_FILES tells it', LIMITS.pathCharacters),
      text('search_term', 'the words to look for', LIMITS.queryCharacters),
    ),
    examples: ['"log.txt" "harbour fee"'],
    describeOutput: foundLines,
  },
];

function foundLines(outside: Json): ReturnType<FileTool['describeOutput']> {
  const lines = textsIn(childOf(outside, 'lines'));
  return { summary: countText(lines.length, 'line', 'lines', childOf(outside, 'more')), lines };
}

function countText(count: number, one: string, many: string, more: Json | undefined): string {
  const total = counted(count, one, many);
  return more === true ? `${total}, and there are more` : total;
}

export const fileActions: readonly ToolboxAction[] = TOOLS.map(fileAction);

function fileAction({
  name,
  aliases,
  description,
  examples,
  grammar,
  handler,
  slots,
  describeOutput,
}: FileTool): ToolboxAction {
  return {
    name,
    aliases,
    description,
    examples,
    grammar,
    outside: { handler },
    apply: (state, agent, args, outside) => {
      const inputs = slots.flatMap((slot) => String(lookUp(args, slot) ?? '') || []);
      const label = [name, ...inputs.map((one) => quoted(one))].join(' ');
      const call = { tool: name, agent, input: inputs.join(' '), label };
      const error = effectError(outside);
      if (error !== null) return toolError(state, call, quoted(error, LIMITS.fileLineCharacters));
      const { summary, ...output } = describeOutput(outside ?? null);
      return toolOutput(state, call, {
        message: `${label}${RESULT_ARROW}${summary}`,
        ...output,
      });
    },
  };
}

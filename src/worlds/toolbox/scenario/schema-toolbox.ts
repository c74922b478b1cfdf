/**
 * The schemas of the toolbox's own keys: questions with the requirements for their answers, the knowledge
 * base, the folder of files.
 */
import { z } from 'zod';
import { LIMITS } from '../../../base/limits.js';
import { idSchema, prose } from '../../../scenario/schema.js';

/** The requirements for an answer as written; all of them must be satisfied. */
export interface CheckInput {
  equals?: string | undefined;
  contains?: string | readonly string[] | undefined;
  number?: string | number | undefined;
  admits?: true | readonly string[] | undefined;
  used?: string | undefined;
  refused?: string | undefined;
  any?: readonly CheckInput[] | undefined;
  not?: CheckInput | undefined;
}

const words = z.string().min(1).max(LIMITS.settingCharacters);
const verb = z.string().min(1).max(LIMITS.nameCharacters);

const answerSchema: z.ZodType<CheckInput> = z
  .lazy(() => z.strictObject(CHECK))
  .meta({
    id: 'answer',
    description: 'Requirements for the final answer; all given keys must be satisfied.',
  });

const CHECK = {
  equals: words
    .optional()
    .describe('The answer consists of exactly these words, ignoring case and punctuation.'),
  contains: z
    .union([words, z.array(words).min(1).max(32)])
    .optional()
    .describe(
      'The answer contains these whole words next to each other, ignoring case. With a list, it contains every entry.',
    ),
  number: z
    .union([z.number(), words])
    .optional()
    .describe('The answer contains a number with exactly this value.'),
  admits: z
    .union([z.literal(true), z.array(words).min(1).max(32)])
    .optional()
    .describe(
      '`true`: the answer begins with UNKNOWN, as the help for FINAL_ANSWER explains; a list: it contains one of these phrases.',
    ),
  used: verb.optional().describe('This tool returned a result to its agent at least once.'),
  refused: verb.optional().describe('This tool returned an error to its agent at least once.'),
  any: z.array(answerSchema).min(1).max(32).optional().describe('At least one of these requirements is met.'),
  not: answerSchema.optional().describe('This requirement is not met.'),
};

const questionText = z.string().min(1).max(LIMITS.goalCharacters);

const questionSchema = z.strictObject({
  ask: questionText.describe('The question, as agents read it.'),
  answer: z
    .strictObject(CHECK)
    .describe('Requirements for the final answer; all given keys must be satisfied.'),
});

export const TOOLBOX_KEYS = {
  goal: questionText
    .optional()
    .describe('A question of your own, instead of one of `questions`; any answer ends the run.'),
  questions: z
    .record(idSchema, questionSchema)
    .default({})
    .describe('Questions with requirements for their answers, by a name of your choice.'),
  question: idSchema.optional().describe('Which of `questions` is asked; by default the only one.'),
  knowledge: z
    .record(z.string().min(1).max(LIMITS.nameCharacters), prose(LIMITS.knowledgeCharacters).min(1))
    .default({})
    .describe('The entries that SEARCH finds: texts by their keys.'),
  folder: z
    .string()
    .min(1)
    .max(LIMITS.settingCharacters)
    .optional()
    .describe(
      'The folder whose files agents may read, relative to the scenario file and inside its folder; by default, no files.',
    ),
};

export const TOOLBOX_AGENT_KEYS = {
  actions: z
    .array(verb)
    .max(64)
    .optional()
    .describe('The tools that it may use; all by default. WAIT and FINAL_ANSWER are always offered.'),
};

export const toolboxSchema = z.object(TOOLBOX_KEYS);
export const toolboxAgentSchema = z.object({ ...TOOLBOX_AGENT_KEYS, id: idSchema });

export type ToolboxInput = z.output<typeof toolboxSchema>;

/**
 * The definition of a toolbox, from a checked scenario: plain JSON that the log stores and a replay opens
 * again.
 */
import type { AnswerCheck } from './answer.js';
import type { KnowledgeEntry } from './knowledge.js';

/** A parameter of a tool of the user's own. */
export interface ToolParameter {
  name: string;
  description: string;
  isRequired: boolean;
  form:
    | { kind: 'text'; charactersMax: number }
    | { kind: 'integer'; min: number; max: number }
    | { kind: 'choice'; words: readonly string[] };
}

/** The description of a user's tool; an effect handler outside does the work. */
export interface DefinedTool {
  /** As an upper-case verb. */
  name: string;
  description: string;
  parameters: readonly ToolParameter[];
  /** Its first result is the final answer, and ends the run; an error does not. */
  isTerminal?: true;
}

export interface ToolboxDefinition {
  /** The question to be answered. */
  question: string;
  /** The requirements for a final answer; null: any answer ends the run, and none is right or wrong. */
  answer: AnswerCheck | null;
  knowledge: readonly KnowledgeEntry[];
  /** The folder whose files may be read, as the scenario names it; null: no files. */
  folder: string | null;
  /** Whether agents have SEARCH_IN_FILE; absent without a folder, and in logs from before it. */
  searchesInFile?: true;
  /** Tools of the user's own. */
  tools: readonly DefinedTool[];
  /** Ids, in turn order. */
  agents: readonly string[];
  /** By agent: verbs that it may use; agents without an entry may use all. */
  scopes: Readonly<Record<string, readonly string[]>>;
}

/** The name of the effect handler of a user's tool. */
export function toolEffect(tool: string): string {
  return `tool:${tool}`;
}

/** The names of the effect handlers of the built-in file tools. */
export const FILE_EFFECTS = {
  list: 'files:list',
  read: 'files:read',
  search: 'files:search',
  searchIn: 'files:search-in',
} as const;

/**
 * The definition of a toolbox, from a checked scenario: plain JSON that the log stores and a replay opens
 * again.
 */
import type { AnswerCheck } from './answer.js';
import type { KnowledgeEntry } from './knowledge.js';

/** A parameter of a tool of the user's own. */
export interface ToolParameter {
  readonly name: string;
  readonly description: string;
  readonly isRequired: boolean;
  readonly form:
    | { readonly kind: 'text'; readonly charactersMax: number }
    | { readonly kind: 'integer'; readonly min: number; readonly max: number }
    | { readonly kind: 'choice'; readonly words: readonly string[] };
}

/** The description of a user's tool; an effect handler outside does the work. */
export interface DefinedTool {
  /** As an upper-case verb. */
  readonly name: string;
  readonly description: string;
  readonly parameters: readonly ToolParameter[];
  /** Its first result is the final answer, and ends the run; an error does not. */
  readonly isTerminal?: true;
}

export interface ToolboxDefinition {
  /** The question to be answered. */
  readonly question: string;
  /** The requirements for a final answer; null: any answer ends the run, and none is right or wrong. */
  readonly answer: AnswerCheck | null;
  readonly knowledge: readonly KnowledgeEntry[];
  /** The folder whose files may be read, as the scenario names it; null: no files. */
  readonly folder: string | null;
  /** Whether agents have SEARCH_IN_FILE; absent without a folder, and in logs from before it. */
  readonly searchesInFile?: true;
  /** Tools of the user's own. */
  readonly tools: readonly DefinedTool[];
  /** Ids, in turn order. */
  readonly agents: readonly string[];
  /** By agent: verbs that it may use; agents without an entry may use all. */
  readonly scopes: Readonly<Record<string, readonly string[]>>;
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

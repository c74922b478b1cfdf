/**
 * A world without space or picture, whose actions are tools: arithmetic, a small knowledge base, files of one
 * folder, the user's own tools, and the final answer that ends the run. Agents learn the tools' contents only
 * by calling them. The set of tools follows from the definition, so each world is opened with its own
 * specification.
 */
import { assert } from '../../base/assert.js';
import { lookUp } from '../../base/look-up.js';
import { oneLine, quoted } from '../../base/text.js';
import { LIMITS } from '../../base/limits.js';
import { WAIT } from '../../environment/action.js';
import type { DefinedState, EnvironmentSpec } from '../../environment/environment-spec.js';
import { defineEnvironment } from '../../environment/define.js';
import type { EnvironmentKind, Outcome } from '../../environment/environment.js';
import { CALCULATE, calculateAction } from './actions/calculate.js';
import { FILE_ACTIONS, SEARCH_IN_FILE, fileActions } from './actions/files.js';
import { FINAL_ANSWER, finalAnswerAction } from './actions/final-answer.js';
import { ownToolAction } from './actions/own-tool.js';
import { SEARCH, searchAction } from './actions/search.js';
import { satisfies } from './answer.js';
import type { ToolboxDefinition } from './definition.js';
import type { ToolResult, ToolboxState } from './state.js';
import { INITIAL_STATE } from './state.js';

/** Raised whenever the same log would play differently. */
const RULES_VERSION = 1;

/** The verbs of the built-in tools, including WAIT. */
export const TOOL_NAMES: readonly string[] = [WAIT, CALCULATE, SEARCH, ...FILE_ACTIONS, FINAL_ANSWER];

export const toolbox: EnvironmentKind<DefinedState<ToolboxState>> = {
  kind: 'toolbox',
  rulesVersion: RULES_VERSION,
  actionNames: TOOL_NAMES,
  open: (definition) => {
    const isOurs = typeof definition === 'object' && definition !== null && 'question' in definition;
    assert(isOurs, 'the definition of a toolbox has a question');
    // The scenario's reader has checked the rest.
    return defineEnvironment(specFor(definition as unknown as ToolboxDefinition)).open(definition);
  },
};

function specFor(definition: ToolboxDefinition): EnvironmentSpec<ToolboxDefinition, ToolboxState> {
  return {
    kind: 'toolbox',
    rulesVersion: RULES_VERSION,
    actions: [
      calculateAction,
      searchAction(definition.knowledge),
      ...fileActions,
      finalAnswerAction,
      ...definition.tools.map(ownToolAction),
    ],
    create: () => INITIAL_STATE,
    tell: ({ results }, agent) => [
      `The question: ${oneLine(definition.question)}`,
      ...textLines(lookUp(results, agent)),
    ],
    outcome: (state) => outcomeOf(definition, state),
    isActive: ({ answer }) => answer === null,
    scope: (agent) => scopeOf(definition, agent),
    facts: ({ results }, agent) => {
      const result = lookUp(results, agent);
      return { question: definition.question, result: result === undefined ? null : { ...result } };
    },
  };
}

/** The tools of an agent; SEARCH and the file tools only if there is something to search or read. */
function scopeOf(
  { knowledge, folder, searchesInFile, tools, scopes }: ToolboxDefinition,
  agent: string,
): readonly string[] {
  const available = [
    CALCULATE,
    ...(knowledge.length > 0 ? [SEARCH] : []),
    ...(folder === null
      ? []
      : FILE_ACTIONS.filter((name) => name !== SEARCH_IN_FILE || searchesInFile === true)),
    ...tools.map(({ name }) => name),
  ];
  const allowed = lookUp(scopes, agent);
  return [WAIT, FINAL_ANSWER, ...available.filter((name) => allowed === undefined || allowed.includes(name))];
}

/** The output of a file tool as lines, each in quotation marks. */
function textLines(result: ToolResult | undefined): readonly string[] {
  if (result === undefined || !result.ok || !FILE_ACTIONS.some((name) => name === result.tool)) return [];
  const { tool, lines, from } = result;
  const quotedLines = lines.map((line, i) => {
    const words = quoted(line, LIMITS.fileLineCharacters);
    return from === 0 ? words : `${from + i}: ${words}`;
  });
  return [`What ${tool} gave:`, ...quotedLines];
}

function outcomeOf(definition: ToolboxDefinition, { answer, tallies }: ToolboxState): Outcome {
  if (answer === null) return { status: 'running', reason: '' };
  if (definition.answer === null) return { status: 'ended', reason: 'the answer was given' };
  const isCorrect = satisfies(definition.answer, {
    text: answer.text,
    tallies: lookUp(tallies, answer.agent) ?? {},
  });
  return isCorrect
    ? { status: 'succeeded', reason: 'the answer is right' }
    : { status: 'failed', reason: 'the answer is not right' };
}

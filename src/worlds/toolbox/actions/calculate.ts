/**
 * CALCULATE: an arithmetic expression, computed exactly. The calculator refuses anything else with its own
 * message.
 */
import { LIMITS } from '../../../base/limits.js';
import { text } from '../../../environment/grammar.js';
import { calculate } from '../calculator.js';
import type { ToolboxAction } from './toolbox-action.js';
import { toolOutput, toolError, callLabel } from './toolbox-action.js';
import { RESULT_ARROW } from '../../../environment/program-lines.js';

export const CALCULATE = 'CALCULATE';

export const calculateAction: ToolboxAction = {
  name: CALCULATE,
  aliases: ['CALCULATOR', 'CALC'],
  description: 'Work out arithmetic: only numbers, + - * / % ** and parentheses.',
  // One character more than the calculator accepts, so that the calculator itself refuses a long expression.
  grammar: text('expression', 'what to work out', LIMITS.expressionCharacters + 1),
  examples: ['"(12 + 3) * 4"'],
  apply: (state, agent, { expression }) => {
    const input = String(expression);
    const call = { tool: CALCULATE, agent, input };
    const result = calculate(input);
    if (!result.ok) return toolError(state, call, result.why);
    return toolOutput(state, call, {
      message: `${callLabel(CALCULATE, input)}${RESULT_ARROW}"${result.text}"`,
      lines: [result.text],
    });
  },
};

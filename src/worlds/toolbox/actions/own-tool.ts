/**
 * A user's tool as an action: its parameters become the grammar, and the effect handler of the same name runs
 * it.
 */
import { canonicalJson } from '../../../base/canonical.js';
import { LIMITS } from '../../../base/limits.js';
import { lookUp } from '../../../base/look-up.js';
import { quoted } from '../../../base/text.js';
import type { Grammar } from '../../../environment/grammar.js';
import { choice, integer, optional, sequence, text, word } from '../../../environment/grammar.js';
import type { ToolParameter, DefinedTool } from '../definition.js';
import { toolEffect } from '../definition.js';
import { childOf } from '../json.js';
import { answered } from './final-answer.js';
import type { ToolboxAction } from './toolbox-action.js';
import { effectError, toolOutput, toolError } from './toolbox-action.js';
import { RESULT_ARROW } from '../../../environment/program-lines.js';

export function ownToolAction({ name, description, parameters, isTerminal }: DefinedTool): ToolboxAction {
  return {
    name,
    description:
      isTerminal === true
        ? `${description} Its result is your final answer and ends your work.`
        : description,
    grammar: parameters.length === 0 ? null : sequence(...parameters.map(grammarOf)),
    examples: [parameters.map(exampleOf).join(' ')],
    outside: { handler: toolEffect(name) },
    apply: (state, agent, args, outside) => {
      const given = parameters.flatMap((parameter) => lookUp(args, parameter.name) ?? []);
      const input = given.map((one) => (typeof one === 'string' ? quoted(one) : String(one))).join(' ');
      const label = input === '' ? name : `${name} ${input}`;
      const call = { tool: name, agent, input, label };
      const error = effectError(outside);
      if (error !== null) return toolError(state, call, quoted(error, LIMITS.toolOutputCharacters));
      const output = childOf(outside, 'value') ?? null;
      const value = typeof output === 'string' ? output : canonicalJson(output);
      const done = toolOutput(state, call, {
        message: `${label}${RESULT_ARROW}${quoted(value, LIMITS.toolOutputCharacters)}`,
        lines: [value],
      });
      if (isTerminal !== true) return done;
      const { state: ended, events } = answered(done.state, agent, value);
      return { ...done, state: ended, events: [...(done.events ?? []), ...events] };
    },
  };
}

function grammarOf({ name, description, form, isRequired }: ToolParameter): Grammar {
  const slot = slotOf(name, description, form);
  return isRequired ? slot : optional(slot);
}

function slotOf(name: string, description: string, form: ToolParameter['form']): Grammar {
  if (form.kind === 'text') return text(name, description, form.charactersMax);
  if (form.kind === 'integer') return integer(name, { min: form.min, max: form.max }, description);
  return choice(...form.words.map((one) => word(one, name)));
}

function exampleOf({ name, form }: ToolParameter): string {
  if (form.kind === 'text') return JSON.stringify(name);
  return form.kind === 'integer' ? String(form.min) : (form.words[0] ?? '');
}

/**
 * How a custom action is written down, with a check that its names work in prompts and that its examples are
 * parsed as replies are.
 */
import { UsageError } from '../base/errors.js';
import { VERB } from '../environment/action.js';
import type { ActionSpec, OwnAction } from '../environment/own-action.js';
import type { Grammar } from '../environment/grammar.js';
import { sequence, slotsOf } from '../environment/grammar.js';
import { commandForms } from '../forms/help.js';
import { protocolOf } from '../parse/protocols.js';

/**
 * Defines a custom action. Declare the type of `state`; the types of the arguments follow from the grammar.
 * Throws UsageError if its verb or a slot has an invalid name, a form has a slot twice, or an example can't
 * be parsed.
 */
export function defineAction<S, const G extends Grammar | null = null>(spec: OwnAction<S, G>): ActionSpec<S> {
  if (!VERB.test(spec.name)) {
    throw new UsageError(`"${spec.name}" is not a valid verb`, ['write it in capitals: THROW, PICK_UP']);
  }
  const grammar = spec.grammar ?? sequence();
  const invalidSlot = slotsOf(grammar).find(({ slot }) => !SLOT.test(slot.slot));
  if (invalidSlot !== undefined) {
    throw new UsageError(`${spec.name}: "${invalidSlot.slot.slot}" is not a valid parameter name`, [
      'write it in lower case: thing, how_far',
    ]);
  }
  const duplicateSlot = findDuplicateSlot(grammar);
  if (duplicateSlot !== undefined) {
    throw new UsageError(`${spec.name}: one form has two parameters called "${duplicateSlot}"`, [
      'give each its own name; only parameters in different alternatives may share one',
    ]);
  }
  readExamples(spec);
  // Values bound by a grammar have the types that the grammar declares.
  return spec;
}

const SLOT = /^[a-z][a-z0-9_]{0,31}$/;

/** A slot that one form would fill twice, so one value would be lost. */
function findDuplicateSlot(grammar: Grammar): string | undefined {
  if (grammar.kind === 'optional') return findDuplicateSlot(grammar.part);
  if (grammar.kind !== 'sequence' && grammar.kind !== 'choice') return undefined;
  const inParts = grammar.parts.map(findDuplicateSlot).find((slot) => slot !== undefined);
  if (inParts !== undefined || grammar.kind === 'choice') return inParts;
  const slots = grammar.parts.flatMap((part) => slotsOf(part).map(({ slot }) => slot.slot));
  return slots.find((slot, i) => slots.indexOf(slot) < i);
}

/** Throws UsageError for an example that no reply could express. */
function readExamples<S>({
  name,
  description,
  grammar = null,
  examples,
}: OwnAction<S, Grammar | null>): void {
  const action = { name, aliases: [], description, grammar, cost: 'turn' as const, examples };
  for (const example of examples) {
    const content = `ACTION: ${name} ${example}`;
    const reply = { content, reasoning: null, toolCalls: [], finishReason: 'stop' };
    const reading = protocolOf('command').read(reply, [action]);
    const reason = reading.ok ? reading.command.formProblem : reading.problem;
    if (reason === undefined) continue;
    throw new UsageError(`${name}: its example "${example}" can't be parsed: ${reason.message}`, [
      `an example contains only the arguments, without the verb: ${commandForms(name, grammar).join(' or ')}`,
    ]);
  }
}

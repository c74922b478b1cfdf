/**
 * The promises of one action, as checks: its definition works in every protocol, its rules are pure, its
 * refusals come first and have a message.
 */
import type { Action, Intent } from '../environment/action.js';
import type { Environment } from '../environment/environment.js';
import { slotsOf } from '../environment/grammar.js';
import type { Slot } from '../environment/grammar.js';
import type { Json } from '../base/json.js';
import { commandForms } from '../forms/help.js';
import { protocolOf } from '../parse/protocols.js';
import { parametersSchema } from '../forms/schema.js';
import { PROTOCOL_NAMES } from '../scenario/scenario.js';
import type { ConformanceCheck } from './check.js';
import { demand, demandSame, frozen, once, undefinedIn } from './check.js';
import { demandNoEffect, demandMessage, refusalsOf } from './refusals.js';
import { acceptedIn, demandNoException, walksOf } from './walk.js';
import type { WalkOptions } from './walk.js';

/** An action to check, in a world. */
export interface ActionUnderTest<S> extends Omit<WalkOptions, 'open'> {
  /** The action's name, such as `THROW`. */
  action: string;
  /** Opens a world that has the action, such as `() => kind.open(definition)`. */
  open: () => Environment<S>;
  /**
   * Intents that lead to a state in which the action can be done; by default the world is played at random
   * until it can.
   */
  before?: readonly Intent[];
}

interface ActionCase {
  environment: Environment<unknown>;
  state: unknown;
  agent: string;
}

/** The checks that every action must pass. */
export function actionSuite<S>(spec: ActionUnderTest<S>): readonly ConformanceCheck[] {
  // As for environments: it is called only with values that it returned itself.
  const open = spec.open as () => Environment<unknown>;
  const action = once(() => actionIn(open(), spec.action));
  const situations = once(() => situationsOf({ ...spec, open }));
  const acceptedCases = once(() => situations().flatMap((one) => intentsOf(one, spec)));
  return [
    { name: 'it has a description for a model', run: async () => checkWording(action()) },
    {
      name: 'its examples can be parsed in every protocol',
      run: async () => checkExamples(open(), action()),
    },
    {
      name: 'it can be expressed in every protocol',
      run: async () => checkPerformed(acceptedCases(), spec.action),
    },
    {
      name: 'it is deterministic and does not mutate the state',
      run: async () => acceptedCases().forEach(checkPurity),
    },
    {
      name: 'its refusals have a message for the agent',
      run: async () => situations().forEach((one) => refusedCases(one, spec.action).forEach(demandMessage)),
    },
    {
      name: 'an action that `check` refuses has no effect',
      run: async () =>
        situations().forEach((one) =>
          refusedCases(one, spec.action).forEach((refusal) =>
            demandNoEffect(one.environment, one.state, refusal),
          ),
        ),
    },
  ];
}

function actionIn(environment: Environment<unknown>, name: string): Action<unknown> {
  const action = environment.actions.get(name);
  demand(action !== undefined, `the world has no action ${name}`);
  return action;
}

function checkWording({ name, description, grammar, examples: exampleTexts }: Action<unknown>): void {
  demand(/\S.*[.!?]$/s.test(description), `the description of ${name} is not a sentence`);
  demand(
    exampleTexts.length > 0,
    `${name} has no example (for an action without arguments, give the example '')`,
  );
  const slots = grammar === null ? [] : slotsOf(grammar);
  const help = commandForms(name, grammar).join(' or ');
  for (const { slot } of slots) {
    if (slot.kind === 'word') continue;
    demand(slot.description.trim() !== '', `the parameter ${slot.slot} of ${name} has no description`);
    demand(help.includes(`<${slot.slot}>`), `the help of ${name} does not mention ${slot.slot}`);
  }
}

function checkExamples(
  environment: Environment<unknown>,
  { name, grammar, examples: exampleTexts }: Action<unknown>,
): void {
  const vocabulary = environment.actions.list();
  for (const example of exampleTexts) {
    const line = `${name} ${example}`.trim();
    const reading = protocolOf('command').read(replyOf(`ACTION: ${line}`), vocabulary);
    demand(reading.ok, `the example "${line}" can't be parsed: ${reading.ok ? '' : reading.problem.message}`);
    const { formProblem } = reading.command;
    demand(
      formProblem === undefined,
      `the example "${line}" leaves out a word: ${formProblem?.message ?? ''}`,
    );
    demand(reading.command.action === name, `the example "${line}" is parsed as ${reading.command.action}`);
    demandFits(reading.command.args, grammar, line);
    for (const protocol of PROTOCOL_NAMES) {
      const content = protocolOf(protocol).replyText(reading);
      const other = protocolOf(protocol).read(replyOf(content), vocabulary);
      demand(other.ok, `the example "${line}" can't be parsed in ${protocol}, as ${content}`);
      demandSame(
        other.command.args,
        reading.command.args,
        `the example "${line}" is parsed differently in ${protocol}`,
      );
    }
  }
}

function replyOf(content: string): Parameters<ReturnType<typeof protocolOf>['read']>[0] {
  return { content, reasoning: null, toolCalls: [], finishReason: 'stop' };
}

/** Throws if arguments do not match the schema that models get. */
function demandFits(args: Intent['args'], grammar: Action<unknown>['grammar'], line: string): void {
  const required: Json = parametersSchema(grammar)['required'] ?? [];
  const missing = Array.isArray(required)
    ? required.find((slot) => !Object.hasOwn(args, String(slot)))
    : undefined;
  demand(missing === undefined, `the example "${line}" lacks the required parameter ${String(missing)}`);
  const slots = grammar === null ? [] : slotsOf(grammar).map(({ slot }) => slot);
  for (const [name, value] of Object.entries(args)) {
    const slot = slots.find((one) => one.slot === name);
    demand(
      slot !== undefined && matchesSlot(slot, value),
      `the example "${line}" gives ${name} the value ${JSON.stringify(value)}, which its schema does not allow`,
    );
  }
}

function matchesSlot(slot: Slot, value: string | number): boolean {
  if (slot.kind !== 'integer') return typeof value === 'string' && value !== '';
  return typeof value === 'number' && value >= slot.min && value <= slot.max;
}

function situationsOf(spec: ActionUnderTest<unknown>): readonly ActionCase[] {
  if (spec.before === undefined) {
    return walksOf(spec).flatMap(({ environment, moments }) =>
      moments.map(({ state, agent }) => ({ environment, state, agent })),
    );
  }
  const environment = spec.open();
  let state = frozen(environment.create(spec.seeds?.[0] ?? '1'));
  const cases: ActionCase[] = environment.active(state).map((agent) => ({ environment, state, agent }));
  for (const intent of spec.before) {
    const { results, state: after } = environment.advance(state, [intent]);
    const [result] = results;
    const reason = result?.ok === false ? result.problem.message : '';
    demand(result?.ok === true, `${intent.action} in \`before\` is refused: ${reason}`);
    state = frozen(after);
    const now = state;
    cases.push(...environment.active(now).map((agent) => ({ environment, state: now, agent })));
  }
  return cases;
}

interface ActedCase extends ActionCase {
  intent: Intent;
}

/** The accepted intents with the action in this situation. */
function intentsOf(
  { environment, state, agent }: ActionCase,
  spec: ActionUnderTest<unknown>,
): readonly ActedCase[] {
  const hasOutsideEffect = environment.actions.get(spec.action)?.outside !== undefined;
  return acceptedIn(environment, state, environment.observe(state, agent))
    .filter(({ action }) => action === spec.action)
    .map((intent) => (hasOutsideEffect ? { ...intent, outside: spec.outside?.(intent) ?? null } : intent))
    .map((intent) => ({ environment, state, agent, intent }));
}

function checkPerformed(acceptedCases: readonly ActedCase[], action: string): void {
  demand(
    acceptedCases.length > 0,
    `${action} was never possible; use \`before\` to reach a state in which it is`,
  );
  const results = acceptedCases.map(({ environment, state, intent }) => {
    const advance = environment.advance(state, [intent]);
    demandNoException(intent, advance);
    return advance.results[0];
  });
  const [first] = results;
  const reason = first?.ok === false ? first.problem.message : '';
  demand(
    results.some((result) => result?.ok === true),
    `${action} was accepted but never carried out: ${reason}`,
  );
  const silent = results.find((result) => result?.ok === true && result.message.trim() === '');
  demand(silent === undefined, `${action} returned no message about its effect`);
}

function checkPurity({ environment, state, intent }: ActedCase): void {
  const before = JSON.stringify(state);
  const advance = environment.advance(state, [intent]);
  demandNoException(intent, advance);
  const undefinedPath = undefinedIn(advance.state);
  demand(
    undefinedPath === null,
    `${intent.action} leaves an undefined value in the state, at ${undefinedPath ?? ''}`,
  );
  const [first, second] = [advance, environment.advance(state, [intent])];
  demandSame(second, first, `${intent.action} has two different results in the same state`);
  demand(JSON.stringify(state) === before, `${intent.action} mutated the state`);
}

function refusedCases(
  { environment, state, agent }: ActionCase,
  action: string,
): ReturnType<typeof refusalsOf> {
  return refusalsOf(environment, state, environment.observe(state, agent)).filter(
    ({ intent }) => intent.action === action,
  );
}

/**
 * All commands that an agent could give now: each offered action in each of its forms, with the offered
 * values in its slots. They are parsed through a protocol like a reply. Free texts and numbers have the same
 * placeholder values as in offers.
 */
import { lookUp } from '../base/look-up.js';
import type { Action, Intent } from '../environment/action.js';
import type { Environment } from '../environment/environment.js';
import { sampleIntegers } from '../environment/legal-action.js';
import type { Observation, OfferedAction } from '../environment/observation.js';
import type { GrammarLeaf } from '../forms/layouts.js';
import { layOut } from '../forms/layouts.js';
import { interpret } from '../binding/interpret.js';
import type { Interpretation } from '../binding/interpret.js';
import type { Vocabulary } from '../forms/vocabulary.js';
import { protocolOf } from '../parse/protocols.js';
import { PROTOCOL_NAMES } from '../scenario/scenario.js';
import type { ProtocolName } from '../scenario/scenario.js';
import { demand, demandSame } from './check.js';

/** The maximum number of forms that are tried for each action. */
const FORMS_MAX = 200;

export interface CommandForm {
  /** A command line: `THROW ball NORTH`. */
  line: string;
  action: string;
  /** The option chosen for each slot. */
  options: Readonly<Record<string, string>>;
}

/** Every form of an offered action. */
export function commandForms(
  action: Pick<Action<never>, 'name' | 'grammar'>,
  offer: OfferedAction,
): readonly CommandForm[] {
  const layouts = action.grammar === null ? [[]] : layOut(action.grammar);
  const forms = layouts.flatMap((leaves) =>
    leaves.reduce<readonly CommandForm[]>(
      (partialForms, leaf) =>
        partialForms
          .flatMap((form) => wordsForSlot(leaf, offer).map((word) => extended(form, leaf, word)))
          .slice(0, FORMS_MAX),
      [{ line: action.name, action: action.name, options: {} }],
    ),
  );
  return forms.slice(0, FORMS_MAX);
}

function wordsForSlot(leaf: GrammarLeaf, { slots }: OfferedAction): readonly string[] {
  if (leaf.kind === 'text') return ['"a"'];
  if (leaf.kind === 'integer') return sampleIntegers(leaf).map(String);
  if (leaf.slot === undefined) return leaf.kind === 'word' ? [leaf.word] : [];
  const options = lookUp(slots, leaf.slot) ?? [];
  return leaf.kind === 'word' ? options.filter((option) => option === leaf.word) : options;
}

function extended(form: CommandForm, leaf: GrammarLeaf, word: string): CommandForm {
  const { slot } = leaf;
  const isOption = slot !== undefined && leaf.kind !== 'text' && leaf.kind !== 'integer';
  const options = isOption ? { ...form.options, [slot]: word } : form.options;
  return { ...form, line: `${form.line} ${word}`, options };
}

/** What a reply is parsed with: the world, what the agent perceives, and the actions in its scope. */
export interface ReplyContext {
  environment: Environment<unknown>;
  observation: Observation;
  vocabulary: Vocabulary;
}

export function replyContextOf(environment: Environment<unknown>, observation: Observation): ReplyContext {
  const vocabulary = environment.actions.list().filter(({ name }) => observation.scope.includes(name));
  return { environment, observation, vocabulary };
}

/** Parses a whole reply in a protocol. */
export function parsedReply(content: string, protocol: ProtocolName, context: ReplyContext): Interpretation {
  const reply = { content, reasoning: null, toolCalls: [], finishReason: 'stop' };
  const { vocabulary, environment, observation } = context;
  return interpret(reply, protocolOf(protocol), vocabulary, environment.actions, observation);
}

/** The meaning of a command line. Throws if a protocol does not accept it, or gives it another meaning. */
export function demandSameMeaning(line: string, context: ReplyContext): Intent {
  const { reading, intent, problem } = parsedReply(`ACTION: ${line}`, 'command', context);
  demand(
    reading.ok && intent !== null,
    `"${line}" was offered but can't be parsed: ${problem?.message ?? ''}`,
  );
  for (const name of PROTOCOL_NAMES) {
    const content = protocolOf(name).replyText(reading);
    const other = parsedReply(content, name, context);
    demand(
      other.intent !== null,
      `"${line}" can't be parsed in ${name}, as ${content}: ${other.problem?.message ?? ''}`,
    );
    demandSame(other.intent, intent, `"${line}" has a different meaning in ${name}, as ${content}`);
  }
  return intent;
}

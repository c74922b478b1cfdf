/**
 * Intents from the API as replies: a typed intent is written in the entity's protocol, a model's text is kept
 * unchanged. So the loop's one parser reads both, and logs, exports and `reparse` see no difference between a
 * served entity and any other. Texts are untrusted.
 */
import { DEADLINE } from '../agent/controller.js';
import { embeddedReply } from '../agent/controllers/embedded-reply.js';
import { LIMITS } from '../base/limits.js';
import { WAIT } from '../environment/action.js';
import type { ActionRegistry, Args } from '../environment/action.js';
import { formsOf } from '../environment/legal-action.js';
import { formatCommand } from '../forms/command-text.js';
import type { Environment } from '../environment/environment.js';
import { withToldNames } from '../environment/numbers.js';
import type { Noun, Observation } from '../environment/observation.js';
import { toldName } from '../environment/observation.js';
import { DIRECTIONS } from '../environment/space.js';
import { NO_USAGE } from '../model/chat.js';
import type { Reply } from '../model/chat.js';
import type { Protocol } from '../parse/protocol.js';
import type { Call, SubmitIntentRequest, Words } from './gen/orchestrate/world/v1/world_pb.js';
import { ServeError } from './serve-error.js';

interface WrittenIntent {
  action: string;
  args: Args;
  reasoning?: string;
}

export interface IntentReader {
  /** The entity's. */
  protocol: Protocol;
  actions: ActionRegistry<unknown>;
  /** The scenario's name for an action of the rules. */
  spoken: (action: string) => string;
  /** The environment's. */
  namesOfKind: NonNullable<Environment<unknown>['namesOfKind']>;
  /** What the entity may name and do; null before its first observation. */
  observation: Observation | null;
}

/** Throws FIELD_INVALID if there is no intent, or if its action can't take its arguments. */
export function replyOf(intent: SubmitIntentRequest['intent'], reader: IntentReader): Reply {
  if (intent.case === 'words') return replyFromWords(intent.value);
  const { action: givenAction, args: givenArgs, reasoning } = writtenIntent(intent);
  const { protocol, actions, spoken, observation } = reader;
  const isCall = intent.case === 'call';
  const action = isCall ? givenAction : spoken(givenAction);
  const resolved = isCall ? givenArgs : resolveThing(action, givenArgs, reader);
  const grammar = actions.get(action)?.grammar ?? null;
  const args = observation === null ? resolved : withToldNames(grammar, resolved, observation);
  const words = commandWords(actions, { action, args });
  const reading = { ok: true, command: { action, args }, rung: 'whole line', span: null, words } as const;
  return { ...embeddedReply(protocol.replyText(reading)), reasoning: reasoning ?? null };
}

/**
 * A pickup or a use may give a name or a kind of stack: of several things that it fits, the only one that the
 * entity holds is chosen, or otherwise the only one with which the action would be accepted now. If there are
 * several, their name is kept, and the loop's refusal lists them.
 */
function resolveThing(action: string, args: Args, { observation, namesOfKind }: IntentReader): Args {
  const { thing } = args;
  if (observation === null || typeof thing !== 'string') return args;
  const { nouns, offered } = observation;
  if (nouns.some(({ id }) => id === thing)) return args;
  const isCalled = ({ name, aliases }: Noun, one: string): boolean => name === one || aliases.includes(one);
  const names = nouns.some((noun) => isCalled(noun, thing)) ? [thing] : namesOfKind(thing);
  const things = offered.find((offer) => offer.action === action)?.slots['thing'] ?? [];
  const matching = nouns.filter(
    (noun) =>
      names.some((name) => isCalled(noun, name)) &&
      (things.includes(toldName(noun)) || things.includes(noun.id)),
  );
  const held = matching.filter(({ kinds }) => kinds.includes('held'));
  const [first, second] = held.length > 0 ? held : matching;
  if (first !== undefined && second === undefined) return { ...args, thing: first.id };
  const [name, other] = names;
  return name !== undefined && other === undefined ? { ...args, thing: name } : args;
}

/** An unknown action is passed on unchanged: the loop refuses it and lists the existing ones. */
export function commandWords(actions: IntentReader['actions'], { action, args }: WrittenIntent): string {
  const spec = actions.get(action);
  if (spec === undefined) return action;
  const argumentText = formatCommand(spec.grammar, args);
  if (argumentText !== null) return `${action} ${argumentText}`.trim();
  const argumentNames = Object.keys(args).join(' and ');
  const problem =
    argumentNames === '' ? `${action} needs arguments` : `${action} does not take ${argumentNames}`;
  const forms = formsOf(spec.grammar).forms.map((form) =>
    form.flatMap((slot) => (slot.kind === 'word' ? [] : [slot.slot])).join(' and '),
  );
  // Without duplicates: "thing, or thing and target".
  const possible = [...new Set(forms.map((form) => form || 'no arguments'))].join(', or ');
  throw new ServeError('FIELD_INVALID', `${problem}; it takes ${possible}`);
}

function writtenIntent(intent: SubmitIntentRequest['intent']): WrittenIntent {
  switch (intent.case) {
    case 'move': {
      // The API counts directions from 1, clockwise from north, in the order of the rules.
      const direction = DIRECTIONS[intent.value.direction - 1];
      if (direction === undefined) throw new ServeError('FIELD_INVALID', 'move.direction is missing');
      return { action: 'GO', args: { direction } };
    }
    case 'pickup': {
      const { item, amount } = intent.value;
      return { action: 'TAKE', args: { ...amountArg('amount', amount), thing: wellFormed(item) } };
    }
    case 'use': {
      const { item, on, amount } = intent.value;
      const target = on === '' ? {} : { target: wellFormed(on) };
      return { action: 'USE', args: { ...amountArg('amount', amount), thing: wellFormed(item), ...target } };
    }
    case 'say': {
      const { text, channel } = intent.value;
      const action = { '': 'SPEAK', speak: 'SPEAK', local: 'SPEAK', announce: 'ANNOUNCE' }[channel];
      if (action === undefined)
        throw new ServeError('FIELD_INVALID', 'say.channel must be "speak", "local" or "announce"');
      return { action, args: { text: wellFormed(text) } };
    }
    case 'wait':
      return { action: WAIT, args: {} };
    case 'call':
      return callIntent(intent.value);
    default:
      throw new ServeError('FIELD_INVALID', 'the request contains no intent');
  }
}

function callIntent({ action, args, reasoning }: Call): WrittenIntent {
  const entries = Object.entries(args).map(([slot, { value }]) => {
    if (value.case === 'text') return [slot, wellFormed(value.value)] as const;
    if (value.case === 'number') return [slot, integer(slot, value.value)] as const;
    throw new ServeError('FIELD_INVALID', `call.args.${slot} has no value`);
  });
  return { action: wellFormed(action), args: Object.fromEntries(entries), reasoning: wellFormed(reasoning) };
}

function replyFromWords(words: Words): Reply {
  const { content, reasoning, finishReason, model, usage, latencyMs, toolCalls } = words;
  const countedUsage = {
    ...NO_USAGE,
    promptTokens: integerOrNull(usage?.promptTokens),
    completionTokens: integerOrNull(usage?.completionTokens),
    imageTokens: integerOrNull(usage?.imageTokens),
  };
  return {
    ...embeddedReply(wellFormed(content)),
    reasoning: reasoning === '' ? null : wellFormed(reasoning),
    finishReason: finishReasonOf(finishReason),
    model: model === '' ? null : wellFormed(model).slice(0, LIMITS.nameCharacters),
    toolCalls: toolCalls.map(({ name, argumentsJson }) => ({
      name: wellFormed(name),
      arguments: wellFormed(argumentsJson),
    })),
    usage: countedUsage,
    latencyMs: Math.max(0, integer('words.latency_ms', latencyMs)),
  };
}

/** The sender's own value, like a server's; only the world can report that a reply came too late. */
function finishReasonOf(value: string): string {
  if (value === DEADLINE) throw new ServeError('FIELD_INVALID', `words.finish_reason can't be "${DEADLINE}"`);
  return value === '' ? 'stop' : wellFormed(value).slice(0, LIMITS.nameCharacters);
}

function amountArg(slot: string, amount: bigint): Args {
  const count = integer(slot, amount);
  return count === 0 ? {} : { [slot]: count };
}

function integerOrNull(value: bigint | undefined): number | null {
  return value === undefined || value === 0n ? null : integer('usage', value);
}

function integer(field: string, value: bigint): number {
  const number = Number(value);
  if (!Number.isSafeInteger(number))
    throw new ServeError('FIELD_INVALID', `${field} must be a whole number from -2^53 to 2^53`);
  return number;
}

/** JSON can contain half a character, which no log can store. */
function wellFormed(text: string): string {
  return text.toWellFormed();
}

/**
 * Builds the body of a chat request from messages and settings. Every sampling setting is sent, because
 * servers have different defaults. If a message has one image, it comes last; several images stay where they
 * are. Adjacent messages with the same role become one message, and there is at most one system message.
 * Nothing here depends on the turn, so requests with the same beginning have the same first bytes, and
 * servers can reuse their prefix cache.
 */
import type {
  ChatCompletionContentPart,
  ChatCompletionCreateParamsNonStreaming,
  ChatCompletionFunctionTool,
  ChatCompletionMessageParam,
} from 'openai/resources/chat/completions';
import type { Json, JsonObject } from '../base/json.js';
import { withFloats } from '../scenario/decimals.js';
import type { ModelSpec } from '../scenario/scenario.js';
import { FREE_FORM } from './chat.js';
import type { Message, MessagePart, RequestForm } from './chat.js';
import type { Constraint } from './constraint.js';

/** An adaptation that a server needs; learnt from its refusals and kept for the run. */
export interface Adaptation {
  /** The server accepts no system message: its text is put at the beginning of the first user message. */
  foldSystem: boolean;
}

/** The adaptations of these messages, as in `Reply.adaptations`. */
export function adaptationsOf(messages: readonly Message[], adaptation: Adaptation): readonly string[] {
  const isFolded = adaptation.foldSystem && messages.some(({ role }) => role === 'system');
  return isFolded ? ['system-folded'] : [];
}

/** The whole body as it is sent. Servers accept more fields than the type names. */
export function chatBody(
  settings: JsonObject,
  messages: readonly Message[],
  adaptation: Adaptation,
): ChatCompletionCreateParamsNonStreaming {
  const body: object = { ...settings, messages: wireMessages(messages, adaptation) };
  return body as ChatCompletionCreateParamsNonStreaming;
}

/** The sampling seed of questions outside the run, which belong to no attempt of a step. */
const DEFAULT_SEED = 1;

/**
 * The body without its messages, as sent and as stored in the log. A field that `extra` sets to null is left
 * out, for servers that refuse it.
 */
export function bodySettings(
  spec: ModelSpec,
  model: string | null,
  form: RequestForm = FREE_FORM,
  constraint: Constraint | null = null,
): JsonObject {
  const body: Record<string, Json> = {
    model,
    stream: false,
    temperature: Number(spec.temperature),
    top_p: Number(spec.topP),
    max_tokens: spec.maxTokens,
    seed: spec.seed ?? form.samplingSeed ?? DEFAULT_SEED,
  };
  for (const [field, value] of Object.entries(spec.extra)) {
    if (value === null) delete body[field];
    else body[field] = withFloats(value);
  }
  // Some servers refuse an empty list. With tools, the model chooses by itself unless tool_choice says
  // otherwise, which not all servers support.
  if (form.tools.length === 0) return { ...body, ...constraint?.fields };
  const tools = form.tools.map(({ name, description, parameters, guidedParameters = parameters }) => ({
    type: 'function' as const,
    function: {
      name,
      description,
      parameters: constraint?.isExact === true ? guidedParameters : parameters,
      ...(constraint?.isStrict === true ? { strict: true } : {}),
    },
  })) satisfies readonly ChatCompletionFunctionTool[];
  return { ...body, tools, ...constraint?.fields };
}

/**
 * Fields that `extra` may not set, because they define the call itself and not the way in which the model
 * answers.
 */
export const OWN_FIELDS: readonly string[] = ['model', 'messages', 'stream', 'n', 'tools'];

/** Exported for tests and for `preview --messages`: what is sent to a server. */
export function wireMessages(
  messages: readonly Message[],
  adaptation: Adaptation,
): ChatCompletionMessageParam[] {
  return arrangeMessages(messages, adaptation).map((message) => {
    const { role, parts } = message;
    if (!parts.some(({ kind }) => kind === 'image')) return { role, content: messageText(message) };
    const content = sentParts(message).map((part): ChatCompletionContentPart => {
      if (typeof part === 'string') return { type: 'text', text: part };
      const png = Buffer.from(part.png.buffer, part.png.byteOffset, part.png.byteLength);
      return { type: 'image_url', image_url: { url: `data:image/png;base64,${png.toString('base64')}` } };
    });
    // Only a user's message may have pictures.
    return { role: role as 'user', content };
  });
}

/**
 * The messages as a server gets them: one system message, which comes first, and adjacent messages with one
 * role merged.
 */
export function arrangeMessages(messages: readonly Message[], adaptation: Adaptation): readonly Message[] {
  const system = messages.filter((message) => message.role === 'system');
  const otherMessages = messages.filter((message) => message.role !== 'system');
  const rules = system.flatMap((message) => message.parts);
  if (rules.length === 0) return mergeAdjacent(otherMessages);
  const [first] = system;
  // The same object if it is sent unchanged: values derived from a message are then computed once for all of
  // an agent's turns.
  const isUnchanged = system.length === 1 && first !== undefined && !adaptation.foldSystem;
  const opening: Message = isUnchanged
    ? first
    : { role: adaptation.foldSystem ? 'user' : 'system', parts: rules };
  return mergeAdjacent([opening, ...otherMessages]);
}

/** A message's text as it is sent: its texts, separated by empty lines; '' for none. */
export function messageText(message: Message): string {
  return message.parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join('\n\n');
}

/**
 * A message's parts as they are sent: its only image last, or several in their places, with the texts between
 * two of them as one.
 */
export function sentParts(message: Message): readonly (string | ChatImagePart)[] {
  const images = message.parts.filter((part) => part.kind === 'image');
  if (images.length <= 1) return [messageText(message), ...images].filter((part) => part !== '');
  const sent: (string | ChatImagePart)[] = [];
  for (const part of message.parts) {
    const last = sent.at(-1);
    if (part.kind === 'image') sent.push(part);
    else if (typeof last === 'string') sent[sent.length - 1] = `${last}\n\n${part.text}`;
    else sent.push(part.text);
  }
  return sent.filter((part) => part !== '');
}

function mergeAdjacent(messages: readonly Message[]): readonly Message[] {
  const result: Message[] = [];
  for (const message of messages) {
    const last = result.at(-1);
    if (last?.role !== message.role) result.push(message);
    else result[result.length - 1] = { role: last.role, parts: [...last.parts, ...message.parts] };
  }
  return result;
}

type ChatImagePart = Extract<MessagePart, { kind: 'image' }>;

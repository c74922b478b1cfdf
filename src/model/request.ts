/**
 * Builds the body of a chat request from messages and settings. Every sampling setting is sent, because
 * servers have different defaults. If a message has one image, it comes last; several images stay where they
 * are. Adjacent messages with the same role become one message, and there is at most one system message.
 * Nothing here depends on the turn, so requests with the same beginning have the same first bytes, and
 * servers can reuse their prefix cache.
 */
import type { Json, JsonObject } from '../base/json.js';
import type { ModelSpec } from '../scenario/scenario.js';
import { FREE_FORM } from './chat.js';
import type { Message, MessagePart, RequestForm, ChatTool } from './chat.js';
import type { Constraint } from './constraint.js';
import { member } from './fault.js';

type WirePart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image_url'; readonly image_url: { readonly url: string } };

export interface WireMessage {
  readonly role: Message['role'];
  readonly content: string | readonly WirePart[];
}

/** An adaptation that a server needs; learnt from its refusals and kept for the run. */
export interface Adaptation {
  /** The server accepts no system message: its text is put at the beginning of the first user message. */
  readonly foldSystem: boolean;
}

/** The adaptations of these messages, as in `Reply.adaptations`. */
export function adaptationsOf(messages: readonly Message[], adaptation: Adaptation): readonly string[] {
  const isFolded = adaptation.foldSystem && messages.some(({ role }) => role === 'system');
  return isFolded ? ['system-folded'] : [];
}

/** The whole body, for callers that want to inspect it. */
export function chatBody(
  settings: JsonObject,
  messages: readonly Message[],
  adaptation: Adaptation,
): Readonly<Record<string, unknown>> {
  return { ...settings, messages: wireMessages(messages, adaptation) };
}

/**
 * The whole body as it is sent: the JSON of `chatBody`, in UTF-8. A past message is the same object in every
 * request of its agent, so its bytes are computed once.
 */
export function chatBytes(
  settings: JsonObject,
  messages: readonly Message[],
  adaptation: Adaptation,
): Uint8Array {
  // They come last in the body, whatever the settings are, and no setting has their names.
  const opening = JSON.stringify({ ...settings, messages: [] }).slice(0, -END.length);
  const pieces: Uint8Array[] = [Buffer.from(opening)];
  for (const [i, message] of arrangeMessages(messages, adaptation).entries()) {
    if (i > 0) pieces.push(COMMA);
    pieces.push(messageBytes(message));
  }
  pieces.push(Buffer.from(END));
  return Buffer.concat(pieces);
}

/** The sampling seed of questions outside the run, which belong to no attempt of a step. */
const DEFAULT_SEED = 1;

const END = ']}';
const COMMA = Buffer.from(',');

/** JSON of messages without pictures, because a picture is sent only once. */
const bytesOfMessage = new WeakMap<Message, Uint8Array>();
const ENCODER = new TextEncoder();

function messageBytes(message: Message): Uint8Array {
  const known = bytesOfMessage.get(message);
  if (known !== undefined) return known;
  if (hasImage(message)) return Buffer.from(pictureMessageJson(message));
  // Bytes of their own: a piece of Node's shared memory would keep all of it.
  const bytes = ENCODER.encode(JSON.stringify(wire(message)));
  bytesOfMessage.set(message, bytes);
  return bytes;
}

/** The same with pictures, whose digits need no search for what JSON escapes. */
function pictureMessageJson(message: Message): string {
  const parts = sentParts(message).map((part) =>
    typeof part === 'string' ? JSON.stringify(wireText(part)) : `${IMAGE_OPENING}${base64(part)}${IMAGE_END}`,
  );
  return `{"role":"${message.role}","content":[${parts.join(',')}]}`;
}

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
    else body[field] = withNumbers(value);
  }
  // Some servers refuse an empty list. With tools, the model chooses by itself unless tool_choice says
  // otherwise, which not all servers support.
  if (form.tools.length === 0) return { ...body, ...constraint?.fields };
  const tools = form.tools.map((tool) => wireTool(tool, constraint));
  return { ...body, tools, ...constraint?.fields };
}

function wireTool(tool: ChatTool, constraint: Constraint | null): Json {
  const { name, description, guidedParameters } = tool;
  const parameters = (constraint?.isExact === true ? guidedParameters : undefined) ?? tool.parameters;
  const strict = constraint?.isStrict === true ? { strict: true } : {};
  return { type: 'function', function: { name, description, parameters, ...strict } };
}

/**
 * Fields that `extra` may not set, because they define the call itself and not the way in which the model
 * answers.
 */
export const OWN_FIELDS: readonly string[] = ['model', 'messages', 'stream', 'n', 'tools'];

/** `{ decimal: "0.9" }` as the number that it stands for, at any depth. */
function withNumbers(value: Json): Json {
  if (Array.isArray(value)) return value.map(withNumbers);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  const decimal = member(value, 'decimal');
  if (typeof decimal === 'string' && entries.length === 1) return Number(decimal);
  return Object.fromEntries(entries.map(([key, item]) => [key, withNumbers(item)]));
}

/** Exported for tests and for `preview --messages`: what is sent to a server. */
export function wireMessages(messages: readonly Message[], adaptation: Adaptation): readonly WireMessage[] {
  return arrangeMessages(messages, adaptation).map(wire);
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

function hasImage({ parts }: Message): boolean {
  return parts.some(({ kind }) => kind === 'image');
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

function wire(message: Message): WireMessage {
  const { role } = message;
  if (!hasImage(message)) return { role, content: messageText(message) };
  return {
    role,
    content: sentParts(message).map((part) =>
      typeof part === 'string' ? wireText(part) : wireImage(base64(part)),
    ),
  };
}

function wireText(text: string): WirePart {
  return { type: 'text', text };
}

function wireImage(base64Data: string): WirePart {
  return { type: 'image_url', image_url: { url: `data:image/png;base64,${base64Data}` } };
}

const IMAGE_END = '"}}';
const IMAGE_OPENING = JSON.stringify(wireImage('')).slice(0, -IMAGE_END.length);

function base64({ png }: ChatImagePart): string {
  return Buffer.from(png.buffer, png.byteOffset, png.byteLength).toString('base64');
}

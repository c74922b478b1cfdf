/**
 * The messages between an agent's program and this one: one JSON object per line, UTF-8, documented in
 * docs/reference/controllers.md. What this program writes is made from a controller's input. What the agent's
 * program writes is untrusted: every possible line gives an answer or a reason why it is not one.
 */
import type { Json } from '../../../base/json.js';
import { LIMITS } from '../../../base/limits.js';
import { oneLine, wellFormedJson } from '../../../base/text.js';
import type { MessagePart } from '../../../model/chat.js';
import { PARSER_VERSION } from '../../../parse/protocols.js';
import type { ControllerInput, Introduction } from '../../controller.js';
import { PROMPT_VERSION } from '../../prompt.js';
import { parsedJson } from '../../../base/json.js';

/** Raised whenever programs written for the older version would no longer work. */
export const WIRE_VERSION = 1;

export function helloLine({ agent, name, instructions }: Introduction): string {
  const versions = { prompt: PROMPT_VERSION, parser: PARSER_VERSION };
  return jsonLine({ type: 'hello', protocol: WIRE_VERSION, versions, agent, name, instructions });
}

export function observeLine(id: number, input: ControllerInput): string {
  const { agent, turn, attempt, messages, memory } = input;
  const { sections, scope, offered, nouns, facts } = input.observation;
  const images = messages.flatMap(({ parts }, message) =>
    parts.flatMap((part) => (part.kind === 'image' ? [{ message, part }] : [])),
  );
  const image = images.at(-1);
  return jsonLine({
    type: 'observe',
    id,
    agent,
    turn,
    attempt,
    messages: messages.map((message) => ({
      role: message.role,
      text: message.parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join('\n\n'),
    })),
    observation: { sections, scope, offered, nouns, facts },
    // This turn's picture; null if none is sent.
    frame: image === undefined ? null : frameFields(image.part),
    // The pictures before it, in the order in which a model gets them, with the index of their message.
    past_frames: images.slice(0, -1).map(({ message, part }) => ({ message, ...frameFields(part) })),
    memory,
  });
}

export function endLine(): string {
  return jsonLine({ type: 'end' });
}

function jsonLine(value: object): string {
  return `${JSON.stringify(value)}\n`;
}

type ImagePart = Extract<MessagePart, { kind: 'image' }>;

function frameFields({ png, frameHash }: ImagePart): object {
  // A PNG's first chunk is its header, which begins with width and height.
  const header = new DataView(png.buffer, png.byteOffset, png.byteLength);
  return {
    png_base64: Buffer.from(png).toString('base64'),
    width: header.getUint32(16),
    height: header.getUint32(20),
    hash: frameHash,
  };
}

export type ProcessMessage =
  | { kind: 'ready' }
  | {
      kind: 'reply';
      id: number;
      content: string;
      /** Undefined: as it was. */
      memory: Json | undefined;
    }
  /** `reason` says what the program did: "wrote …". */
  | { kind: 'invalid'; reason: string };

export function readAnswer(text: string): ProcessMessage {
  const value = parsedJson(wellFormedJson(text));
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return invalid(`wrote a line that is not a JSON object: ${excerpt(text)}`);
  const fields = value as Readonly<Record<string, Json>>;
  if (fields['type'] === 'ready') return readReady(fields);
  if (fields['type'] === 'reply') return readReply(fields);
  return invalid(`wrote a line whose type is neither "ready" nor "reply": ${excerpt(text)}`);
}

function readReady({ protocol }: Readonly<Record<string, Json>>): ProcessMessage {
  if (protocol === WIRE_VERSION) return { kind: 'ready' };
  return invalid(`speaks protocol ${excerpt(JSON.stringify(protocol) ?? 'unknown')}, not ${WIRE_VERSION}`);
}

function readReply({ id, content, memory }: Readonly<Record<string, Json>>): ProcessMessage {
  if (typeof id !== 'number' || typeof content !== 'string')
    return invalid('wrote a reply that has no numeric `id` or no string `content`');
  const bytes = Buffer.byteLength(content);
  if (bytes > LIMITS.replyBytes)
    return invalid(`wrote a reply of ${bytes} bytes; the maximum is ${LIMITS.replyBytes}`);
  return { kind: 'reply', id, content, memory };
}

function invalid(reason: string): ProcessMessage {
  return { kind: 'invalid', reason };
}

function excerpt(text: string): string {
  return JSON.stringify(oneLine(text, 80));
}

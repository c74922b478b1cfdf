/**
 * Content addresses: the canonical text of a value or a message, and the SHA-256 under which the log stores it once.
 * The writer, the chain and the reader share them, so that what was stored is exactly what the chain covers. Results
 * are remembered by identity: an observation or a message is hashed once, however often it is sent.
 */
import { canonicalJson, sha256 } from '../base/canonical.js';
import { assert } from '../base/assert.js';
import type { Message, MessagePart } from '../model/chat.js';

/** A text and the SHA-256 of its UTF-8 bytes. */
export interface Content {
  readonly hash: string;
  readonly text: string;
}

/** A message with hashes in place of its texts and pictures: how the log holds it. */
export interface MessageReference {
  readonly role: Message['role'];
  readonly parts: readonly ({ readonly text: string } | { readonly frame: string })[];
}

const values = new WeakMap<object, Content>();
const messages = new WeakMap<Message, Content>();

/** The text as it is. Asserts that it is well-formed: a lone surrogate would not survive UTF-8. */
export function contentOfText(text: string): Content {
  assert(text.isWellFormed(), 'text with a lone surrogate');
  return { hash: sha256(text), text };
}

/** Canonical JSON of a value that never changes. */
export function contentOfJson(value: unknown): Content {
  const known = isObject(value) ? values.get(value) : undefined;
  if (known !== undefined) return known;
  const text = canonicalJson(value);
  const content = { hash: sha256(text), text };
  if (isObject(value)) values.set(value, content);
  return content;
}

/** Canonical JSON of the message's reference: covers role, texts and frame hashes, never the bytes of a PNG. */
export function contentOfMessage(message: Message): Content {
  const known = messages.get(message);
  if (known !== undefined) return known;
  const { role, parts } = message;
  const reference: MessageReference = { role, parts: parts.map(partReference) };
  const text = canonicalJson(reference);
  const content = { hash: sha256(text), text };
  messages.set(message, content);
  return content;
}

function partReference(part: MessagePart): MessageReference['parts'][number] {
  return part.kind === 'text' ? { text: contentOfText(part.text).hash } : { frame: part.frameHash };
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

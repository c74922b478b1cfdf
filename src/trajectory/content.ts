/**
 * Content addresses: the canonical text of a value or a message, and its SHA-256. The writer, the chain and
 * the reader share them, so that what is stored is exactly what the chain covers. Hashes are cached by
 * identity: an observation or a message is hashed once, however often it is sent. Texts are not cached,
 * because they are long and stored only once.
 */
import { isObject } from '../base/json.js';
import { canonicalBytes, sha256 } from '../base/canonical.js';
import { assert } from '../base/assert.js';
import type { Message, MessagePart } from '../model/chat.js';

/** A text and the SHA-256 of its UTF-8 bytes. */
export interface HashedText {
  hash: string;
  text: string;
}

/** UTF-8 bytes and their SHA-256. */
export interface ByteContent {
  hash: string;
  bytes: Uint8Array;
}

/** A message and its hash, over role, texts and frame hashes, never over the bytes of a PNG. */
export interface MessageContent {
  hash: string;
  role: Message['role'];
  parts: readonly (HashedText | Extract<MessagePart, { kind: 'image' }>)[];
}

const hashes = new WeakMap<object, string>();
const messageContents = new WeakMap<Message, MessageContent>();

/** The text unchanged. Asserts that it is well-formed: a lone surrogate would not survive UTF-8. */
export function contentOfText(text: string): HashedText {
  assert(text.isWellFormed(), 'the text has a lone surrogate');
  return { hash: sha256(text), text };
}

/** Canonical JSON of a value that never changes. */
export function contentOfJson(value: unknown): ByteContent {
  const content = canonicalBytes(value);
  if (isObject(value)) hashes.set(value, content.hash);
  return content;
}

/** The hash of the canonical JSON of an object that never changes. */
export function hashOfJson(value: object): string {
  return hashes.get(value) ?? contentOfJson(value).hash;
}

/**
 * Records the hash of the canonical JSON from which a value was read, so that it need not be computed again.
 */
export function rememberHash(value: object, hash: string): void {
  hashes.set(value, hash);
}

/** For a message that never changes. */
export function contentOfMessage(message: Message): MessageContent {
  const known = messageContents.get(message);
  if (known !== undefined) return known;
  return rememberMessage(
    message,
    message.parts.map((part) => (part.kind === 'text' ? contentOfText(part.text) : part)),
  );
}

/** For a message that never changes and whose parts were already hashed. */
export function rememberMessage(message: Message, parts: MessageContent['parts']): MessageContent {
  const { role } = message;
  const covered = parts.map((part) => ('hash' in part ? { text: part.hash } : { frame: part.frameHash }));
  const content = { hash: messageHash(role, covered), role, parts };
  messageContents.set(message, content);
  return content;
}

/**
 * For a message whose texts and frames have these hashes: the canonical JSON of both is written directly,
 * because nothing in it needs escaping.
 */
export function messageHash(
  role: Message['role'],
  parts: readonly ({ text: string } | { frame: string })[],
): string {
  let list = '';
  for (const part of parts) {
    const named = 'text' in part ? `{"text":"${part.text}"}` : `{"frame":"${part.frame}"}`;
    list = list === '' ? named : `${list},${named}`;
  }
  return sha256(`{"parts":[${list}],"role":"${role}"}`);
}

const hashesOfList = new WeakMap<readonly Message[], readonly string[]>();

/** The hash of each message of a list that never changes, in order. */
export function messageHashes(list: readonly Message[]): readonly string[] {
  const known = hashesOfList.get(list);
  if (known !== undefined) return known;
  const computed = list.map((message) => contentOfMessage(message).hash);
  hashesOfList.set(list, computed);
  return computed;
}

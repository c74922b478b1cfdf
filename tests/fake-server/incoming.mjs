// @ts-check
/** A request as it comes off the wire: its bytes as text, its JSON, what a reply function may look at, and a number that stands for it. */
import { createHash } from 'node:crypto';
import { isFields } from './fields.mjs';
import { messagesOf, partsOf, textOf, urlOf } from './messages.mjs';

/**
 * @typedef {import('./fields.mjs').Fields} Fields
 * @typedef {import('./server.mjs').ChatRequest} ChatRequest
 */

/** @param {Fields} body @param {number} index @returns {ChatRequest} */
export function requestOf(body, index) {
  const messages = messagesOf(body);
  const image = partsOf(messages.at(-1)).find((part) => part['type'] === 'image_url');
  const url = urlOf(image);
  const png = url === '' ? null : Buffer.from(url.slice(url.indexOf(',') + 1), 'base64');
  const system = textOf(messages.find((message) => message.role === 'system'));
  return { body, system, text: textOf(messages.at(-1)), png, index };
}

/** @param {import('node:http').IncomingMessage} request @returns {Promise<string>} */
export async function bodyOf(request) {
  request.setEncoding('utf8');
  let text = '';
  for await (const piece of request) text += String(piece);
  return text;
}

/** The same for the same request. @param {Fields} body */
export function seedOf(body) {
  return createHash('sha256').update(JSON.stringify(body)).digest().readInt32BE(0);
}

/** Null for what is no JSON object. @param {string} text @returns {Fields | null} */
export function parsed(text) {
  try {
    /** @type {unknown} */
    const value = JSON.parse(text);
    return isFields(value) ? value : null;
  } catch {
    return null;
  }
}

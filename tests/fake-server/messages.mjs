// @ts-check
/** The messages of a chat request, as every part of the fake server looks at them: well-formed ones alone, each with its parts. */
import { isFields } from './fields.mjs';

/**
 * @typedef {import('./fields.mjs').Fields} Fields
 * @typedef {{ role: string, content: string | Fields[] }} ChatMessage
 */

/** Only those that have the shape of a message; `checks.mjs` refuses the rest. @param {Fields} fields @returns {ChatMessage[]} */
export function messagesOf(fields) {
  return Array.isArray(fields['messages']) ? fields['messages'].filter(isMessage) : [];
}

/** @param {unknown} value @returns {value is ChatMessage} */
function isMessage(value) {
  if (!isFields(value) || typeof value['role'] !== 'string') return false;
  const content = value['content'];
  return typeof content === 'string' || (Array.isArray(content) && content.every(isFields));
}

/** A text that stands alone is one part. @param {ChatMessage | undefined} message @returns {Fields[]} */
export function partsOf(message) {
  if (message === undefined) return [];
  return typeof message.content === 'string' ? [{ type: 'text', text: message.content }] : message.content;
}

/** The URL of an image part, '' where there is none. @param {Fields | undefined} image @returns {string} */
export function urlOf(image) {
  const inner = image?.['image_url'];
  const url = typeof inner === 'object' && inner !== null && 'url' in inner ? inner.url : '';
  return typeof url === 'string' ? url : '';
}

/** @param {ChatMessage | undefined} message */
export function textOf(message) {
  return partsOf(message)
    .flatMap((part) => (part['type'] === 'text' ? [String(part['text'])] : []))
    .join('\n');
}

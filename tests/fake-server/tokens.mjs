// @ts-check
/**
 * A request as tokens: its messages laid out as a chat template lays them out, its words cut as byte-level tokenizers cut them (a word with the
 * space before it, at most six bytes a piece, so that English comes to about four characters a token), its images as so many placeholders as
 * the model's family makes of their size. In: messages; out: tokens and where the images lie. Equal beginnings give equal tokens.
 */
import { hash } from 'node:crypto';
import { partsOf, urlOf } from './messages.mjs';
import { imageTokens } from './image-tokens.mjs';
import { inspectBase64 } from './png.mjs';

/**
 * @typedef {import('./messages.mjs').ChatMessage} ChatMessage
 * @typedef {import('./image-tokens.mjs').Family} Family
 *
 * @typedef {object} ImageSpan  where an image's placeholders lie
 * @property {number} from
 * @property {number} length
 * @property {string} hash  of its bytes or its address
 *
 * @typedef {object} Prompt
 * @property {readonly number[]} tokens
 * @property {readonly ImageSpan[]} images
 */

/** What a template adds to words, as tokens of its own. */
const SPECIAL = /** @type {const} */ ({
  begin: 1,
  end: 2,
  imageBegin: 3,
  image: 4,
  imageEnd: 5,
});
/** The size that a picture is taken to have which was not looked at. */
const UNSEEN = { width: 480, height: 480 };
const FIRST_OF_WORDS = 16;
const PIECE_BYTES = 6;

const WORDS = / ?\p{L}+| ?\p{N}{1,3}| ?[^\s\p{L}\p{N}]+|\s+/gu;

/** The tokens of plain words. Which bytes a token stands for can be read from its number. @param {string} text @returns {number[]} */
export function textTokens(text) {
  const tokens = [];
  for (const [word] of text.toWellFormed().matchAll(WORDS)) {
    const bytes = Buffer.from(word);
    for (let at = 0; at < bytes.length; at += PIECE_BYTES)
      tokens.push(FIRST_OF_WORDS + numberOf(bytes.subarray(at, at + PIECE_BYTES)));
  }
  return tokens;
}

/** The tokens of texts that came before: a past comes again with each turn. @type {Map<string, readonly number[]>} */
const known = new Map();
const KNOWN_MAX = 4096;

/** @param {string} text */
function knownTokens(text) {
  const before = known.get(text);
  if (before !== undefined) return before;
  if (known.size >= KNOWN_MAX) known.clear();
  const tokens = textTokens(text);
  known.set(text, tokens);
  return tokens;
}

/** Digits from 1 to 256, so that no two pieces share a number, whatever zeros they begin with. @param {Buffer} piece */
function numberOf(piece) {
  return piece.reduce((number, byte) => number * 257 + byte + 1, 0);
}

/** The words again; what the template added is left out. @param {readonly number[]} tokens */
export function textOfTokens(tokens) {
  return Buffer.concat(tokens.map((token) => bytesOf(token - FIRST_OF_WORDS))).toString('utf8');
}

/** @param {number} number */
function bytesOf(number) {
  const bytes = [];
  for (let rest = number; rest > 0; rest = Math.floor(rest / 257)) bytes.unshift((rest % 257) - 1);
  return Buffer.from(bytes);
}

/**
 * All that the model reads before its own first word; tools stand before the messages, where templates put them.
 * @param {readonly ChatMessage[]} messages
 * @param {unknown} tools  of the request
 * @param {Family} family
 * @returns {Prompt}
 */
export function promptOf(messages, tools, family) {
  /** @type {number[]} */ const tokens = [];
  /** @type {ImageSpan[]} */ const images = [];
  if (Array.isArray(tools)) tokens.push(SPECIAL.begin, ...textTokens(JSON.stringify(tools)), SPECIAL.end);
  for (const message of messages) {
    tokens.push(SPECIAL.begin, ...knownTokens(`${message.role}\n`));
    for (const part of partsOf(message)) {
      if (part['type'] !== 'image_url') {
        for (const token of knownTokens(String(part['text']))) tokens.push(token);
        continue;
      }
      const image = imageOf(urlOf(part), family);
      tokens.push(SPECIAL.imageBegin);
      images.push({ ...image, from: tokens.length });
      for (let i = 0; i < image.length; i++) tokens.push(SPECIAL.image);
      tokens.push(SPECIAL.imageEnd);
    }
    tokens.push(SPECIAL.end, ...knownTokens('\n'));
  }
  tokens.push(SPECIAL.begin, ...knownTokens('assistant\n'));
  return { tokens, images };
}

/** @param {string} url @param {Family} family @returns {{ length: number, hash: string }} */
function imageOf(url, family) {
  const size = inspectBase64(url.slice(url.indexOf(',') + 1));
  // What can't be read is refused elsewhere, or named by its address, where nobody looks at it.
  return { hash: hash('sha256', url), length: imageTokens(family, typeof size === 'string' ? UNSEEN : size) };
}

/**
 * JSON as UTF-8 bytes, written into one buffer that is reused for the next text. What is hashed and stored
 * needs no string: if an observation were assembled from strings, it would take many times its length in
 * memory, and several times as long (docs/explanation/performance.md). One text at a time: `begin`, then its
 * parts, then `written`.
 */
import { assert } from './assert.js';

/** A larger buffer is not kept. */
const BUFFER_BYTES_MAX = 1_048_576;

let bytes = new Uint8Array(65_536);
let end = 0;

/** Clears the buffer. */
export function begin(): void {
  if (bytes.length > BUFFER_BYTES_MAX) bytes = new Uint8Array(65_536);
  end = 0;
}

/** The written bytes; the next text overwrites them. */
export function written(): Uint8Array {
  return bytes.subarray(0, end);
}

function reserve(additional: number): void {
  if (end + additional <= bytes.length) return;
  const larger = new Uint8Array(Math.max(end + additional, bytes.length * 2));
  larger.set(bytes.subarray(0, end));
  bytes = larger;
}

const [QUOTE, BACKSLASH, MINUS, ZERO] = [34, 92, 45, 48];

/** A text as it is. Asserts that it is well-formed. */
export function writeText(text: string): void {
  const { length } = text;
  reserve(length);
  const out = bytes;
  let to = end;
  for (let i = 0; i < length; i++) {
    const unit = text.charCodeAt(i);
    if (unit > 126) return writeWide(text);
    out[to++] = unit;
  }
  end = to;
}

/** A text as a JSON string. Asserts that it is well-formed. */
export function writeString(text: string): void {
  const { length } = text;
  reserve(length + 2);
  const out = bytes;
  let to = end;
  out[to++] = QUOTE;
  for (let i = 0; i < length; i++) {
    const unit = text.charCodeAt(i);
    // Only printable ASCII without escapes, as in most texts.
    if (unit < 32 || unit > 126 || unit === QUOTE || unit === BACKSLASH) return writeText(escaped(text));
    out[to++] = unit;
  }
  out[to++] = QUOTE;
  end = to;
}

function escaped(text: string): string {
  // JSON.stringify would hide a lone surrogate by escaping it.
  assert(text.isWellFormed(), 'the text has a lone surrogate');
  return JSON.stringify(text);
}

function writeWide(text: string): void {
  assert(text.isWellFormed(), 'the text has a lone surrogate');
  reserve(text.length * 3);
  for (let i = 0; i < text.length; i++) {
    const point = text.codePointAt(i) ?? 0;
    if (point > 0xffff) i++;
    writePoint(point);
  }
}

function writePoint(point: number): void {
  if (point < 0x80) bytes[end++] = point;
  else if (point < 0x800) bytes[end++] = 0xc0 | (point >> 6);
  else if (point < 0x10000) bytes[end++] = 0xe0 | (point >> 12);
  else bytes[end++] = 0xf0 | (point >> 18);
  if (point >= 0x10000) bytes[end++] = 0x80 | ((point >> 12) & 63);
  if (point >= 0x800) bytes[end++] = 0x80 | ((point >> 6) & 63);
  if (point >= 0x80) bytes[end++] = 0x80 | (point & 63);
}

/** One ASCII character, by its code. */
export function writeByte(code: number): void {
  reserve(1);
  bytes[end++] = code;
}

/** Below this number of bytes, a loop is faster than calling a copy function. */
const SHORT_BYTES = 64;

/** Bytes that were serialised earlier. */
export function writeBytes(text: Uint8Array): void {
  const { length } = text;
  reserve(length);
  const [out, to] = [bytes, end];
  end += length;
  if (length > SHORT_BYTES) return out.set(text, to);
  for (let i = 0; i < length; i++) out[to + i] = text[i] ?? 0;
}

/** A safe integer in decimal. */
export function writeInteger(value: number): void {
  if (value < -9999 || value > 9999) return writeText(String(value));
  reserve(5);
  if (value < 0) bytes[end++] = MINUS;
  let rest = Math.abs(value);
  let power = rest < 10 ? 1 : rest < 100 ? 10 : rest < 1000 ? 100 : 1000;
  for (; power >= 1; power /= 10) {
    const digit = Math.floor(rest / power);
    bytes[end++] = ZERO + digit;
    rest -= digit * power;
  }
}

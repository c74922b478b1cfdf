/**
 * Floors: the least that a stage could cost, done right after the step on the same data, so that a ratio stays true on a slower or
 * busier machine. They are the stage written bare, with what Node has built in and nothing of ours. Each takes what the stage had in hand, and gives the
 * work that is timed. Stages without one (parsing, the rules, the loop itself) count as if they could cost nothing.
 */
import { hash } from 'node:crypto';
import { deflateRawSync, deflateSync, inflateSync } from 'node:zlib';
import { canonicalJson } from '../src/base/canonical.js';
import type { Frame } from '../src/render/frame.js';
import type { Stage } from './stage-clock.js';

/** What each floor does. */
export const FLOORS: Partial<Record<Stage, string>> = {
  observe: 'JSON.parse of what is seen',
  prompt: 'lines joined, UTF-8',
  draw: 'copy, SHA-256',
  encode: 'zlib level 2',
  hash: 'JSON.stringify, SHA-256 of the state',
  log: 'JSON.stringify, SHA-256, deflate of what is seen; INSERTs, COMMIT',
};

type Prepared = () => unknown;

/** The records of an observation, made by V8's own parser. */
export function bareObservation(observation: unknown): Prepared {
  const text = canonicalJson(observation);
  return () => JSON.parse(text);
}

/** A turn's text, of its lines. */
export function bareText(text: string): Prepared {
  const lines = text.split('\n');
  return () => Buffer.from(lines.join('\n'));
}

/** As many bytes as a frame has. */
export function barePixels({ indices }: Frame): Prepared {
  return () => hash('sha256', indices.slice(), 'hex');
}

/** The finished rows of a picture. */
export function barePng(png: Uint8Array): Prepared {
  const rows = inflateSync(imageData(png));
  return () => deflateSync(rows, { level: 2, memLevel: 8 });
}

export function bareHash(state: unknown): Prepared {
  const plain: unknown = JSON.parse(canonicalJson(state));
  return () => hash('sha256', JSON.stringify(plain), 'hex');
}

/** What has to be stored of an observation. */
export function bareContent(observation: unknown): Prepared {
  const plain: unknown = JSON.parse(canonicalJson(observation));
  return () => {
    const bytes = Buffer.from(JSON.stringify(plain));
    return [hash('sha256', bytes, 'hex'), deflateRawSync(bytes, { level: 1 })];
  };
}

/** The content of a PNG's one IDAT chunk. */
function imageData(png: Uint8Array): Uint8Array {
  const file = Buffer.from(png.buffer, png.byteOffset, png.byteLength);
  const at = file.indexOf('IDAT');
  return file.subarray(at + 4, at + 4 + file.readUInt32BE(at - 4));
}

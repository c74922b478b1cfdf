/**
 * Fingerprints that identify duplicate rows, and a set of them: 128 bits each in an open-addressing hash
 * table, so that a million samples take at most 32 MB. Two samples are duplicates if their messages, pictures
 * and answers are equal, whatever their player and result. Two moments (an agent's view at one step) are
 * duplicates if picture, scene and names are equal, and two picture rows if their pictures are.
 */
import { createHash } from 'node:crypto';
import type { Hash } from 'node:crypto';
import { sha256 } from '../base/canonical.js';
import type { ExportSample } from './sample.js';

const WORDS = 4;
const FIRST_SLOTS = 1024;

/** A set to which fingerprints are only added. */
export class Fingerprints {
  #slots = FIRST_SLOTS;
  #table = new Uint32Array(FIRST_SLOTS * WORDS);
  #size = 0;

  /** Adds a fingerprint; true if it was not in the set. */
  add(fingerprint: Fingerprint): boolean {
    const at = this.#indexOf(fingerprint);
    if (this.#isTaken(at)) return false;
    this.#table.set(fingerprint, at);
    this.#size += 1;
    if (this.#size * 2 > this.#slots) this.#grow();
    return true;
  }

  has(fingerprint: Fingerprint): boolean {
    return this.#isTaken(this.#indexOf(fingerprint));
  }

  /** The index of these words, or where they would be inserted. */
  #indexOf(fingerprint: Uint32Array): number {
    for (let slot = (fingerprint[0] ?? 0) % this.#slots; ; slot = (slot + 1) % this.#slots) {
      const at = slot * WORDS;
      if (!this.#isTaken(at) || fingerprint.every((word, i) => this.#table[at + i] === word)) return at;
    }
  }

  #isTaken(at: number): boolean {
    for (let i = 0; i < WORDS; i++) if (this.#table[at + i] !== 0) return true;
    return false;
  }

  #grow(): void {
    const old = this.#table;
    this.#slots *= 2;
    this.#table = new Uint32Array(this.#slots * WORDS);
    for (let at = 0; at < old.length; at += WORDS) {
      const fingerprint = old.subarray(at, at + WORDS);
      if (fingerprint.some((word) => word !== 0)) this.#table.set(fingerprint, this.#indexOf(fingerprint));
    }
  }
}

/** 128 bits as four words. */
export type Fingerprint = Uint32Array;

/** The fingerprint of a reply and its request; `other` is the worse answer of a preference pair, if any. */
export function sampleFingerprint(sample: ExportSample, other: ExportSample | null = null): Fingerprint {
  const messages = sample
    .prompt()
    .messages.map(({ role, text, pictures }) => [role, textHash(text), ...pictures.map(({ hash }) => hash)]);
  const answers = (other === null ? [sample] : [sample, other]).map(({ target, answer }) => [
    target.text,
    target.toolCalls,
    answer.reasoning,
  ]);
  return fingerprintFrom(createHash('sha256').update(JSON.stringify([messages, answers])));
}

/** Every row repeats the history, so most texts were hashed recently. */
const CACHED_HASHES_MAX = 1024;
const hashOfText = new Map<string, string>();

function textHash(text: string): string {
  const known = hashOfText.get(text);
  if (known !== undefined) return known;
  if (hashOfText.size >= CACHED_HASHES_MAX) hashOfText.clear();
  const hash = sha256(text);
  hashOfText.set(text, hash);
  return hash;
}

/** For a row that is only a picture. */
export function pictureFingerprint({ pictures }: ExportSample): Fingerprint {
  return fingerprintFrom(createHash('sha256').update(pictures().at(-1)?.hash ?? ''));
}

/** One fingerprint for each picture of a row, this turn's last; without pictures, one for the observation. */
export function shownFingerprints({ pictures, observation }: ExportSample): readonly Fingerprint[] {
  const hashes = pictures().map(({ hash }) => hash);
  const contents = hashes.length > 0 ? hashes : [JSON.stringify(observation().sections)];
  return contents.map((one) => fingerprintFrom(createHash('sha256').update(one)));
}

/** The fingerprint of an agent's view: its pictures, and everything that the labels of them depend on. */
export function momentFingerprint({ pictures, observation }: ExportSample): Fingerprint {
  const { scene, facts, nouns, agent } = observation();
  const hash = createHash('sha256');
  for (const picture of pictures()) hash.update(picture.hash);
  const doors = [facts['doors'] ?? null, facts['remembered'] ?? null];
  hash.update(JSON.stringify([agent, scene, doors, nouns.map(({ id }) => id)]));
  return fingerprintFrom(hash);
}

function fingerprintFrom(hash: Hash): Fingerprint {
  const digest = hash.digest();
  return Uint32Array.from({ length: WORDS }, (_, i) => digest.readUInt32LE(4 * i));
}

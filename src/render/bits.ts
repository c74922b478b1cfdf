/**
 * Bits as deflate wants them: the first bit is the lowest of the first byte. A `BitString` is a finished piece, made once and appended often;
 * a `BitWriter` joins pieces at any bit by shifting whole 32-bit words, which is why a frame of pre-made pieces is
 * written in microseconds. Words are in the machine's byte order, so the bytes are right on little-endian machines alone: `png.ts` asks.
 */
export interface BitString {
  /** Bits above `bits` are zero. */
  readonly words: Uint32Array;
  readonly bits: number;
}

export class BitWriter {
  #words: Uint32Array;
  /** Whole words written. */
  #at = 0;
  /** The bits after them, fewer than 32. */
  #rest = 0;
  #restBits = 0;

  constructor(capacityWords = 4096) {
    this.#words = new Uint32Array(capacityWords);
  }

  clear(): void {
    this.#at = 0;
    this.#rest = 0;
    this.#restBits = 0;
  }

  get bits(): number {
    return this.#at * 32 + this.#restBits;
  }

  /** `count` is 0 … 32; the value has no other bits. */
  append(value: number, count: number): void {
    this.#reserve(1);
    const used = this.#restBits;
    this.#rest |= value << used;
    if (used + count < 32) {
      this.#restBits = used + count;
      return;
    }
    this.#words[this.#at++] = this.#rest;
    this.#rest = used === 0 ? 0 : value >>> (32 - used);
    this.#restBits = used + count - 32;
  }

  appendString({ words, bits }: BitString): void {
    const whole = bits >>> 5;
    this.#reserve(whole + 1);
    const left = this.#restBits;
    const right = 32 - left;
    const out = this.#words;
    let at = this.#at;
    let rest = this.#rest;
    for (let i = 0; i < whole; i++) {
      const word = words[i] ?? 0;
      out[at++] = rest | (word << left);
      rest = left === 0 ? 0 : word >>> right;
    }
    this.#at = at;
    this.#rest = rest;
    if ((bits & 31) !== 0) this.append(words[whole] ?? 0, bits & 31);
  }

  /** A copy of all that was written since `clear`. */
  taken(): BitString {
    const words = new Uint32Array(this.#at + 1);
    words.set(this.#words.subarray(0, this.#at));
    words[this.#at] = this.#rest;
    return { words, bits: this.bits };
  }

  /** Fills the last byte up with zero bits. */
  endByte(): void {
    this.append(0, -this.bits & 7);
  }

  /** The bytes so far, the last one filled up with zero bits; to be used before anything else is written. */
  bytes(): Uint8Array {
    const { bits } = this;
    this.#reserve(1);
    this.#words[this.#at] = this.#rest;
    return new Uint8Array(this.#words.buffer, 0, Math.ceil(bits / 8));
  }

  #reserve(words: number): void {
    if (this.#at + words < this.#words.length) return;
    const larger = new Uint32Array(2 * (this.#at + words));
    larger.set(this.#words.subarray(0, this.#at));
    this.#words = larger;
  }
}

/** What `write` writes. */
export function bitString(write: (out: BitWriter) => void): BitString {
  const out = new BitWriter(16);
  write(out);
  return out.taken();
}

/**
 * The bytes of protobuf messages, in one buffer that is reused for the next message. A part with a length
 * prefix is written after one free byte, and moved if its length needs more. In: numbers, texts and bytes;
 * out: a copy of what was written.
 */

/** A larger buffer is not kept. */
const KEPT_BYTES = 1_048_576;
/** From this length on, the engine's own function is faster than a loop. */
const LONG_TEXT = 24;

let sharedBuffer = Buffer.allocUnsafeSlow(65_536);

/** Only one message is written at a time. */
export class WireBytes {
  #bytes = sharedBuffer;
  #position: number;

  /** `lead`: the number of bytes at the beginning that the caller writes itself. */
  constructor(lead: number) {
    this.#position = lead;
  }

  copy(): Buffer {
    if (this.#bytes.length <= KEPT_BYTES) sharedBuffer = this.#bytes;
    return Buffer.from(this.#bytes.subarray(0, this.#position));
  }

  /** For a whole number from 0 to 2^53. */
  varint(value: number): void {
    this.#reserve(10);
    let rest = value;
    for (; rest > 0x7f_ff_ff_ff; rest = Math.floor(rest / 128))
      this.#bytes[this.#position++] = (rest % 128) | 128;
    for (; rest > 127; rest >>>= 7) this.#bytes[this.#position++] = (rest & 127) | 128;
    this.#bytes[this.#position++] = rest;
  }

  /** A negative number takes ten bytes, in two's complement of 64 bits. */
  integer(value: number | bigint): void {
    const number = Number(value);
    if (number >= 0 && number <= Number.MAX_SAFE_INTEGER) return this.varint(number);
    this.#reserve(10);
    let rest = BigInt.asUintN(64, BigInt(value));
    for (; rest > 127n; rest >>= 7n) this.#bytes[this.#position++] = Number(rest & 127n) | 128;
    this.#bytes[this.#position++] = Number(rest);
  }

  double(value: number): void {
    this.#reserve(8);
    this.#position = this.#bytes.writeDoubleLE(value, this.#position);
  }

  bytes(value: Uint8Array): void {
    this.varint(value.length);
    this.#reserve(value.length);
    this.#bytes.set(value, this.#position);
    this.#position += value.length;
  }

  string(text: string): void {
    const start = this.begin();
    this.#reserve(3 * text.length);
    if (text.length < LONG_TEXT && this.#ascii(text)) return this.end(start);
    this.#position = start + this.#bytes.write(text, start, 'utf8');
    this.end(start);
  }

  /** Whether the text was written: this writes only ASCII. */
  #ascii(text: string): boolean {
    const bytes = this.#bytes;
    let to = this.#position;
    for (let i = 0; i < text.length; i++) {
      const unit = text.charCodeAt(i);
      if (unit > 127) return false;
      bytes[to++] = unit;
    }
    this.#position = to;
    return true;
  }

  /** The start of a part whose length is not known yet. */
  begin(): number {
    this.#reserve(1);
    return ++this.#position;
  }

  /** Ends a part, and writes its length before it. */
  end(start: number): void {
    const length = this.#position - start;
    const extraBytes = length < 128 ? 0 : length < 16_384 ? 1 : length < 2_097_152 ? 2 : 3;
    this.#reserve(extraBytes);
    if (extraBytes > 0) this.#bytes.copyWithin(start + extraBytes, start, this.#position);
    this.#position = start - 1;
    this.varint(length);
    this.#position += length;
  }

  #reserve(needed: number): void {
    if (this.#position + needed <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(this.#position + needed, 2 * this.#bytes.length));
    larger.set(this.#bytes.subarray(0, this.#position));
    this.#bytes = larger;
  }
}

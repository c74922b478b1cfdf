/**
 * A message as protobuf bytes, from plain data, in one buffer that is reused. The generated writers
 * (`gen/…/world_encode.js`) make the same bytes as the library's encoder in a small part of its time
 * (docs/explanation/performance.md); the messages of every tick use them. In: a writer and the message's
 * data; out: its bytes.
 */
import { WireBytes } from './wire-bytes.js';

/** Writes the fields of a message. */
export type MessageWriter<M> = (out: WireBytes, message: M) => void;

/** `lead`: the number of bytes that are left free before the message. */
export function encode<M>(write: MessageWriter<M>, message: M, lead = 0): Buffer {
  const out = new WireBytes(lead);
  write(out, message);
  return out.copy();
}

/** Times as messages of the wire: the protocol has whole nanoseconds, and nobody needs less than a millisecond. */
import { durationFromMs, timestampFromMs } from '@bufbuild/protobuf/wkt';
import type { Duration, Timestamp } from '@bufbuild/protobuf/wkt';

export function wireDuration(ms: number): Duration {
  return durationFromMs(Math.round(ms));
}

/** `ms` since 1970. */
export function wireTimestamp(ms: number): Timestamp {
  return timestampFromMs(Math.round(ms));
}

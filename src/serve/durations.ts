/** Durations as protobuf messages: the protocol has whole nanoseconds, but milliseconds are enough here. */
import { durationFromMs, timestampFromMs } from '@bufbuild/protobuf/wkt';
import type { Duration, Timestamp } from '@bufbuild/protobuf/wkt';

export function wireDuration(ms: number): Duration {
  return durationFromMs(Math.round(ms));
}

/** `ms` since 1970. */
export function wireTimestamp(ms: number): Timestamp {
  return timestampFromMs(Math.round(ms));
}

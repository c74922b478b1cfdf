/**
 * The parts of an examination of a model server: a picture with known content, and findings, each a line for
 * a person.
 */
import type { FrameSize } from './frame-words.js';

export interface ServerFinding {
  readonly about:
    | 'address'
    | 'server'
    | 'models'
    | 'model'
    | 'context'
    | 'sight'
    | 'pictures'
    | 'usage'
    | 'frame'
    | 'latency'
    | 'guided'
    | 'tools';
  /** `warn`: playing is possible; `fail`: it is not. */
  readonly status: 'ok' | 'warn' | 'fail';
  readonly text: string;
  /** What to try; empty if nothing has to be done. */
  readonly hints: readonly string[];
}

/** A picture with known content, and a question about it that can't be answered without seeing it. */
export interface KnownPicture {
  readonly png: Uint8Array;
  readonly frameHash: string;
  readonly question: string;
  /** Any of these, as whole words and ignoring case, shows that the picture was seen. */
  readonly accepted: readonly string[];
  /**
   * The frame whose size it has, so that its tokens are those of a frame; absent if it has no frame's size.
   */
  readonly frame?: FrameSize;
  /** The maximum number of pictures in a request of the scenario; one by default. */
  readonly atOnce?: number;
}

/**
 * The parts of an examination of a model server: a picture with known content, and findings, each a line for
 * a person.
 */
import type { FrameSize } from './frame-words.js';

export interface ServerFinding {
  about:
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
  status: 'ok' | 'warn' | 'fail';
  text: string;
  /** What to try; empty if nothing has to be done. */
  hints: readonly string[];
}

/** A picture with known content, and a question about it that can't be answered without seeing it. */
export interface KnownPicture {
  png: Uint8Array;
  frameHash: string;
  question: string;
  /** Any of these, as whole words and ignoring case, shows that the picture was seen. */
  accepted: readonly string[];
  /**
   * The frame whose size it has, so that its tokens are those of a frame; absent if it has no frame's size.
   */
  frame?: FrameSize;
  /** The maximum number of pictures in a request of the scenario; one by default. */
  atOnce?: number;
}

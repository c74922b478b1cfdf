/** What an examination of a model server needs and gives: a picture that is known, and findings, each a line for a person. */
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
  /** `warn`: it can be played with; `fail`: it can't. */
  readonly status: 'ok' | 'warn' | 'fail';
  readonly text: string;
  /** What to try; empty if nothing need be done. */
  readonly hints: readonly string[];
}

/** A picture whose content is known, with a question about it that can't be answered without seeing it. */
export interface KnownPicture {
  readonly png: Uint8Array;
  readonly frameHash: string;
  readonly question: string;
  /** Any of these, as whole words without regard to case, shows that the picture was seen. */
  readonly accepted: readonly string[];
  /** The frame that it is as large as, so that its tokens are a frame's; absent if it is as large as none. */
  readonly frame?: FrameSize;
  /** The most pictures that a request of the scenario has; one by default. */
  readonly atOnce?: number;
}

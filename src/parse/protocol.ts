/**
 * A protocol is a reply format. Its writing half (`forms/reply-form.ts`) explains the format in the prompt;
 * the half here parses replies, which are first preprocessed into a page (`page.ts`). Both follow from the
 * actions' grammars. Parsing is total and linear: any text gives a reading, in time proportional to its
 * length.
 */
import type { ReplyForm } from '../forms/reply-form.js';
import type { Vocabulary } from '../forms/vocabulary.js';
import type { ReplyText } from './page.js';
import type { ReplyReading } from './reading.js';

/**
 * The instructions for answering, and the parser of answers. All functions are pure. Parsing never fails: any
 * text gives a reading, in time proportional to its length.
 */
export interface Protocol extends ReplyForm {
  /** How a parsed reply appears in the history: only the answer, without the reasoning around it. */
  replyText(reading: Extract<ReplyReading, { ok: true }>): string;
  /** The meaning of the reply; never throws. `ReplyText` is a part of `Reply`. */
  read(reply: ReplyText, vocabulary: Vocabulary, origin?: ReplyOrigin): ReplyReading;
}

/** Whose reply it is, and what that agent was shown. */
export interface ReplyOrigin {
  /** The agent's id: its own name may stand before its answer. */
  agent: string;
  /** The lines of its observation: a reply that continues with one after its answer imitates the program. */
  shownLines: ReadonlySet<string>;
}

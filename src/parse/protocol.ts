/**
 * A protocol: a reply format. Its form (`forms/reply-form.ts`) writes the prompt; this is the part that
 * parses replies, each of which is first taken apart into a page (`page.ts`). Both come from the actions'
 * grammars. Parsing is total and linear: any text gives a reading, in time proportional to its length.
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
  /**
   * The meaning of the reply; never throws. `ReplyText` is a part of `Reply`. `told` contains lines of the
   * agent's observation: if a reply continues with one of them after its answer, it imitates the program.
   */
  read(reply: ReplyText, vocabulary: Vocabulary, observedLines?: ReadonlySet<string>): ReplyReading;
}

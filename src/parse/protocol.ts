/**
 * A protocol: a reply format. What it writes into the prompt is its form (`forms/reply-form.ts`); here is what it reads out of a reply.
 * Both come from the actions' grammars. Reading is total and linear: any text gives a reading, in time proportional to its length.
 */
import type { ReplyForm } from '../forms/reply-form.js';
import type { Vocabulary } from '../forms/vocabulary.js';
import type { ReplyText } from './page.js';
import type { ReplyReading } from './reading.js';

/**
 * How an agent is told to answer, and how its answers are parsed. All functions are pure; parsing is total:
 * any text gives a reading, in time proportional to its length.
 */
export interface Protocol extends ReplyForm {
  /** How a parsed reply appears in the history: the answer alone, without the reasoning around it. */
  replyText(reading: Extract<ReplyReading, { ok: true }>): string;
  /**
   * The meaning of the reply; never throws. `ReplyText` is a part of `Reply`. `told` contains lines of the
   * agent's observation: a reply that continues with one of them after its answer imitates the program.
   */
  read(reply: ReplyText, vocabulary: Vocabulary, told?: ReadonlySet<string>): ReplyReading;
}

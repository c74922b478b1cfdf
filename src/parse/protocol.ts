/**
 * A protocol: a reply format. What it writes into the prompt is its form (`forms/reply-form.ts`); here is what it reads out of a reply.
 * Both come from the actions' grammars. Reading is total and linear: any text gives a reading, in time proportional to its length.
 */
import type { ReplyForm } from '../forms/reply-form.js';
import type { Vocabulary } from '../forms/vocabulary.js';
import type { ReplyText } from './page.js';
import type { ReplyReading } from './reading.js';

/**
 * How an agent is told to answer, and how its answers are read. All functions are pure; reading is total: any text gives a reading, in
 * time proportional to its length.
 */
export interface Protocol extends ReplyForm {
  /** How a reply that was understood stands in the past: the answer alone, without the reasoning around it. */
  replyText(reading: Extract<ReplyReading, { ok: true }>): string;
  /**
   * What the reply says; never throws. `ReplyText` is a part of `Reply`. `told` holds lines that the agent was told: a reply that goes on with
   * one of them after its answer plays the program's part.
   */
  read(reply: ReplyText, vocabulary: Vocabulary, told?: ReadonlySet<string>): ReplyReading;
}

/**
 * A protocol: a reply format. It writes its own instructions into the prompt and reads replies back, both from the
 * actions' grammars. Reading is total and linear: any text gives a reading, in time proportional to its length.
 */
import type { Problem } from '../base/problem.js';
import type { Action } from '../environment/action.js';
import type { OfferedAction } from '../environment/observation.js';
import type { RequestForm } from '../model/chat.js';
import type { ReplyText } from './page.js';
import type { Reading } from './reading.js';

/** Every action that the environment registers, so that "illegal" is never mistaken for "unreadable". */
export type Vocabulary = readonly Pick<
  Action<never>,
  'name' | 'aliases' | 'description' | 'grammar' | 'cost' | 'examples' | 'terminal'
>[];

/**
 * How an agent is told to answer, and how its answers are read. All functions are pure; reading is total: any text gives a reading, in
 * time proportional to its length.
 */
export interface Protocol {
  readonly name: string;
  /** How to answer: part of the shared rules, the same for every turn. */
  instructions(vocabulary: Vocabulary): string;
  /** What may be done now, one line an action, with the names that fit: part of the turn's text. */
  actionLines(vocabulary: Vocabulary, offered: readonly OfferedAction[]): readonly string[];
  /** What a request asks of the server: native tools, and the guided form of what is offered now. */
  form(vocabulary: Vocabulary, offered: readonly OfferedAction[]): RequestForm;
  /** How a reply that was understood stands in the past: the answer alone, without the reasoning around it. */
  replyText(reading: Extract<Reading, { ok: true }>): string;
  /** Said after an unreadable reply that stands right above: what was wrong, and to write only the answer, in its form. */
  repair(problem: Problem): string;
  /**
   * What the reply says; never throws. `ReplyText` is a part of `Reply`. `told` holds lines that the agent was told: a reply that goes on with
   * one of them after its answer plays the program's part.
   */
  read(reply: ReplyText, vocabulary: Vocabulary, told?: ReadonlySet<string>): Reading;
}

/**
 * The writing half of a protocol: the instructions on how to answer, and how answers appear in the history.
 * Parsing replies is the other half (`parse/protocol.ts`); both come from the actions' grammars, so every
 * explained form can be parsed.
 */
import type { Problem } from '../base/problem.js';
import type { Args } from '../environment/action.js';
import type { OfferedAction } from '../environment/observation.js';
import type { RequestForm } from '../model/chat.js';
import type { Vocabulary } from './vocabulary.js';

/** An answer as understood. */
export interface StatedAction {
  action: string;
  args: Args;
}

/** How an answer may be given. */
export interface AnswerStyle {
  /** Whether words may stand before the answer. `react` always has its thought, and `tools` its free text. */
  reasoning: boolean;
  /**
   * Whether the turns' texts list the legal actions; if not, the instructions of `command` list the
   * directions that an action takes.
   */
  offers?: boolean;
}

/** The instructions for answering, and the form of answers in the history. All functions are pure. */
export interface ReplyForm {
  name: string;
  /** The instructions for answering: part of the shared rules, and the same for every turn. */
  instructions(vocabulary: Vocabulary, style: AnswerStyle): string;
  /** The available actions, one per line, with the names that fit: part of the turn's text. */
  actionLines(vocabulary: Vocabulary, offered: readonly OfferedAction[]): readonly string[];
  /** What a request asks of the server: native tools, and the guided form of the current offers. */
  form(vocabulary: Vocabulary, offered: readonly OfferedAction[], style: AnswerStyle): RequestForm;
  /**
   * How a parsed reply appears in the history: only the answer, without the reasoning around it. `words` are
   * the accepted ones.
   */
  replyText(reading: { command: StatedAction; words: string }): string;
  /** The text after an unreadable reply: the error, and the request to write only the answer, in its form. */
  repair(problem: Problem): string;
}

/**
 * The written half of a protocol: all that an agent is told of how to answer, and how its answers stand in its past. What is read of a reply
 * is the other half (`parse/protocol.ts`); both come from the actions' grammars, so a form that is told is a form that is read.
 */
import type { Problem } from '../base/problem.js';
import type { Args } from '../environment/action.js';
import type { OfferedAction } from '../environment/observation.js';
import type { RequestForm } from '../model/chat.js';
import type { Vocabulary } from './vocabulary.js';

/** An answer as it was understood. */
export interface StatedAction {
  readonly action: string;
  readonly args: Args;
}

/** How an agent is told to answer, and how its answers stand in its past. All functions are pure. */
export interface ReplyForm {
  readonly name: string;
  /** How to answer: part of the shared rules, the same for every turn. */
  instructions(vocabulary: Vocabulary): string;
  /** What may be done now, one line an action, with the names that fit: part of the turn's text. */
  actionLines(vocabulary: Vocabulary, offered: readonly OfferedAction[]): readonly string[];
  /** What a request asks of the server: native tools, and the guided form of what is offered now. */
  form(vocabulary: Vocabulary, offered: readonly OfferedAction[]): RequestForm;
  /** How a reply that was understood stands in the past: the answer alone, without the reasoning around it. `words` are the accepted ones. */
  replyText(reading: { readonly command: StatedAction; readonly words: string }): string;
  /** Said after an unreadable reply that stands right above: what was wrong, and to write only the answer, in its form. */
  repair(problem: Problem): string;
}

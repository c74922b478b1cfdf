/**
 * The result of parsing a reply: a command with its unbound arguments and the accepted span, or a problem.
 * Binding the arguments to what the agent perceives comes afterwards (`bind.ts`).
 */
import type { Problem } from '../base/problem.js';
import type { Args } from '../environment/action.js';

/**
 * The rule that parsed a reply, which logs and reports call its `rung`. Logs from before version 2 contain
 * other names (`line`, `json`, `react`, `tool-call`).
 */
export type ParseTier = 'label' | 'tag' | 'whole line' | 'object' | 'block' | 'tool call';

/**
 * Characters of the reply's content, from `start` up to but not including `end`, in UTF-16 units of the raw
 * text.
 */
export interface TextSpan {
  readonly start: number;
  readonly end: number;
}

/** A verb with its arguments as written: names are still free text. */
export interface Command {
  readonly action: string;
  readonly args: Args;
  /**
   * Other ways to divide the same words among the slots, most likely first, if names may contain words of the
   * grammar.
   */
  readonly alternatives?: readonly Args[];
  /**
   * Set if a fixed word of the form is missing (`GO lantern` instead of `GO TO lantern`): the problem with it
   * unless the rest names something that the agent perceives.
   */
  readonly formProblem?: Problem;
  /** The same without the trailing comment, most likely first, if the unchanged words could be a name. */
  readonly uncommented?: readonly Args[];
}

/** A reply as it was understood, or the problem with it. */
export type ReplyReading =
  | {
      readonly ok: true;
      readonly command: Command;
      readonly rung: ParseTier;
      /** Null if the answer is a native tool call, which is separate from the content. */
      readonly span: TextSpan | null;
      /** The accepted words as written, on one line. */
      readonly words: string;
    }
  | {
      readonly ok: false;
      readonly problem: Problem;
      readonly rung: ParseTier | null;
      readonly span: TextSpan | null;
    };

export function refusedReading(
  problem: Problem,
  rung: ParseTier | null = null,
  span: TextSpan | null = null,
): ReplyReading {
  return { ok: false, problem, rung, span };
}

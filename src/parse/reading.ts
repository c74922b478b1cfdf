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
  start: number;
  end: number;
}

/** A verb with its arguments as written: names are still free text. */
export interface Command {
  action: string;
  args: Args;
  /**
   * Other ways to divide the same words among the slots, most likely first, if names may contain words of the
   * grammar.
   */
  alternatives?: readonly Args[];
  /**
   * Set if a fixed word of the form is missing (`GO lantern` instead of `GO TO lantern`): the problem with it
   * unless the rest names something that the agent perceives.
   */
  formProblem?: Problem;
  /** The same without the trailing comment, most likely first, if the unchanged words could be a name. */
  uncommented?: readonly Args[];
}

/** A reply as it was understood, or the problem with it. */
export type ReplyReading =
  | {
      ok: true;
      command: Command;
      rung: ParseTier;
      /** Null if the answer is a native tool call, which is separate from the content. */
      span: TextSpan | null;
      /** The accepted words as written, on one line. */
      words: string;
    }
  | {
      ok: false;
      problem: Problem;
      rung: ParseTier | null;
      span: TextSpan | null;
    };

export function refusedReading(
  problem: Problem,
  rung: ParseTier | null = null,
  span: TextSpan | null = null,
): ReplyReading {
  return { ok: false, problem, rung, span };
}

/**
 * A problem: the agent made a mistake and is told so. One of three kinds of failure that are never mixed: a
 * problem is a value (shown to the agent, logged, the loop continues), an error is thrown to the user
 * (`errors.ts`), an assertion is thrown for our own bugs (`assert.ts`).
 */
import type { JsonObject } from './json.js';

/** What kind of mistake it was; `illegal/…` is the world's, and an action of your own chooses the word behind it. */
export type ProblemCode =
  /** the reply ended in a way that may not act (cut off, filtered, aborted, empty) */
  | 'truncated'
  | 'empty'
  /** no explicit answer could be read, or several different ones without a label */
  | 'unparsable'
  | 'ambiguous'
  /** the verb is not known at all, or known but not offered to this agent now */
  | 'unknown-action'
  | 'not-offered'
  /** the argument names nothing the agent perceives, several such things, or has a wrong form */
  | 'bad-argument'
  /** understood, but the rules of the world refuse it; the code says why */
  | `illegal/${string}`
  /** a custom action threw an error; `details` has its message and trace */
  | 'action-failed'
  /** the same thing in the same situation, too often in a row */
  | 'repeating'
  /** no refusal: a free act was done that nothing in the world shows */
  | 'noted'
  /** the turn was settled before an answer came */
  | 'late'
  /** nobody decided for the agent */
  | 'uncontrolled'
  | 'over-budget'
  /** the controller itself failed (server, process), after its own retries */
  | 'controller-failed';

/** A mistake of an agent: a value, shown to the agent and logged; the run continues. */
export interface Problem {
  readonly code: ProblemCode;
  /** One to three sentences for the agent: what was understood, why not, what would be accepted. */
  readonly message: string;
  /** Machine-readable particulars for logs and reports; never shown to the agent. */
  readonly details?: JsonObject;
}

/** Makes a problem; `details` is left out where there are none. */
export function problem(code: ProblemCode, message: string, details?: JsonObject): Problem {
  return details === undefined ? { code, message } : { code, message, details };
}

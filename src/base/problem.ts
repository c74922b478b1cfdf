/**
 * A problem: the agent made a mistake and gets a message about it. It is one of three kinds of failure that
 * are never mixed: a problem is a value (shown to the agent, logged, the loop continues), an error is thrown
 * to the user (`errors.ts`), an assertion is thrown for our own bugs (`assert.ts`).
 */
import type { JsonObject } from './json.js';

/**
 * The kind of mistake; codes with `illegal/` belong to the world, and a custom action chooses the word after
 * it.
 */
export type ProblemCode =
  /** the reply ended in a way that prevents acting (cut off, filtered, aborted, empty) */
  | 'truncated'
  | 'empty'
  /** the model declined to answer */
  | 'refused-by-model'
  /** no answer of the model came: its server failed at this request, sent no choice, or filtered the answer */
  | ServerFault
  /** no explicit answer could be read, or several different ones without a label */
  | 'unparsable'
  | 'ambiguous'
  /** the verb is unknown, or known but not offered to this agent now */
  | 'unknown-action'
  | 'not-offered'
  /**
   * the argument names nothing that the agent perceives, names several such things, or has an invalid form
   */
  | 'bad-argument'
  /** understood, but refused by the rules of the world; the code says why */
  | `illegal/${string}`
  /** a custom action threw an error; `details` has its message and trace */
  | 'action-failed'
  /** the same action in the same situation too many times in a row */
  | 'repeating'
  /** not a refusal: a free action was carried out, but without a visible effect in the world */
  | 'noted'
  /** the turn was settled before an answer arrived */
  | 'late'
  /** no one decided for the agent */
  | 'uncontrolled'
  | 'over-budget'
  /** the controller itself failed (server, process), after its own retries */
  | 'controller-failed';

/** What a model's server did to a request, which says nothing about the model. */
export type ServerFault = (typeof SERVER_FAULTS)[number];

const SERVER_FAULTS = ['server-error', 'no-choice', 'filtered'] as const;

/** Whether the server, and not the agent, is the reason that there is no answer. */
export function isServerFault(code: string): code is ServerFault {
  return SERVER_FAULTS.some((fault) => fault === code);
}

/** Whether a reply had no answer to read: because of the server, or because the model declined. */
export function isUnanswered(code: string): boolean {
  return code === 'refused-by-model' || isServerFault(code);
}

/** A mistake by an agent: a value that is shown to the agent and logged; the run continues. */
export interface Problem {
  code: ProblemCode;
  /**
   * One to three sentences for the agent: what was understood, why it was refused, and what would be
   * accepted.
   */
  message: string;
  /** Machine-readable details for logs and reports; never shown to the agent. */
  details?: JsonObject;
}

/** Creates a problem; `details` is omitted if there are none. */
export function problem(code: ProblemCode, message: string, details?: JsonObject): Problem {
  return details === undefined ? { code, message } : { code, message, details };
}

/**
 * A perception probe: a question about one moment with a known answer, because it is made from the
 * observation alone. A maker returns every question of its kind that the moment allows. It is pure, and asks
 * nothing that can't be answered from what was sent.
 */
import { breakControlTokens, oneLine } from '../../base/text.js';
import type { Observation } from '../../environment/observation.js';
import type { ProbeKind } from '../../scenario/scenario.js';

export interface KnowledgeProbe {
  kind: ProbeKind;
  question: string;
  /** The possible answers, including `expected`; null if the answer is a whole number. */
  options: readonly string[] | null;
  expected: string;
}

export interface ProbeContext {
  observation: Observation;
  /** Whether the picture is sent: a question about positions needs it, because sentences round directions. */
  hasPicture: boolean;
  /**
   * Further text for the agent besides its observation, such as its notes; names in this text count as
   * mentioned.
   */
  extraText?: string;
}

export type ProbeMaker = (moment: ProbeContext) => readonly KnowledgeProbe[];

/** The answer if the agent could not know. */
export const UNKNOWN_WORD = 'unknown';
/** The maximum number of options, so that a question stays short. */
export const OPTIONS_MAX = 12;

/** A name as it appears in a question: one line, without control tokens. */
export function plainName(name: string): string {
  return breakControlTokens(oneLine(name));
}

export function yesOrNo(kind: ProbeKind, question: string, isYes: boolean): KnowledgeProbe {
  return { kind, question, options: ['yes', 'no'], expected: isYes ? 'yes' : 'no' };
}

/** Names that identify exactly one thing; each name occurs once. */
export function uniqueNames(names: readonly string[]): readonly string[] {
  return [...new Set(names)].filter((name) => names.indexOf(name) === names.lastIndexOf(name));
}

/**
 * A perception probe: a question about one moment whose answer is known, because it is made from the observation alone. A maker gives
 * every question of its kind that the moment allows; it is pure, and asks nothing that what was sent can't answer.
 */
import { breakControlTokens, oneLine } from '../../base/text.js';
import type { Observation } from '../../environment/observation.js';
import type { ProbeKind } from '../../scenario/scenario.js';

export interface KnowledgeProbe {
  readonly kind: ProbeKind;
  readonly question: string;
  /** What may be answered, `expected` among them; null: a whole number. */
  readonly options: readonly string[] | null;
  readonly expected: string;
}

export interface ProbeContext {
  readonly observation: Observation;
  /** Whether the picture is sent: a question about places needs it, since sentences round directions. */
  readonly hasPicture: boolean;
  /** Further text for the agent besides its observation, such as its notes: names in it do occur. */
  readonly beside?: string;
}

export type ProbeMaker = (moment: ProbeContext) => readonly KnowledgeProbe[];

/** The answer if the agent could not know. */
export const UNKNOWN_WORD = 'unknown';
/** Options at the most, so that a question stays short. */
export const OPTIONS_MAX = 12;

/** A name as a question holds it: one line, no control token. */
export function plain(name: string): string {
  return breakControlTokens(oneLine(name));
}

export function yesOrNo(kind: ProbeKind, question: string, isSo: boolean): KnowledgeProbe {
  return { kind, question, options: ['yes', 'no'], expected: isSo ? 'yes' : 'no' };
}

/** Names that identify exactly one thing, each once. */
export function uniqueNames(names: readonly string[]): readonly string[] {
  return [...new Set(names)].filter((name) => names.indexOf(name) === names.lastIndexOf(name));
}

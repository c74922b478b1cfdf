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
  /** What the agent is told besides what it observes, such as its notes: what is named there is not nowhere. */
  readonly beside?: string;
}

export type ProbeMaker = (moment: ProbeContext) => readonly KnowledgeProbe[];

/** The answer where nobody who was shown this could tell. */
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

/** Names that stand for one thing only, each once. */
export function uniqueNames(names: readonly string[]): readonly string[] {
  return [...new Set(names)].filter((name) => names.indexOf(name) === names.lastIndexOf(name));
}

/**
 * The situation in which the scripted controller decides: the facts and offers of its observation, its
 * notebook, and queries on them. Nothing else is known of the world.
 */
import { quotations } from '../../../base/text.js';
import type { Observation } from '../../../environment/observation.js';
import type { BodyFact, SpatialFacts } from '../../../environment/spatial-facts.js';
import type { Notebook } from './notebook.js';

export interface ScriptedSituation {
  facts: SpatialFacts;
  offered: ReadonlySet<string>;
  /** Actions that it may have now or at another moment. */
  scope: ReadonlySet<string>;
  /** Directions that GO would accept now. */
  legalDirections: readonly string[];
  /** Whether GO takes a target. */
  goesTo: boolean;
  notebook: Notebook;
  /** Quoted texts that it has read or heard, newest last. */
  sentences: readonly string[];
}

/** Null if the observation has no spatial facts, which this controller needs. */
export function situationOf(observation: Observation, notebook: Notebook): ScriptedSituation | null {
  if (!('self' in observation.facts) || !('window' in observation.facts)) return null;
  const facts = observation.facts as unknown as SpatialFacts;
  const heard = facts.heard.map((one) => one.text);
  const go = observation.offered.find((offer) => offer.action === 'GO');
  return {
    facts,
    offered: new Set(observation.offered.map((one) => one.action)),
    scope: new Set(observation.scope),
    legalDirections: go?.slots['direction'] ?? [],
    goesTo: go === undefined || 'target' in go.slots,
    notebook,
    sentences: [...facts.recalled.flatMap(quotations), ...heard],
  };
}

/** What a command's success depends on: while this stays the same, a command that failed would fail again. */
export function circumstancesOf({ facts }: ScriptedSituation): string {
  const holds = facts.self.holds.map((one) => one.id).sort();
  return [facts.self.x, facts.self.y, ...holds].join(' ');
}

export function people({ facts }: ScriptedSituation): readonly BodyFact[] {
  return facts.bodies.filter((body) => body.kind === 'person' && body.status === 'awake');
}

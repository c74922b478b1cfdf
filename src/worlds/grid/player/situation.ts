/**
 * The situation in which the scripted controller decides: the facts and offers of its observation, its
 * notebook, and queries on them. Nothing else is known of the world.
 */
import { quotations } from '../../../base/text.js';
import type { Observation } from '../../../environment/observation.js';
import type { Direction } from '../../../environment/space.js';
import type { BodyFact, ItemFact, PlaceFact, SpatialFacts } from '../../../environment/spatial-facts.js';
import type { Notebook } from './notebook.js';

export type SeenThingFact = ItemFact & PlaceFact;

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

/** Own tile or one of the eight around it: within reach of hands. */
export function isInReach(situation: ScriptedSituation, place: { x: number; y: number }): boolean {
  const { self } = situation.facts;
  return Math.max(Math.abs(self.x - place.x), Math.abs(self.y - place.y)) <= 1;
}

/** Things in sight that are within reach. */
export function reachable(situation: ScriptedSituation): readonly SeenThingFact[] {
  return situation.facts.things.filter((thing) => isInReach(situation, thing));
}

/** What a command's success depends on: while this stays the same, a command that failed would fail again. */
export function circumstancesOf({ facts }: ScriptedSituation): string {
  const holds = facts.self.holds.map((one) => one.id).sort();
  return [facts.self.x, facts.self.y, ...holds].join(' ');
}

export function people({ facts }: ScriptedSituation): readonly BodyFact[] {
  return facts.bodies.filter((body) => body.kind === 'person' && body.status === 'awake');
}

export function holdsAny({ facts }: ScriptedSituation): boolean {
  return facts.self.holds.length > 0;
}

/** What a candidate's command calls a thing: its id, which stays the same while its distinct name may not. */
export function nameOf(thing: { id: string }): string {
  return thing.id;
}

const STEPS: readonly (readonly [Direction, number, number])[] = [
  ['north', 0, -1],
  ['east', 1, 0],
  ['south', 0, 1],
  ['west', -1, 0],
];

interface Tile {
  x: number;
  y: number;
}

/** The first step of a shortest known path to a tile in the window; null if none is known. */
export function stepTowards(situation: ScriptedSituation, target: Tile): Direction | null {
  return firstStep(situation, (tile) => tile.x === target.x && tile.y === target.y);
}

/** The same, up to a tile within reach of it. */
export function stepWithinReach(situation: ScriptedSituation, target: Tile): Direction | null {
  return firstStep(
    situation,
    (tile) => Math.max(Math.abs(tile.x - target.x), Math.abs(tile.y - target.y)) <= 1,
  );
}

function firstStep({ facts }: ScriptedSituation, isGoal: (tile: Tile) => boolean): Direction | null {
  const { window, self } = facts;
  const isOpen = (x: number, y: number): boolean => window.rows[y - window.y]?.[x - window.x] === '.';
  const key = (x: number, y: number): string => `${x},${y}`;
  const firstSteps = new Map<string, Direction | null>([[key(self.x, self.y), null]]);
  const queue: Tile[] = [self];
  for (const tile of queue) {
    if (isGoal(tile)) return firstSteps.get(key(tile.x, tile.y)) ?? null;
    for (const [direction, dx, dy] of STEPS) {
      const next = { x: tile.x + dx, y: tile.y + dy };
      if (firstSteps.has(key(next.x, next.y)) || !isOpen(next.x, next.y)) continue;
      firstSteps.set(key(next.x, next.y), firstSteps.get(key(tile.x, tile.y)) ?? direction);
      queue.push(next);
    }
  }
  return null;
}

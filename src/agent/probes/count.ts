/**
 * How many things of a name are in sight, excluding those that are only remembered. Stacks and things inside
 * others are left out, because they can't be counted by eye.
 */
import type { Json } from '../../base/json.js';
import { sharedTilesOf } from '../../environment/shared-tiles.js';
import type { KnowledgeProbe, ProbeMaker } from './probe.js';
import { plainName } from './probe.js';
import { positionOf, visibleThings } from './tiles.js';
import type { ProbePosition } from './tiles.js';

export const countProbes: ProbeMaker = (context) => {
  const position = positionOf(context);
  if (position === null) return [];
  const uncountable = uncountableNames(position, context.observation.facts);
  const visible = visibleThings(position);
  const visibleNames = visible.map(({ name }) => name);
  const names = new Set(
    position.scene.things
      .filter((thing) => thing !== position.self && position.nameableIds.has(thing.id))
      .map(({ name }) => name),
  );
  return [...names]
    .filter((name) => !uncountable.has(name))
    .map((name): KnowledgeProbe => {
      const count = visibleNames.filter((visibleName) => visibleName === name).length;
      return { kind: 'count', question: countQuestion(name), options: null, expected: String(count) };
    });
};

export function countQuestion(name: string): string {
  return `How many "${plainName(name)}" do you see now, on clear tiles and apart from yourself?`;
}

/** Names of what can't be counted by eye: stacks, things inside others or held, and what a crowded tile hides. */
export function uncountableNames(position: ProbePosition, facts: Json): ReadonlySet<string> {
  // Names of things on a crowded tile that are not drawn there.
  const placements = [...sharedTilesOf(position.scene).values()].flatMap(({ things }) => things);
  const names = new Set<string>(
    placements.filter(({ place }) => place === 'left-out').map(({ thing }) => thing.name),
  );
  addUncountable(facts, false, names);
  return names;
}

/**
 * From the facts of any world: things that have an amount, or are inside something or held. Adds to `found`.
 */
function addUncountable(facts: Json, isWithin: boolean, names: Set<string>): void {
  if (typeof facts !== 'object' || facts === null) return;
  if (Array.isArray(facts)) {
    for (const fact of facts as readonly Json[]) addUncountable(fact, isWithin, names);
    return;
  }
  const record = facts as Readonly<Record<string, Json>>;
  const { name, amount } = record;
  const isUncountable = isWithin || (typeof amount === 'number' && amount !== 1);
  if (isUncountable && typeof name === 'string') names.add(name);
  for (const [key, fact] of Object.entries(record))
    addUncountable(fact, isWithin || key === 'inside' || key === 'holds', names);
}

/**
 * How many things of a name are in sight, excluding those that are only remembered. Stacks and things inside
 * others are left out, because they can't be counted by eye.
 */
import type { Json } from '../../base/json.js';
import { standingsOf } from '../../environment/standing.js';
import type { KnowledgeProbe, ProbeMaker } from './probe.js';
import { plain } from './probe.js';
import { hereOf, visibleThings } from './tiles.js';
import type { ProbePosition } from './tiles.js';

export const countProbes: ProbeMaker = (moment) => {
  const here = hereOf(moment);
  if (here === null) return [];
  const uncountable = new Set<string>();
  addUncountable(moment.observation.facts, false, uncountable);
  const visible = visibleThings(here);
  for (const name of leftOut(here)) uncountable.add(name);
  const seen = visible.map(({ name }) => name);
  const names = new Set(
    here.scene.things
      .filter((thing) => thing !== here.self && here.named.has(thing.id))
      .map(({ name }) => name),
  );
  return [...names]
    .filter((name) => !uncountable.has(name))
    .map((name): KnowledgeProbe => {
      const count = seen.filter((one) => one === name).length;
      const question = `How many "${plain(name)}" do you see now, on clear tiles and apart from yourself?`;
      return { kind: 'count', question, options: null, expected: String(count) };
    });
};

/** Names of things on a crowded tile that are not drawn there. */
function leftOut({ scene }: ProbePosition): readonly string[] {
  const all = [...standingsOf(scene).values()].flatMap(({ things }) => things);
  return all.filter(({ place }) => place === 'left-out').map(({ thing }) => thing.name);
}

/**
 * From the facts of any world: things that have an amount, or are inside something or held. Adds to `found`.
 */
function addUncountable(facts: Json, isWithin: boolean, found: Set<string>): void {
  if (typeof facts !== 'object' || facts === null) return;
  if (Array.isArray(facts)) {
    for (const fact of facts as readonly Json[]) addUncountable(fact, isWithin, found);
    return;
  }
  const record = facts as Readonly<Record<string, Json>>;
  const { name, amount } = record;
  const isOdd = isWithin || (typeof amount === 'number' && amount !== 1);
  if (isOdd && typeof name === 'string') found.add(name);
  for (const [key, fact] of Object.entries(record))
    addUncountable(fact, isWithin || key === 'inside' || key === 'holds', found);
}

/** Locks: a reference player knows no more of them than which key it has tried in vain, and what a lock is called. */
import { act } from './acts.js';
import type { ScriptedSituation } from './situation.js';
import type { Planner } from './tasks.js';
import { planActs } from './tasks.js';

/** By lock, the things that did not open it. */
export type Trials = Readonly<Record<string, readonly string[]>>;

/** With what its last command tried on a lock in vain. */
export function triedAfter(tried: Trials, { facts, notebook: { last } }: ScriptedSituation): Trials {
  const [verb = '', thing = '', , on = thing] = last?.command.split(' ') ?? [];
  const isVain = last !== null && last.turn < facts.turn && !facts.lastOk;
  if (!isVain || (verb !== 'OPEN' && verb !== 'USE')) return tried;
  const held = verb === 'OPEN' ? facts.self.holds.map(({ id }) => id) : [thing];
  return { ...tried, [on]: [...new Set([...(tried[on] ?? []), ...held])] };
}

/**
 * Tries what it holds on locks that it knows, and fetches what it has not tried: first what a lock's name speaks of,
 * then the nearest.
 */
export function toUnlock(planner: Planner, tried: Trials, searchTurns: number) {
  const { belief, can } = planner;
  const { facts, me } = belief;
  const wordsOf = ({ name }: { name: string }): readonly string[] => name.split(/[^\p{L}]+/u);
  const portable = belief.definition.things.filter((one) => one.portable);
  const locks = [...facts.doors, ...facts.things, ...facts.remembered]
    .filter((one) => ('state' in one ? one.state : one.lid) === 'locked')
    .map((lock) => {
      const fit = (key: { name: string }): number =>
        wordsOf(key).filter((word) => wordsOf(lock).includes(word)).length;
      return { lock, fit, best: Math.max(0, ...portable.map(fit)) };
    });
  const trials = [...facts.self.holds, ...facts.things, ...facts.remembered]
    .filter((key) => portable.some(({ id }) => id === key.id))
    .flatMap((key) => locks.map((one) => ({ key, ...one })))
    .filter(({ key, lock }) => !(tried[lock.id] ?? []).includes(key.id))
    .flatMap(({ key, lock, fit, best }) => {
      const miss = best - fit(key) - (key.name.includes('key') ? 0.5 : 0);
      const isFit = best > 1 && fit(key) === best;
      const opening = can('OPEN')
        ? act('OPEN', lock.id)
        : act('USE', key.id, ` ON ${lock.id}`, { id: lock.id, tiles: 1 });
      const what = { kind: 'used', thing: key.id, on: lock.id, agent: me } as const;
      const plan = planActs(planner, [act('TAKE', key.id), opening], what);
      return plan.is === 'act' ? [{ miss, isFit, ...plan }] : [];
    });
  const sorted = trials.toSorted((a, b) => a.miss - b.miss || a.turns - b.turns);
  const near = sorted.filter(({ isFit, turns }) => isFit && turns <= searchTurns);
  return { near: near.flatMap(({ wishes }) => wishes), all: sorted.flatMap(({ wishes }) => wishes) };
}

/**
 * Promise 4: change whatever an agent can't perceive, and its observation stays the same to the byte. The change is
 * everything at once: terrain, doors, things, bodies and minds out of its sight, what closed containers hold,
 * the random generator, the marks that conditions ask for, and what NPCs are up to.
 */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../../../src/base/canonical.js';
import { AID_SECTIONS, withAids } from '../../../src/agent/aids.js';
import type { Observation } from '../../../src/environment/observation.js';
import { shardValues } from '../../../src/worlds/grid/chunks.js';
import { knowsTile } from '../../../src/worlds/grid/knowledge.js';
import { observe } from '../../../src/worlds/grid/observe.js';
import { gridRegistry } from '../../../src/worlds/grid/registry.js';
import { doorOf, openWorld, thingOf } from '../../../src/worlds/grid/world.js';
import { AGENT, anyChange, changed, perceives } from './hidden-change.js';
import type { Played } from './random-world.js';
import { randomGame } from './random-world.js';

function seen({ world, state }: Played): Observation {
  return observe(world, state, AGENT, gridRegistry(world));
}

type Observer = (game: Played) => unknown;

/** Where an observer tells two worlds apart that differ only in what the agent can't perceive; '' where it never does. */
function difference(observer: Observer, numRuns: number): string {
  const property = fc.property(randomGame, anyChange, (game, change) => {
    const [one, other] = [game, changed(game, change)].map((each) => canonicalJson(observer(each)));
    if (one !== other) throw new Error(firstDifference(one ?? '', other ?? ''));
  });
  const run = fc.check(property, { numRuns, endOnFailure: true });
  return run.failed ? String(run.errorInstance) : '';
}

function firstDifference(one: string, other: string): string {
  const at = Array.from(one).findIndex((letter, index) => letter !== other[index]);
  return `${one.slice(Math.max(0, at - 80), at + 80)}\n${other.slice(Math.max(0, at - 80), at + 80)}`;
}

describe('what an agent can’t perceive', () => {
  it('changes no byte of its observation', () => {
    expect(difference(seen, 200)).toBe('');
  });

  it('changes no byte of what aids add to it', () => {
    const render = { marks: true, legend: true, channel: 'both' } as const;
    const looks = { describe: (name: string) => `It: looks like ${name}` };
    const sectionIds = new Set<string>();
    const aided = (game: Played) => {
      const observation = withAids(seen(game), render, looks);
      for (const { id } of observation.sections) sectionIds.add(id);
      return observation;
    };
    expect(difference(aided, 50)).toBe('');
    expect([...sectionIds]).toEqual(expect.arrayContaining([...AID_SECTIONS]));
  });
});

/** Observers with one leak each; the property must find every one of them. */
const LEAKS: Readonly<Record<string, Observer>> = {
  'how many things there are': (game) => [seen(game), shardValues(game.state.things).length],
  'what a closed container holds': (game) => [
    seen(game),
    ['chest', 'crate', 'box'].map((id) => {
      const item = thingOf(game.state, id);
      return item && perceives(game, item) ? item.contents : null;
    }),
  ],
  'the state of a remembered door': (game) => [
    seen(game),
    game.world.definition.doors
      .filter((door) => knowsTile(game.state, AGENT, door))
      .map(({ id }) => doorOf(game.state, id)?.state ?? null),
  ],
  'sight beyond the window': ({ world, state }) =>
    seen({ world: openWorld({ ...world.definition, window: { columns: 17, rows: 17 } }), state }),
  'another mind': (game) => [seen(game), game.state.minds['bea']?.last ?? ''],
  'what triggers have counted': (game) => [seen(game), game.state.marks['count:pulls'] ?? 0],
  'the random generator': (game) => [seen(game), game.state.rng],
};

describe.each(Object.entries(LEAKS))('a planted leak of %s', (_name, observer) => {
  it('is caught', () => {
    expect(difference(observer, 200)).not.toBe('');
  });
});

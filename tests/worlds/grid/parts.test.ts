/** What a step costs: only the chunks and shards that it changed become other objects; and the same state, the same hashes. */
import { expect, test } from 'vitest';
import { partsOf } from '../../../src/worlds/grid/parts.js';
import { agent, crate, game, roundTrip, thing, tinyDefinition } from './tiny-world.js';
import type { GridState } from '../../../src/worlds/grid/state.js';

const SIDE = 200;

/** A map of floor as large as maps may be, an agent in the middle, crates all over. */
function plain() {
  const row = '.'.repeat(SIDE);
  const base = tinyDefinition('...', {});
  const far = Array.from({ length: 600 }, (_value, index) => {
    const place = { at: 'tile', x: (index * 37) % SIDE, y: (index * 53) % SIDE } as const;
    return thing(`rock-${index}`, { place });
  });
  const small = tinyDefinition('ax', { a: agent('ada'), x: crate('crate') }, { more: far });
  const size = { width: SIDE, height: SIDE };
  const middle = { x: 100, y: 100 };
  const things = small.things.map((each) =>
    each.id === 'crate' ? { ...each, place: { at: 'tile', x: 101, y: 100 } as const } : each,
  );
  const agents = small.agents.map((each) => ({ ...each, ...middle }));
  const rooms = [{ id: 'plain', name: 'plain', areas: [{ x: 0, y: 0, ...size }], description: '' }];
  return game({ ...base, size, rows: Array.from({ length: SIDE }, () => row), rooms, things, agents });
}

type Tree = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** How many leaves of the first level and of the second are other objects than before. */
function changed(before: Tree, after: Tree): readonly [number, number] {
  const keys = Object.keys(after).filter((key) => after[key] !== before[key]);
  const leaves = keys.flatMap((key) =>
    Object.keys(after[key] ?? {}).filter((leaf) => after[key]?.[leaf] !== before[key]?.[leaf]),
  );
  return [keys.length, leaves.length];
}

function knownTo(state: GridState): Tree {
  return state.minds['ada']?.known ?? {};
}

test('a step leaves everything else the same objects', () => {
  const played = plain();
  const before = played.state;
  expect(played.act('ada', 'PUSH', { thing: 'crate', direction: 'east' })).toBe('You pushed the crate east.');
  const after = played.state;
  expect(changed(before.things, after.things)).toEqual([1, 1]);
  expect(after.doors).toBe(before.doors);
  const [regions, chunks] = changed(before.ground, after.ground);
  expect(regions).toBeLessThanOrEqual(1);
  expect(chunks).toBeLessThanOrEqual(1);
  expect(changed(knownTo(before), knownTo(after))[1]).toBeLessThanOrEqual(4);
});

test('hashes follow from what a state holds, not from how it came to be', () => {
  const played = plain();
  played.act('ada', 'PUSH', { thing: 'crate', direction: 'east' });
  const revived = roundTrip(played.state);
  expect(partsOf(revived)).toEqual(partsOf(played.state));
});

test('each part changes with what it is about and with nothing else', () => {
  const played = game(tinyDefinition('####\n#ak#\n####', { a: agent('ada'), k: thing('key') }));
  const before = partsOf(played.state);
  played.act('ada', 'TAKE', { thing: 'key' });
  const after = partsOf(played.state);
  const differing = Object.keys(after).filter((part) => after[part] !== before[part]);
  expect(differing.toSorted()).toEqual(['entities', 'ground', 'knowledge', 'speech', 'things']);
});

/** Small worlds drawn by hand, with what must come of them: tests/fixtures/worlds. Nothing writes these files. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Intent } from '../../../src/environment/action.js';
import { sightOf } from '../../../src/worlds/grid/sight.js';
import type { GridRules } from '../../../src/worlds/grid/definition.js';
import { agent, crate, door, expectMap, game, intent, thing, tinyDefinition } from './tiny-world.js';
import type { Game } from './tiny-world.js';

interface Case {
  title: string;
  /** Lines after the title: a map line begins with `#`, any other is `key: value`. */
  lines: readonly string[];
}

function casesOf(name: string): readonly Case[] {
  const text = readFileSync(`tests/fixtures/worlds/${name}.txt`, 'utf8');
  return text
    .split(/^case: /mu)
    .slice(1)
    .map((part) => {
      const [title = '', ...lines] = part.trimEnd().split('\n');
      return { title, lines };
    });
}

const isMap = (line: string): boolean => line.startsWith('#') || line.startsWith('?');

/** The first map, and the lines after it. */
function opened({ lines }: Case): { map: readonly string[]; rest: readonly string[] } {
  const end = lines.findIndex((line) => !isMap(line));
  return { map: lines.slice(0, end), rest: lines.slice(end) };
}

const DONE = { turns: 3, tool: null, done: 'The tree is down.', effect: { kind: 'remove' } } as const;
const PIECES = {
  ...Object.fromEntries(['a', 'b', 'c', 'd'].map((id) => [id, agent(id)])),
  x: crate('x'),
  t: thing('tree', { portable: false, blocking: true, work: DONE }),
  '+': door('oak', { state: 'closed' }),
  '/': door('oak', { state: 'open' }),
};

function played(map: readonly string[], rules: Partial<GridRules> = {}): Game {
  const text = map.join('\n');
  const pieces = Object.fromEntries(Object.entries(PIECES).filter(([letter]) => text.includes(letter)));
  const [width = 0, height] = [map[0]?.length, map.length];
  const at = Math.max(...map.map((row) => row.search(/[+/]/u)));
  const west = { x: 0, y: 0, width: at, height };
  const rooms = at < 0 ? {} : { rooms: { west, east: { ...west, x: at + 1, width: width - at - 1 } } };
  return game(tinyDefinition(text, pieces, { rules: { diagonals: true, ...rules }, ...rooms }));
}

/** "a east, b uses" */
function intentsOf(words: string): readonly Intent[] {
  return words.split(', ').map((each) => {
    const [who = '', what = ''] = each.split(' ');
    return what === 'uses' ? intent(who, 'USE', { thing: 'tree' }) : intent(who, 'GO', { direction: what });
  });
}

/** What each is told, by id; those who are refused beforehand take no part. */
function ticked(world: Game, intents: readonly Intent[]): ReadonlyMap<string, string> {
  const told = new Map<string, string>();
  const taken = intents.filter((one) => {
    const refusal = world.environment.check(world.state, one);
    if (refusal !== undefined) told.set(one.agent, refusal.message);
    return refusal === undefined;
  });
  if (taken.length === 0) return told;
  world.tick(...taken).forEach((result, i) => {
    told.set(taken[i]?.agent ?? '', result.ok ? result.message : result.problem.message);
  });
  return told;
}

describe('movement conflicts', () => {
  it.each(casesOf('movement-conflicts'))('$title', (one) => {
    const { map, rest } = opened(one);
    const world = played(map);
    const before = { ...world.state.bodies };
    ticked(world, intentsOf((rest[0] ?? '').replace('tick: ', '')));
    expectMap(world, rest.filter(isMap).join('\n'));
    const went = Object.keys(before).filter((id) => {
      const [then, now] = [before[id], world.state.bodies[id]];
      return then?.x !== now?.x || then?.y !== now?.y;
    });
    expect(rest.at(-1)).toBe(`went: ${went.toSorted().join(' ') || 'nobody'}`);
  });
});

/** "a" or "a by symmetric". */
function watcher(one: Case): string {
  return (opened(one).rest[0] ?? '').replace('sees: ', '');
}

describe.each(['recursive', 'symmetric', 'rays'] as const)('sight by %s', (sight) => {
  const cases = casesOf('sight').filter((one) => !/ by /u.test(watcher(one)) || watcher(one).endsWith(sight));
  it.each(cases)('$title', (one) => {
    const { map, rest } = opened(one);
    const { world, state } = played(map, { sight });
    const seen = sightOf(world, state, watcher(one).charAt(0));
    const drawn = map.map((row, y) => Array.from(row, (tile, x) => (seen.has(x, y) ? tile : '?')).join(''));
    expect(drawn).toEqual(rest.filter(isMap));
  });
});

describe('partial work', () => {
  it.each(casesOf('partial-work'))('$title', (one) => {
    const { map, rest } = opened(one);
    const world = played(map);
    const lines = rest.filter((line) => !isMap(line));
    const told = lines.flatMap((line) => {
      if (!line.startsWith('tick: ')) return [];
      return [
        line,
        ...[...ticked(world, intentsOf(line.slice('tick: '.length)))].map((each) => each.join(': ')),
      ];
    });
    expect(told).toEqual(lines);
    expectMap(world, rest.filter(isMap).join('\n'));
  });
});

/** Scenes between two steps: walkers are where the kept path says, and nobody is shown more than was known. */
import { describe, expect, it } from 'vitest';
import type { Scene, Visibility } from '../../src/environment/scene.js';
import { sceneOnTheWay } from '../../src/replay/walks.js';
import type { ActorWalk } from '../../src/replay/walks.js';

/** A row of tiles: `.` seen, `-` remembered, a space unknown; letters are bodies on seen tiles. */
function row(text: string, x = 0): Scene {
  const cells = Array.from(text);
  const visibility = cells.map((one): Visibility => (one === ' ' ? 0 : one === '-' ? 1 : 2));
  return {
    width: cells.length,
    height: 1,
    origin: { x, y: 0 },
    legend: ['floor'],
    ground: visibility.map((one) => (one === 0 ? -1 : 0)),
    visibility,
    things: cells.flatMap((id, i) =>
      /[a-z]/.test(id) ? [{ id, name: id, sprite: `figure/${id}`, layer: 1, x: i, y: 0 }] : [],
    ),
    marks: [],
  };
}

const walk = (actor: string, from: number, to: number): ActorWalk => {
  const way = Math.sign(to - from);
  const path = Array.from({ length: Math.abs(to - from) + 1 }, (_, i) => ({ x: from + i * way, y: 0 }));
  return { actor, path };
};

function drawn({ visibility, things }: Scene): string {
  const cells = visibility.map((one) => ' -.'[one] ?? '?');
  for (const { id, x } of things) cells[x] = id;
  return cells.join('');
}

describe('on the whole map', () => {
  const between = { before: row('a...b'), after: row('..a.b'), viewer: null };
  it('a walker is at its tile, and stays at its end', () => {
    const at = (tiles: number) => drawn(sceneOnTheWay({ ...between, walks: [walk('a', 0, 2)] }, tiles));
    expect([0, 1, 2, 9].map(at)).toEqual(['a...b', '.a..b', '..a.b', '..a.b']);
  });

  it('those who walk at once walk at once', () => {
    const walks = [walk('a', 0, 2), walk('b', 4, 3)];
    const at = (tiles: number) => drawn(sceneOnTheWay({ ...between, walks }, tiles));
    expect([0, 1, 2].map(at)).toEqual(['a...b', '.a.b.', '..ab.']);
  });
});

describe('through the eyes of an agent', () => {
  it('others are seen only on tiles that it sees', () => {
    const between = { before: row('a..--b'.replace('b', '-')), after: row('a.b---'), viewer: 'a' };
    const at = (tiles: number) => drawn(sceneOnTheWay({ ...between, walks: [walk('b', 5, 2)] }, tiles));
    expect([0, 1, 2, 3].map(at)).toEqual(['a..---', 'a..---', 'a..---', 'a.b---']);
  });

  it('its window goes along, and what it had not known is dim until it arrives', () => {
    const before = row('..a..', 0);
    const after = row('..a.b', 2);
    const at = (tiles: number) => {
      const scene = sceneOnTheWay({ before, after, walks: [walk('a', 2, 4)], viewer: 'a' }, tiles);
      return [scene.origin.x, drawn(scene)];
    };
    expect([0, 1, 2].map(at)).toEqual([
      [0, '..a..'],
      [1, '..a.-'],
      [2, '..a-b'],
    ]);
  });

  it('of a fixed floor the window stays', () => {
    const between = { before: row('a....'), after: row('..a..'), walks: [walk('a', 0, 2)], viewer: 'a' };
    const scene = sceneOnTheWay(between, 1);
    expect([scene.origin.x, drawn(scene)]).toEqual([0, '.a...']);
  });

  it('who is nowhere in its scenes is not drawn', () => {
    const between = { before: row('a...'), after: row('a...'), walks: [walk('c', 3, 1)], viewer: 'a' };
    expect(drawn(sceneOnTheWay(between, 1))).toBe('a...');
  });
});

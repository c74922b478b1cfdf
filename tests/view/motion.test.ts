/**
 * Playing: bodies between tiles, the window that moves along, and how long each step is looked at.
 * @module-tag long
 */
import { describe, expect, it } from 'vitest';
import { known } from '../../src/base/assert.js';
import type { Scene } from '../../src/environment/scene.js';
import { drawScene } from '../../src/render/raster.js';
import { sceneOnTheWay } from '../../src/replay/walks.js';
import { longestWalk, rasterOnTheWay, walksInTick } from '../../src/view/page/motion.js';
import { afterWalks, advancePlayback, timesOf } from '../../src/view/page/player.js';
import type { PageRun, PageStep } from '../../src/view/page-data.js';
import { builtInTileset } from '../../src/assembly/tilesets.js';
import { loadTileset } from '../../src/render/tileset.js';

const knight = { id: 'ann', name: 'Ann', sprite: 'figure/knight', layer: 1 };
const floor = (x: number, origin = 0): Scene => ({
  width: 5,
  height: 3,
  origin: { x: origin, y: 0 },
  legend: ['floor'],
  ground: Array<number>(15).fill(0),
  visibility: Array<2>(15).fill(2),
  things: [{ ...knight, x, y: 1 }],
  marks: [],
});
const tileset = await loadTileset((await builtInTileset()).source);
const walk = { actor: 'ann', path: [1, 2, 3].map((x) => ({ x, y: 1 })) };
const draw = (scene: Scene) => drawScene(scene, tileset, { ruler: false });

/** Columns of pixels in which two pictures differ. */
function changedColumns(one: ReturnType<typeof draw>, other: ReturnType<typeof draw>): readonly number[] {
  const columns = new Set<number>();
  for (const [i, index] of one.indices.entries()) if (index !== other.indices[i]) columns.add(i % one.width);
  return [...columns].toSorted((a, b) => a - b);
}

describe('a body on its way', () => {
  const between = { before: floor(1), after: floor(3), walks: [walk], viewer: null };
  const empty = draw({ ...floor(1), things: [] });

  it('stands on the tiles of its path as films show it', () => {
    for (const done of [0, 1, 2])
      expect(rasterOnTheWay(tileset, between, done)).toEqual(draw(sceneOnTheWay(between, done)));
  });

  it('is drawn pixel by pixel between them, whole', () => {
    const still = changedColumns(empty, rasterOnTheWay(tileset, between, 0));
    for (const [done, pixels] of [
      [0.25, 4],
      [0.5, 8],
      [1.75, 28],
    ] as const)
      expect(changedColumns(empty, rasterOnTheWay(tileset, between, done))).toEqual(
        still.map((x) => x + pixels),
      );
  });

  it('stays in the middle of its own window, which moves under it', () => {
    const own = { before: floor(2, -1), after: floor(2, 1), walks: [walk], viewer: 'ann' };
    const under = (done: number) => {
      const raster = rasterOnTheWay(tileset, own, done);
      return Array.from(raster.indices.subarray(raster.width * 20 + 36, raster.width * 20 + 44));
    };
    expect(under(0.5)).toEqual(under(0));
    const moving = rasterOnTheWay(tileset, { ...own, before: { ...own.before, legend: ['wall'] } }, 0.5);
    expect([moving.width, moving.height]).toEqual([80, 48]);
  });
});

const step = (number: number, tick: number, more: Partial<PageStep> = {}): PageStep => ({
  step: number,
  turn: 1,
  agent: 'ann',
  tick,
  acts: [
    {
      call: 1,
      intent: null,
      accepted: { words: 'WAIT', rung: 'label', span: null },
      text: 'WAIT',
      thought: '',
      message: '',
      problem: null,
      insteadOf: null,
      speech: null,
    },
  ],
  calls: [],
  walks: [],
  said: [],
  holds: null,
  notes: [],
  kinds: [],
  places: [],
  asLogged: true,
  map: null,
  eyes: [],
  ...more,
});
const runOf = (steps: readonly PageStep[]) => ({ steps }) as PageRun;

describe('time', () => {
  it('is longer for a longer walk and for more words, and short where nothing happens', () => {
    const walked = step(1, 1, { walks: [{ actor: 'ann', path: [1, 1, 2, 1, 3, 1] }] });
    expect(longestWalk(walksInTick([walked]))).toBe(2);
    expect(timesOf([walked])).toEqual({ walkMs: 280, holdMs: 700 });
    const said = (text: string) =>
      timesOf([step(1, 1, { said: [{ speaker: 'ann', text, hearers: [] }] })]).holdMs;
    expect(said('no')).toBeLessThan(said('no'.repeat(20)));
    expect(said('no'.repeat(5000))).toBe(6000);
    expect(timesOf([step(1, 1, { acts: [] })]).holdMs).toBe(160);
  });

  it('goes from tick to tick, at any speed, and ends', () => {
    const run = runOf([step(1, 1), step(2, 1), step(3, 3), step(4, 4)]);
    expect(advancePlayback([run], { step: 0, elapsedMs: 0 }, 0)).toEqual({ step: 2, elapsedMs: 0 });
    expect(advancePlayback([run], { step: 2, elapsedMs: 0 }, 700)).toEqual({ step: 3, elapsedMs: 0 });
    expect(advancePlayback([run], { step: 2, elapsedMs: 600 }, 900)).toEqual({ step: 4, elapsedMs: 100 });
    expect(advancePlayback([run], { step: 4, elapsedMs: 600 }, 100)).toBeNull();
    expect(afterWalks([run], 3)).toEqual({ step: 3, elapsedMs: 0 });
  });

  it('of two runs goes on until the longer one is over', () => {
    const [short, long] = [runOf([step(1, 1)]), runOf([step(1, 1), step(2, 2), step(3, 3)])];
    expect(advancePlayback([short, long], { step: 1, elapsedMs: 700 }, 0)?.step).toBe(2);
    expect(known(advancePlayback([short, long], { step: 2, elapsedMs: 0 }, 800), 'a moment').step).toBe(3);
    expect(advancePlayback([short, long], { step: 3, elapsedMs: 0 }, 800)).toBeNull();
  });
});

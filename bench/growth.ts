/**
 * Costs against the size of the map: what a step costs must depend on what it changes, not on what the world holds. Four agents
 * walk at random over rooms without end, with one thing on a hundred tiles (as many as are allowed) and four wandering creatures.
 */
import { performance } from 'node:perf_hooks';
import { LIMITS } from '../src/base/limits.js';
import { nextBelow, pick, stream } from '../src/base/rng.js';
import type { Environment } from '../src/environment/environment.js';
import type { Intent } from '../src/environment/action.js';
import type { Observation } from '../src/environment/observation.js';
import type { Point } from '../src/environment/space.js';
import type { BodyDefinition, GridDefinition, ThingDefinition } from '../src/worlds/grid/definition.js';
import { openGrid } from '../src/worlds/grid/grid.js';
import { findPath } from '../src/worlds/grid/paths.js';
import { openWorld } from '../src/worlds/grid/world.js';
import type { GridState } from '../src/worlds/grid/state.js';
import { median } from './figures.js';

export interface GrowthFigures {
  readonly width: number;
  readonly height: number;
  readonly things: number;
  /** Opening the definition and making the first state, once. */
  readonly openMs: number;
  /** Median microseconds a step. */
  readonly observeUs: number;
  readonly advanceUs: number;
  readonly hashUs: number;
  /** A shortest way between two tiles anywhere on the map, and how many steps it has; medians. */
  readonly pathUs: number;
  readonly pathSteps: number;
}

export function measureGrowth(width: number, height: number, turns: number): GrowthFigures {
  const definition = mapOf(width, height);
  const began = performance.now();
  const world = openGrid(definition);
  let state = world.create('1');
  world.parts(state);
  const openMs = performance.now() - began;
  const times = { observe: [] as number[], advance: [] as number[], hash: [] as number[] };
  let rng = stream('1', 'bench');
  // The first half warms up.
  for (let turn = 0; turn < 2 * turns; turn++) {
    for (const agent of world.agents) {
      const marks = [performance.now()];
      const observation = world.observe(state, agent);
      marks.push(performance.now());
      const drawn = pick(rng, waysOf(observation));
      rng = drawn.state;
      marks.push(performance.now());
      state = world.advance(state, [intentOf(agent, drawn.value)]).state;
      marks.push(performance.now());
      world.parts(state);
      marks.push(performance.now());
      const [a = 0, b = 0, c = 0, d = 0, e = 0] = marks;
      if (turn < turns) continue;
      times.observe.push((b - a) * 1000);
      times.advance.push((d - c) * 1000);
      times.hash.push((e - d) * 1000);
    }
    state = endTurn(world, state);
  }
  const things = definition.things.length;
  const [observeUs, advanceUs, hashUs] = [median(times.observe), median(times.advance), median(times.hash)];
  return { width, height, things, openMs, observeUs, advanceUs, hashUs, ...measurePaths(definition) };
}

/** By lot; the first half warms up. */
const PATHS = 400;

function measurePaths(definition: GridDefinition): Pick<GrowthFigures, 'pathUs' | 'pathSteps'> {
  const world = openWorld(definition);
  const state = openGrid(definition).create('1');
  const { width, height } = definition.size;
  let rng = stream('1', 'bench-paths');
  const below = (limit: number): number => {
    const drawn = nextBelow(rng, limit);
    rng = drawn.state;
    return drawn.value;
  };
  const anywhere = (): Point => {
    for (;;) {
      const tile = { x: below(width), y: below(height) };
      if (!isWall(tile.x, tile.y)) return tile;
    }
  };
  const [times, steps]: [number[], number[]] = [[], []];
  for (let i = 0; i < PATHS; i++) {
    const [from, to] = [anywhere(), anywhere()];
    const began = performance.now();
    const path = findPath(world, state, from, to, { diagonals: true, blocked: () => false });
    const us = (performance.now() - began) * 1000;
    if (i < PATHS / 2 || path === null) continue;
    times.push(us);
    steps.push(path.length - 1);
  }
  return { pathUs: median(times), pathSteps: median(steps) };
}

function endTurn(world: Environment<GridState>, state: GridState): GridState {
  const ended = world.endTurn(state).state;
  world.parts(ended);
  return ended;
}

function waysOf(observation: Observation): readonly string[] {
  const go = observation.offered.find(({ action }) => action === 'GO');
  return [...(go?.slots['direction'] ?? []), 'wait'];
}

function intentOf(agent: string, way: string): Intent {
  return way === 'wait'
    ? { agent, action: 'WAIT', args: {} }
    : { agent, action: 'GO', args: { direction: way } };
}

/** Rooms of 8 × 6 tiles with gaps in the middle of their walls. */
function isWall(x: number, y: number): boolean {
  const [column, row] = [x % 9, y % 7];
  return (column === 0 && row !== 3) || (row === 0 && column !== 4);
}

function mapOf(width: number, height: number): GridDefinition {
  const rows = Array.from({ length: height }, (_, y) =>
    Array.from({ length: width }, (_tile, x) => (isWall(x, y) ? '#' : '.')).join(''),
  );
  return {
    size: { width, height },
    terrain: [
      { id: 'floor', name: 'floor', walkable: true, opaque: false, sprite: 'floor' },
      { id: 'wall', name: 'wall', walkable: false, opaque: true, sprite: 'wall' },
    ],
    terrainKeys: '.#',
    rows,
    rooms: [],
    doors: [],
    things: thingsOf(width, height),
    npcs: [2, 4, 6, 7].map((x, i) => ({
      ...bodyOf(`rat-${i}`, { x, y: 5 }),
      behaviour: { kind: 'wander', every: 2 },
      catches: null,
      watchRadius: 0,
    })),
    agents: [1, 3, 5, 7].map((x, i) => ({
      ...bodyOf(`agent-${i}`, { x, y: 2 }),
      sightRadius: 8,
      actions: null,
      carryMax: 4,
    })),
    rules: {
      movement: 'tile',
      diagonals: true,
      sight: 'recursive',
      speakRadius: 4,
      speechFree: false,
      fog: true,
      bodiesBlock: true,
    },
    window: { columns: 15, rows: 15 },
    success: null,
    successReason: '',
    failure: null,
    failureReason: '',
  };
}

function bodyOf(id: string, at: { readonly x: number; readonly y: number }): BodyDefinition {
  return { id, name: id, aliases: [], sprite: 'figure/rat', description: '', ...at };
}

function thingsOf(width: number, height: number): readonly ThingDefinition[] {
  const count = Math.min(LIMITS.things, Math.floor((width * height) / 100));
  const places = Array.from({ length: count }, (_, i) => Math.floor((i * width * height) / count) + 22)
    .map((tile) => ({ x: tile % width, y: Math.floor(tile / width) }))
    .filter(({ x, y }) => y < height && !isWall(x, y));
  return places.map(({ x, y }, i) => ({
    id: `key-${i}`,
    name: 'brass key',
    aliases: [],
    sprite: 'item/key-brass',
    description: '',
    place: { at: 'tile', x, y },
    portable: true,
    pushable: false,
    blocking: false,
    opaque: false,
    text: null,
    container: null,
    work: null,
    stack: null,
    consumable: null,
  }));
}

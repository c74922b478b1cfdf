/** The filter for stepping through a run: by agent, by kind of event, or by the region of an event. */
import type { Point } from '../../environment/space.js';
import { unpackTiles } from '../packed-walk.js';
import type { PageRun, PageStep } from '../page-data.js';

/** A rectangle of tiles of the world, both corners included. */
export interface Area {
  from: Point;
  to: Point;
}

/** A region that was dragged, typed, or chosen by its name; `name` is '' unless it was chosen by name. */
export interface Region {
  name: string;
  areas: readonly Area[];
}

export interface StepFilter {
  /** Null for all agents. */
  agent: string | null;
  /** Null for any kind, and steps without events. */
  kind: string | null;
  /** Null for everywhere. */
  region: Region | null;
}

export function passesFilter(step: PageStep | undefined, { agent, kind, region }: StepFilter): boolean {
  if (step === undefined) return agent === null && kind === null && region === null;
  if (agent !== null && step.agent !== agent) return false;
  if (kind !== null && !step.kinds.includes(kind)) return false;
  return region === null || touchedTiles(step).some((tile) => isWithin(tile, region));
}

export function isFiltered({ agent, kind, region }: StepFilter): boolean {
  return agent !== null || kind !== null || region !== null;
}

/** From any two opposite corners. */
export function regionOf(one: Point, other: Point): Region {
  const from = { x: Math.min(one.x, other.x), y: Math.min(one.y, other.y) };
  return { name: '', areas: [{ from, to: { x: Math.max(one.x, other.x), y: Math.max(one.y, other.y) } }] };
}

/** `3, 1 – 5, 2`, or one tile `3, 1`; also with `-` or `to` between. Null for anything else. */
export function typedRegion(text: string): Region | null {
  const match =
    /^\s*(-?\d{1,5})[\s,]+(-?\d{1,5})(?:\s*(?:–|-|to|\s)\s*(-?\d{1,5})[\s,]+(-?\d{1,5}))?\s*$/u.exec(text);
  if (match === null) return null;
  const [x = 0, y = 0, toX = x, toY = y] = match
    .slice(1)
    .flatMap((one) => (one === undefined ? [] : [Number(one)]));
  return regionOf({ x, y }, { x: toX, y: toY });
}

/** The region's name if it was chosen by name; otherwise coordinates as they can be typed. */
export function regionText({ name, areas: [area] }: Region): string {
  if (name !== '' || area === undefined) return name;
  return `${area.from.x}, ${area.from.y} – ${area.to.x}, ${area.to.y}`;
}

/** The tiles where something happened, including walked paths. */
function touchedTiles({ places, walks }: PageStep): readonly Point[] {
  return [places, ...walks.map(({ path }) => path)].flatMap(unpackTiles);
}

function isWithin({ x, y }: Point, { areas }: Region): boolean {
  return areas.some(({ from, to }) => x >= from.x && x <= to.x && y >= from.y && y <= to.y);
}

const kindsByRun = new WeakMap<PageRun, readonly string[]>();

/** All kinds of events that a run has had so far. */
export function kindsOf(run: PageRun): readonly string[] {
  const cached = kindsByRun.get(run);
  if (cached !== undefined) return cached;
  const kinds = [...new Set(run.steps.flatMap((step) => step.kinds))].toSorted();
  kindsByRun.set(run, kinds);
  return kinds;
}

/**
 * Walking bodies: the logged tiles of each walk in a step, and the scene at a moment when the walkers were
 * part of the way along. Between two steps there is no state, so such a scene is the previous one with its
 * walkers moved; an agent's own window moves with it, and what the agent did not know before is drawn as
 * remembered, never as seen. Independent of the kind of world.
 */
import { REMEMBERED, UNKNOWN, VISIBLE } from '../environment/scene.js';
import type { Scene, SceneThing, Visibility } from '../environment/scene.js';
import type { Point } from '../environment/space.js';
import type { StepActs } from '../trajectory/records.js';

export interface ActorWalk {
  actor: string;
  /** Tiles of the world, start and end included; at least two. */
  path: readonly Point[];
}

/** At most one for each body: first the agents', then those of others that moved. */
export function walksOf(tick: readonly StepActs[]): readonly ActorWalk[] {
  const walks = new Map<string, ActorWalk>();
  const add = (actor: string, path: readonly Point[] | null): void => {
    if (path !== null && path.length > 1 && !walks.has(actor)) walks.set(actor, { actor, path });
  };
  for (const { agent, acts } of tick) for (const { result } of acts) if (result.ok) add(agent, result.path);
  for (const { events } of tick)
    for (const { kind, actor, data } of events)
      if (kind === 'moved' && actor !== null) add(actor, pointsOf(data['path']));
  return [...walks.values()];
}

/** Null for anything but a list of tiles. */
function pointsOf(value: unknown): readonly Point[] | null {
  return Array.isArray(value) && value.every(isPoint) ? value : null;
}

function isPoint(value: unknown): value is Point {
  if (typeof value !== 'object' || value === null || !('x' in value) || !('y' in value)) return false;
  return Number.isSafeInteger(value.x) && Number.isSafeInteger(value.y);
}

/** The data for drawing one viewer's scene between two steps. */
export interface BetweenScenes {
  before: Scene;
  after: Scene;
  walks: readonly ActorWalk[];
  /** The agent whose window it is; null for the whole map. */
  viewer: string | null;
}

/** After this many tiles of every walk; shorter walks have ended. */
export function sceneOnTheWay(between: BetweenScenes, tiles: number): Scene {
  const { walks, viewer } = between;
  const viewerWalk = walks.find(({ actor }) => actor === viewer);
  const window = viewerWalk === undefined ? between.before : movedWindow(between, viewerWalk, tiles);
  const walkers = walks.flatMap((walk) => walkerIn(window, between, { walk, tiles }));
  const walking = new Set(walks.map(({ actor }) => actor));
  const things = [...window.things.filter(({ id }) => !walking.has(id)), ...walkers];
  return { ...window, things: things.toSorted((a, b) => a.layer - b.layer || a.y - b.y || a.x - b.x) };
}

function positionAfter({ path }: ActorWalk, tiles: number): Point {
  const [first = { x: 0, y: 0 }] = path;
  return path[Math.min(tiles, path.length - 1)] ?? first;
}

/** Others are shown only on tiles that the viewer sees. */
function walkerIn(
  window: Scene,
  { before, after, viewer }: BetweenScenes,
  { walk, tiles }: { walk: ActorWalk; tiles: number },
): readonly SceneThing[] {
  const isWalker = ({ id }: SceneThing) => id === walk.actor;
  const body = before.things.find(isWalker) ?? after.things.find(isWalker);
  if (body === undefined) return [];
  const position = positionAfter(walk, tiles);
  const [x, y] = [position.x - window.origin.x, position.y - window.origin.y];
  const isInside = x >= 0 && y >= 0 && x < window.width && y < window.height;
  if (!isInside) return [];
  const isSeen = window.visibility[y * window.width + x] === VISIBLE;
  return isSeen || walk.actor === viewer ? [{ ...body, x, y }] : [];
}

/** The viewer's window, moved along if its world moves it with the viewer; with a fixed window, it stays. */
function movedWindow({ before, after }: BetweenScenes, viewerWalk: ActorWalk, tiles: number): Scene {
  const [start, current, end] = [
    positionAfter(viewerWalk, 0),
    positionAfter(viewerWalk, tiles),
    positionAfter(viewerWalk, viewerWalk.path.length - 1),
  ];
  const movesWithViewer = (axis: 'x' | 'y') =>
    after.origin[axis] - before.origin[axis] === end[axis] - start[axis];
  const moved = (axis: 'x' | 'y') =>
    before.origin[axis] + (movesWithViewer(axis) ? current[axis] - start[axis] : 0);
  const origin = { x: moved('x'), y: moved('y') };
  if (origin.x === before.origin.x && origin.y === before.origin.y) return before;
  return blendedScene(before, after, origin);
}

/** A window at another position: what was known before, and dimmed what was learnt on the way. */
function blendedScene(before: Scene, after: Scene, origin: Point): Scene {
  const { width, height } = before;
  const ground: number[] = [];
  const visibility: Visibility[] = [];
  const isOld = (tile: Point) => knownAt(before, tile) !== null;
  for (let y = origin.y; y < origin.y + height; y++)
    for (let x = origin.x; x < origin.x + width; x++) {
      const old = knownAt(before, { x, y });
      const fresh = old === null ? knownAt(after, { x, y }) : null;
      ground.push(old?.ground ?? (fresh === null ? -1 : fresh.ground + before.legend.length));
      visibility.push(old?.visibility ?? (fresh === null ? UNKNOWN : REMEMBERED));
    }
  const things = [
    ...placed(before, origin),
    ...placed(after, origin).filter(({ x, y }) => !isOld({ x: x + origin.x, y: y + origin.y })),
  ];
  const ids = new Set<string>();
  const unique = things.filter(({ id }) => !ids.has(id) && ids.add(id));
  const legend = [...before.legend, ...after.legend];
  return { width, height, origin, legend, ground, visibility, things: unique, marks: [] };
}

function knownAt(scene: Scene, tile: Point): { ground: number; visibility: Visibility } | null {
  const [x, y] = [tile.x - scene.origin.x, tile.y - scene.origin.y];
  if (x < 0 || y < 0 || x >= scene.width || y >= scene.height) return null;
  const cell = y * scene.width + x;
  const [ground, visibility] = [scene.ground[cell] ?? -1, scene.visibility[cell] ?? UNKNOWN];
  return ground < 0 || visibility === UNKNOWN ? null : { ground, visibility };
}

/** Its things within the window at another position. */
function placed({ things, origin: old, width, height }: Scene, origin: Point): readonly SceneThing[] {
  return things
    .map((thing) => ({ ...thing, x: thing.x + old.x - origin.x, y: thing.y + old.y - origin.y }))
    .filter(({ x, y }) => x >= 0 && y >= 0 && x < width && y < height);
}

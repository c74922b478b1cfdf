/**
 * What happens between two steps: bodies move along the path that the log has, and the window of a walking
 * agent moves pixel by pixel. Films also show which tiles are known on the way (`replay/walks.ts`); only the
 * pixels between tiles are added here.
 */
import type { Scene, SceneThing } from '../../environment/scene.js';
import type { Tileset } from '../../render/assemble.js';
import { NOTHING } from '../../render/tile-appearance.js';
import { drawScene } from '../../render/raster.js';
import type { Raster } from '../../render/text.js';
import { sceneOnTheWay, type BetweenScenes, type ActorWalk } from '../../replay/walks.js';
import { unpackWalk } from '../packed-walk.js';
import type { PageStep } from '../page-data.js';

/** The walks of steps that were settled together, one per body. */
export function walksInTick(tick: readonly PageStep[]): readonly ActorWalk[] {
  const walks = new Map<string, ActorWalk>();
  for (const { walks: own } of tick)
    for (const walk of own) if (!walks.has(walk.actor)) walks.set(walk.actor, unpackWalk(walk));
  return [...walks.values()];
}

/** The length in tiles of the longest walk; 0 if there is none. */
export function longestWalk(walks: readonly ActorWalk[]): number {
  return walks.reduce((most, { path }) => Math.max(most, path.length - 1), 0);
}

/** The picture after this many tiles of every walk, which may be a fraction. */
export function rasterOnTheWay(tileset: Tileset, between: BetweenScenes, tilesWalked: number): Raster {
  const [whole, fraction] = [Math.floor(tilesWalked), tilesWalked - Math.floor(tilesWalked)];
  const walkers = new Set(between.walks.map(({ actor }) => actor));
  const before = sceneOnTheWay(between, whole);
  const after = sceneOnTheWay(between, whole + 1);
  const withoutWalkers = (scene: Scene) => {
    const things = scene.things.filter(({ id }) => !walkers.has(id));
    return drawScene({ ...scene, things }, tileset, { ruler: false });
  };
  const shift = { x: after.origin.x - before.origin.x, y: after.origin.y - before.origin.y };
  const pixels = (tilesAlong: number) => Math.round(tilesAlong * fraction * tileset.art);
  const camera = { x: pixels(shift.x), y: pixels(shift.y) };
  const raster = withoutWalkers(before);
  const picture =
    camera.x === 0 && camera.y === 0
      ? raster
      : slideCamera(raster, withoutWalkers(after), { camera, shift, art: tileset.art });
  for (const body of bodiesOf(walkers, { now: before, next: after, part: fraction })) {
    const x = Math.round((body.x - before.origin.x) * tileset.art) - camera.x;
    const y = Math.round((body.y - before.origin.y) * tileset.art) - camera.y;
    if (tileset.bodyShadow !== NOTHING) tileset.composites.drawOver(picture, tileset.bodyShadow, x, y);
    tileset.composites.drawOver(picture, tileset.sprite(body.sprite), x, y);
  }
  return picture;
}

/**
 * Walkers at their positions on the map, in fractions of tiles, in drawing order. `part`: the progress from
 * one scene to the next, 0 to 1.
 */
function bodiesOf(
  walkers: ReadonlySet<string>,
  { now, next, part }: { now: Scene; next: Scene; part: number },
): readonly SceneThing[] {
  const bodies = [...walkers].flatMap((id) => {
    const isBody = (thing: SceneThing) => thing.id === id;
    const [bodyBefore, bodyAfter] = [now.things.find(isBody), next.things.find(isBody)];
    if (bodyBefore === undefined) return [];
    const start = { x: bodyBefore.x + now.origin.x, y: bodyBefore.y + now.origin.y };
    const end =
      bodyAfter === undefined ? start : { x: bodyAfter.x + next.origin.x, y: bodyAfter.y + next.origin.y };
    const interpolate = (from: number, to: number) => from + (to - from) * part;
    return [{ ...bodyBefore, x: interpolate(start.x, end.x), y: interpolate(start.y, end.y) }];
  });
  return bodies.toSorted((a, b) => a.layer - b.layer || a.y - b.y || a.x - b.x);
}

interface CameraSlide {
  /** Pixels by which the window has moved. */
  camera: { x: number; y: number };
  /** Tiles between the two windows. */
  shift: { x: number; y: number };
  art: number;
}

/** The window between two positions; what comes into view is taken from the later one. */
function slideCamera(now: Raster, next: Raster, { camera, shift, art }: CameraSlide): Raster {
  const { width, height } = now;
  const indices = now.indices.slice();
  const out = { indices, width, height };
  copy(next, out, shift.x * art - camera.x, shift.y * art - camera.y);
  copy(now, out, -camera.x, -camera.y);
  return out;
}

function copy(from: Raster, to: Raster, dx: number, dy: number): void {
  const [left, right] = [Math.max(0, dx), Math.min(to.width, from.width + dx)];
  if (left >= right) return;
  for (let y = Math.max(0, dy); y < Math.min(to.height, from.height + dy); y++) {
    const start = (y - dy) * from.width + left - dx;
    to.indices.set(from.indices.subarray(start, start + right - left), y * to.width + left);
  }
}

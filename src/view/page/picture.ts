/**
 * What one of the pictures shows: the world after a step, bodies on their way there, or the picture that was
 * sent.
 */
import type { Scene } from '../../environment/scene.js';
import type { Point } from '../../environment/space.js';
import type { Bubble } from '../../render/bubble.js';
import { bubblesFor } from '../../replay/film-speech.js';
import type { BetweenScenes } from '../../replay/walks.js';
import type { PageRun, PageSaid, PageScenes, PageStep } from '../page-data.js';
import { longestWalk, rasterOnTheWay, walksInTick } from './motion.js';
import { tickOf } from './player.js';
import { nameOf } from './state.js';
import type { TileCache } from './tiles.js';

export type Picture =
  | { kind: 'none'; text: string }
  /** `place`: index into the page's table of pictures. */
  | { kind: 'sent'; place: number; label: string }
  | WorldPicture;

interface WorldPicture {
  kind: 'world';
  scene: Scene;
  /** Null if nobody walks. */
  motion: { between: BetweenScenes; tilesDone: number } | null;
  bubbles: readonly Bubble[];
  /** What the picture shows, for screen readers. */
  label: string;
  /** A note if the view may be older than the step; '' otherwise. */
  note: string;
}

export interface PictureChoice {
  run: PageRun;
  step: PageStep | null;
  /** `map`, `sent`, or `agent:<id>`. */
  view: string;
  /** The progress in tiles of the walks that led to the step; null if they are complete. */
  tilesDone: number | null;
  /** Whether recent speech stays visible, because a run in progress leaves no time to read it. */
  isFollowing: boolean;
}

export function pictureOf(tiles: TileCache, choice: PictureChoice): Picture {
  if (choice.view !== 'sent') return worldPicture(tiles, choice);
  const { run, step } = choice;
  const place = step?.calls.findLast((call) => call.picture !== null)?.picture ?? null;
  if (step === null || place === null) return { kind: 'none', text: 'No picture was sent in this step.' };
  const label = `The picture sent to ${nameOf(run, step.agent)} in step ${step.step}`;
  return { kind: 'sent', place, label };
}

/** Resolves once the canvas has the picture's size and pixels; only a stored file takes time. */
export async function drawPicture(
  canvas: HTMLCanvasElement,
  tiles: TileCache,
  { run, picture }: { run: PageRun; picture: Picture },
): Promise<void> {
  if (picture.kind === 'sent') await tiles.showSent(canvas, run, picture.place);
  if (picture.kind !== 'world') return;
  const { scene, motion } = picture;
  const tileset = tiles.tileset(run);
  const raster =
    motion === null
      ? tiles.raster(scene, tileset)
      : rasterOnTheWay(tileset, motion.between, motion.tilesDone);
  delete canvas.dataset['hash'];
  tiles.show(canvas, raster, tileset);
}

/** What the pixels depend on, apart from the run. */
export function contentOf(picture: Picture): readonly [unknown, unknown] {
  if (picture.kind === 'world') return [picture.scene, picture.motion?.tilesDone];
  return [picture.kind, picture.kind === 'sent' ? picture.place : null];
}

/** The names of what is on the tile under the pointer; without a pointer, the picture's note. */
export function tipOf({ scene, note }: WorldPicture, pointed: Point | null): string {
  if (pointed === null) return note;
  const { x, y } = pointed;
  const names = scene.things.filter((thing) => thing.x === x && thing.y === y).map(({ name }) => name);
  const ground = scene.legend[scene.ground[y * scene.width + x] ?? -1] ?? 'unknown';
  return `${x + scene.origin.x}, ${y + scene.origin.y}: ${[...names, ground].join(', ')}`;
}

function worldPicture(tiles: TileCache, { run, step, view, tilesDone, isFollowing }: PictureChoice): Picture {
  const viewer = view.startsWith('agent:') ? view.slice('agent:'.length) : null;
  const after = placeOf(run, step ?? run.start, viewer);
  if (after === null) return { kind: 'none', text: 'There is no picture for this view.' };
  const scene = tiles.scene(after);
  const tick = step === null ? [] : tickOf(run, step.step);
  const start = step === null ? run.start : (run.steps[step.tick - 2] ?? run.start);
  const before = placeOf(run, start, viewer);
  const walks = tilesDone === null ? [] : walksInTick(tick);
  const isMoving =
    tilesDone !== null &&
    before !== null &&
    tilesDone < longestWalk(walks) &&
    canMove(tiles, [before, after], viewer);
  const motion = isMoving
    ? { between: { before: tiles.scene(before), after: scene, walks, viewer }, tilesDone }
    : null;
  const names = Object.fromEntries(run.agents.map(({ id, name }) => [id, name]));
  const speech = isFollowing && run.end === null ? recentSpeech(run, step) : tick.flatMap((one) => one.said);
  // Walking bodies have no speech bubbles.
  const walkers = isMoving ? walks.map(({ actor }) => actor) : [];
  const visibleSpeech =
    isMoving && !isFollowing ? [] : speech.filter(({ speaker }) => !walkers.includes(speaker));
  return {
    kind: 'world',
    scene,
    motion,
    bubbles: bubblesFor(visibleSpeech, { scene, viewer, names }),
    label: describe(run, scene, viewer),
    note:
      viewer !== null && run.isCrowd
        ? "as of this agent's last step or the end of the last turn, whichever is later"
        : '',
  };
}

/** The last utterance of each speaker in this turn and the one before it. */
function recentSpeech(run: PageRun, step: PageStep | null): readonly PageSaid[] {
  const newest = new Map<string, PageSaid>();
  for (let i = (step?.step ?? 0) - 1; i >= 0; i--) {
    const earlier = run.steps[i];
    if (step === null || earlier === undefined || earlier.turn < step.turn - 1) break;
    for (const said of earlier.said.toReversed())
      if (!newest.has(said.speaker)) newest.set(said.speaker, said);
  }
  return [...newest.values()];
}

/** Not if the scene is unchanged (a view that was not recomputed), nor if the window of a large map jumps. */
function canMove(
  tiles: TileCache,
  [before, after]: readonly [number, number],
  viewer: string | null,
): boolean {
  if (before === after) return false;
  const [originBefore, originAfter] = [tiles.scene(before).origin, tiles.scene(after).origin];
  return viewer !== null || (originBefore.x === originAfter.x && originBefore.y === originAfter.y);
}

/** The index of the scene of the whole map, or of one agent's view. */
function placeOf(run: PageRun, scenes: PageScenes, viewer: string | null): number | null {
  if (viewer === null) return scenes.map;
  return scenes.eyes[run.agents.findIndex(({ id }) => id === viewer)] ?? null;
}

function describe(run: PageRun, scene: Scene, viewer: string | null): string {
  const map = run.isMapWhole ? 'The whole map' : 'The map around the acting agent';
  const subject = viewer === null ? map : `What ${nameOf(run, viewer)} sees`;
  const names = [...new Set(scene.things.map(({ name }) => name))];
  const listed = names.length > 12 ? [...names.slice(0, 12), 'more'] : names;
  return `${subject}: ${listed.join(', ')}`;
}

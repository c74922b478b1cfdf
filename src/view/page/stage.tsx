/**
 * One picture with what belongs to it: which run and view it shows, the canvas, and speech in bubbles over its speakers. In: data, state and how
 * far the walks are; out: pixels. The canvas is enlarged by whole device pixels where there is room, so that tiles stay sharp.
 */
import type { Scene } from '../../environment/scene.js';
import { bubblesFor } from '../../replay/film-speech.js';
import type { PageData, PageRun, PageScenes, PageStep } from '../page-data.js';
import { choice, element, say } from './icons.js';
import { rasterOnTheWay, tilesOf, walksOf } from './motion.js';
import { runNames } from './run-names.js';
import { nameOf, runOf, stepAt, viewsOf, type PageState, type PanelState } from './state.js';
import type { TileCache } from './tiles.js';

/** What stands around a picture from top to bottom. */
const HEAD_PIXELS = 62;
/** Below this a bubble takes the width of the picture. */
const SMALL_PIXELS = 400;

export interface StageEvents {
  onChange(panel: PanelState): void;
  onActivate(): void;
}

export class FrameStage {
  readonly element: HTMLElement;
  readonly #canvas = element('canvas', { class: 'picture', role: 'img' });
  readonly #bubbles = element('div', { class: 'bubbles' });
  readonly #frame: HTMLElement;
  readonly #empty = element('p', { class: 'empty', hidden: '' });
  readonly #tip = element('span', { class: 'tip' });
  readonly #run;
  readonly #view;
  #panel: PanelState = { run: '', view: 'map' };
  /** What stands at the head while the pointer is elsewhere. */
  #note = '';
  /** What is on the canvas; null where it is a file. */
  #shown: { readonly scene: Scene } | null = null;

  constructor(label: string, events: StageEvents) {
    this.#run = choice(`${label}: run`, (run) => events.onChange({ ...this.#panel, run }));
    this.#view = choice(`${label}: view`, (view) => events.onChange({ ...this.#panel, view }));
    this.#frame = element('div', { class: 'frame' }, this.#canvas, this.#bubbles);
    const head = element('div', { class: 'stage-head' }, this.#run.element, this.#view.element, this.#tip);
    const room = element('div', { class: 'room' }, this.#frame, this.#empty);
    this.element = element('section', { class: 'stage', 'aria-label': label }, head, room);
    this.element.addEventListener('pointerdown', () => events.onActivate());
    this.#canvas.addEventListener('pointermove', (event) => this.#point(event));
    this.#canvas.addEventListener('pointerleave', () => say(this.#tip, this.#note));
    new ResizeObserver(() => this.#fit()).observe(room);
  }

  /** Of the picture, in its own pixels. */
  get size(): { readonly width: number; readonly height: number } {
    return this.#canvas;
  }

  /** `done`: tiles of the walks that led to the step; null: all of them. */
  show(
    data: PageData,
    tiles: TileCache,
    {
      state,
      place,
      done,
    }: { readonly state: PageState; readonly place: number; readonly done: number | null },
  ): void {
    const panel = state.panels[place];
    const run = panel === undefined ? undefined : runOf(data, panel.run);
    if (panel === undefined || run === undefined) return;
    this.#panel = panel;
    this.#run.offer(runNames(data), run.id);
    this.#run.element.hidden = data.runs.length === 1;
    const views = viewsOf(run);
    this.#view.offer(views, panel.view);
    this.#view.element.hidden = views.length === 0;
    this.element.classList.toggle('active', state.panels.length > 1 && state.active === place);
    const step = stepAt(run, state.step);
    if (panel.view === 'sent') this.#showSent(tiles, run, step);
    else this.#showWorld(tiles, run, { step, done });
  }

  #showSent(tiles: TileCache, run: PageRun, step: PageStep | null): void {
    const picture = step?.calls.findLast((call) => call.picture !== null)?.picture ?? null;
    this.#bubbles.replaceChildren();
    this.#shown = null;
    this.#none(picture === null ? 'No picture was sent in this step.' : null);
    if (picture === null || step === null) return;
    this.#canvas.setAttribute(
      'aria-label',
      `The picture that ${nameOf(run, step.agent)} was sent in step ${step.step}`,
    );
    void tiles.showSent(this.#canvas, run, picture).then(() => this.#fit());
  }

  #showWorld(
    tiles: TileCache,
    run: PageRun,
    { step, done }: { readonly step: PageStep | null; readonly done: number | null },
  ): void {
    const viewer = this.#panel.view.startsWith('agent:') ? this.#panel.view.slice('agent:'.length) : null;
    const after = placeOf(run, step ?? run.start, viewer);
    this.#none(after === null ? 'There is no picture of this.' : null);
    if (after === null) return;
    delete this.#canvas.dataset['hash'];
    const tick = step === null ? [] : run.steps.filter((one) => one.tick === step.tick);
    const scene = tiles.scene(after);
    const walks = done === null ? [] : walksOf(tick);
    const start = step === null ? run.start : (run.steps[step.tick - 2] ?? run.start);
    const before = placeOf(run, start, viewer);
    const tileset = tiles.tileset(run);
    const isMoving =
      done !== null &&
      before !== null &&
      done < tilesOf(walks) &&
      this.#canMove(tiles, [before, after], viewer);
    const raster = isMoving
      ? rasterOnTheWay(tileset, { before: tiles.scene(before), after: scene, walks, viewer }, done)
      : tiles.raster(scene, tileset);
    tiles.show(this.#canvas, raster, tileset);
    this.#shown = { scene };
    this.#setNote(viewer !== null && run.isCrowd ? 'as of their own last step, or the last turn' : '');
    this.#fit();
    this.#canvas.setAttribute('aria-label', describe(run, scene, viewer));
    this.#speak(isMoving ? [] : tick, run, { scene, viewer });
  }

  #setNote(note: string): void {
    if (this.#tip.textContent === this.#note) say(this.#tip, note);
    this.#note = note;
  }

  /** Nothing moves where nothing changed, as in eyes that are not made anew, nor on a map whose window leaps. */
  #canMove(tiles: TileCache, [before, after]: readonly [number, number], viewer: string | null): boolean {
    if (before === after) return false;
    const [old, now] = [tiles.scene(before).origin, tiles.scene(after).origin];
    return viewer !== null || (old.x === now.x && old.y === now.y);
  }

  #none(words: string | null): void {
    this.#frame.hidden = words !== null;
    this.#empty.hidden = words === null;
    say(this.#empty, words ?? '');
  }

  #speak(
    tick: readonly PageStep[],
    run: PageRun,
    { scene, viewer }: { readonly scene: Scene; readonly viewer: string | null },
  ): void {
    const names = Object.fromEntries(run.agents.map(({ id, name }) => [id, name]));
    const bubbles = bubblesFor(
      tick.flatMap(({ said }) => said),
      { scene, viewer, names },
    );
    this.#bubbles.replaceChildren(
      ...bubbles.map(({ text, at }) => {
        const made = element('p', { class: at === null ? 'bubble away' : 'bubble' }, text);
        if (at === null) return made;
        const [x, y] = [((at.x + 0.5) / scene.width) * 100, (at.y / scene.height) * 100];
        made.style.setProperty('--x', `${x}%`);
        // Near the upper edge there is no room over the head.
        made.classList.toggle('below', y < 22);
        made.style.setProperty('--y', `${y < 22 ? ((at.y + 1) / scene.height) * 100 : y}%`);
        made.classList.toggle('left', x < 30);
        made.classList.toggle('right', x > 70);
        return made;
      }),
    );
  }

  /** Names what lies under the pointer. */
  #point(event: PointerEvent): void {
    const shown = this.#shown;
    if (shown === null) return;
    const { scene } = shown;
    const x = Math.floor((event.offsetX / this.#canvas.clientWidth) * scene.width);
    const y = Math.floor((event.offsetY / this.#canvas.clientHeight) * scene.height);
    const names = scene.things.filter((thing) => thing.x === x && thing.y === y).map(({ name }) => name);
    const ground = scene.legend[scene.ground[y * scene.width + x] ?? -1] ?? 'unknown';
    say(this.#tip, `${x + scene.origin.x}, ${y + scene.origin.y}: ${[...names, ground].join(', ')}`);
  }

  #fit(): void {
    const room = this.#frame.parentElement;
    const { width, height } = this.#canvas;
    if (room === null || width === 0) return;
    const ratio = devicePixelRatio;
    const free = Math.min(room.clientWidth / width, room.clientHeight / height) * ratio;
    // By eighths, so that every tile has the same whole number of pixels.
    const scale = (free >= 1 ? Math.floor(free * 8) / 8 : free) / ratio;
    this.#frame.classList.toggle('small', width * scale < SMALL_PIXELS);
    this.#canvas.style.width = `${width * scale}px`;
    this.#canvas.style.height = `${height * scale}px`;
  }
}

/** Of the whole map, or of what one agent sees. */
function placeOf(run: PageRun, scenes: PageScenes, viewer: string | null): number | null {
  if (viewer === null) return scenes.map;
  return scenes.eyes[run.agents.findIndex(({ id }) => id === viewer)] ?? null;
}

function describe(run: PageRun, scene: Scene, viewer: string | null): string {
  const map = run.isMapWhole ? 'The whole map' : 'The map around who acts';
  const whose = viewer === null ? map : `What ${nameOf(run, viewer)} sees`;
  const names = [...new Set(scene.things.map(({ name }) => name))];
  const told = names.length > 12 ? [...names.slice(0, 12), 'more'] : names;
  return `${whose}: ${told.join(', ')}`;
}

/** Whether two pictures are larger one above the other than side by side in a room. */
export function areLargerStacked(
  { width, height }: { readonly width: number; readonly height: number },
  room: { readonly width: number; readonly height: number },
): boolean {
  const beside = Math.min(room.width / 2 / width, (room.height - HEAD_PIXELS) / height);
  return Math.min(room.width / width, (room.height / 2 - HEAD_PIXELS) / height) > beside;
}

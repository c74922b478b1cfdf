/**
 * One picture with its controls: which run and view it shows, the canvas, and speech in bubbles over its
 * speakers. The canvas is enlarged by whole device pixels if there is room, so that tiles stay sharp.
 */
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { known } from '../../base/assert.js';
import type { Scene } from '../../environment/scene.js';
import type { Point } from '../../environment/space.js';
import type { Bubble } from '../../render/bubble.js';
import type { PageData, PageRun } from '../page-data.js';
import { regionOf, type Area } from './filter.js';
import { Choice, classes } from './icons.js';
import type { PageFrame, PageStore } from './page-store.js';
import { contentOf, drawPicture, pictureOf, tipOf, type Picture } from './picture.js';
import { runNames } from './run-names.js';
import { runOf, stepAt, viewsOf, type PanelState } from './state.js';
import type { TileCache } from './tiles.js';

const HEAD_PIXELS = 62;
/** Below this width, a bubble is as wide as the picture. */
const SMALL_PIXELS = 400;

interface StagesProps {
  store: PageStore;
  frame: PageFrame;
}

/** One or two pictures, side by side or stacked. */
export function Stages({ store, frame }: StagesProps) {
  const stages = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (stages.current !== null) stages.current.classList.toggle('stacked', areLargerStacked(stages.current));
  });
  return (
    <div class="stages" ref={stages}>
      {frame.snapshot.state.panels.map((_, place) => (
        <Stage key={place} store={store} frame={frame} place={place} />
      ))}
    </div>
  );
}

function Stage({ store, frame, place }: StagesProps & { place: number }) {
  const { data, state } = frame.snapshot;
  const [pointed, setPointed] = useState<Point | null>(null);
  const panel = known(state.panels[place], 'a panel');
  const run = known(runOf(data, panel.run), 'its run');
  const { tilesDone, isFollowing } = frame;
  const step = stepAt(run, state.step);
  const picture = pictureOf(store.tiles, { run, step, view: panel.view, tilesDone, isFollowing });
  const isNone = picture.kind === 'none';
  const scene = picture.kind === 'world' ? picture.scene : null;
  const canvas = useDrawn(store.tiles, run, picture);
  const dragged = useRef<Point | null>(null);
  /** A region is dragged from one tile to another; a click alone selects none. */
  const drag = (tile: Point, { origin, width, height }: Scene): void => {
    const from = dragged.current;
    if (from === null || (from.x === tile.x && from.y === tile.y && state.region === null)) return;
    const inWorld = ({ x, y }: Point) => ({
      x: Math.max(0, Math.min(width - 1, x)) + origin.x,
      y: Math.max(0, Math.min(height - 1, y)) + origin.y,
    });
    store.set({ region: regionOf(inWorld(from), inWorld(tile)) });
  };
  const isOneOfTwo = state.panels.length > 1;
  const label = isOneOfTwo ? `Picture ${place + 1}` : 'Picture';
  const isActive = isOneOfTwo && state.active === place;
  return (
    <section
      class={classes('stage', isActive && 'active')}
      aria-label={label}
      onPointerDown={() => store.set({ active: place })}
    >
      <div class="stage-head">
        {choicesOf(data, run, { panel, label, onChoose: (chosen) => store.setPanel(place, chosen) })}
        <span class="tip">{picture.kind === 'world' && tipOf(picture, pointed)}</span>
      </div>
      <div class="room">
        <div class="frame" hidden={isNone}>
          <canvas
            class="picture"
            role="img"
            aria-label={isNone ? undefined : picture.label}
            ref={canvas}
            onPointerDown={(event) => {
              dragged.current = scene && tileUnder(event, event.currentTarget, scene);
              event.currentTarget.setPointerCapture(event.pointerId);
            }}
            onPointerMove={(event) => {
              const tile = scene && tileUnder(event, event.currentTarget, scene);
              setPointed(tile);
              if (scene !== null && tile !== null && event.buttons === 1) drag(tile, scene);
            }}
            onPointerLeave={() => setPointed(null)}
          />
          {scene !== null &&
            state.region !== null &&
            state.region.areas.map((area) => regionOver(area, scene))}
          <div class="bubbles">
            {picture.kind === 'world' && picture.bubbles.map((one) => bubbleOf(one, picture.scene))}
          </div>
        </div>
        <p class="empty" hidden={!isNone}>
          {isNone && picture.text}
        </p>
      </div>
    </section>
  );
}

interface Choices {
  panel: PanelState;
  /** The picture's label for screen readers. */
  label: string;
  onChoose: (panel: PanelState) => void;
}

function choicesOf(data: PageData, run: PageRun, { panel, label, onChoose }: Choices) {
  const views = viewsOf(run);
  return [
    <Choice
      label={`${label}: run`}
      options={runNames(data)}
      value={run.id}
      hidden={data.runs.length === 1}
      onChoose={(id) => onChoose({ ...panel, run: id })}
    />,
    <Choice
      label={`${label}: view`}
      options={views}
      value={panel.view}
      hidden={views.length === 0}
      onChoose={(view) => onChoose({ ...panel, view })}
    />,
  ];
}

/** A canvas that shows the picture, as large as its container allows. */
function useDrawn(tiles: TileCache, run: PageRun, picture: Picture) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useLayoutEffect(() => {
    if (canvas.current !== null) void draw(canvas.current, tiles, { run, picture });
  }, [run.id, ...contentOf(picture)]);
  useLayoutEffect(() => {
    const room = canvas.current?.closest('.room') ?? null;
    if (room === null) return undefined;
    const observer = new ResizeObserver(() => canvas.current !== null && fit(canvas.current));
    observer.observe(room);
    return () => observer.disconnect();
  }, []);
  return canvas;
}

/** Above its speaker's head; at the edge if the speaker is out of sight. */
function bubbleOf({ text, at }: Bubble, scene: Scene) {
  if (at === null) return <p class="bubble away">{text}</p>;
  const [x, y] = [((at.x + 0.5) / scene.width) * 100, (at.y / scene.height) * 100];
  // Near the upper edge there is no room above the head.
  const isBelow = y < 22;
  const top = isBelow ? ((at.y + 1) / scene.height) * 100 : y;
  return (
    <p
      class={classes('bubble', isBelow && 'below', x < 30 && 'left', x > 70 && 'right')}
      style={{ '--x': `${x}%`, '--y': `${top}%` }}
    >
      {text}
    </p>
  );
}

function regionOver({ from, to }: Area, { origin, width, height }: Scene) {
  const [left, top] = [Math.max(0, from.x - origin.x), Math.max(0, from.y - origin.y)];
  const [right, bottom] = [Math.min(width, to.x - origin.x + 1), Math.min(height, to.y - origin.y + 1)];
  if (right <= left || bottom <= top) return null;
  const style = {
    left: `${(left / width) * 100}%`,
    top: `${(top / height) * 100}%`,
    width: `${((right - left) / width) * 100}%`,
    height: `${((bottom - top) / height) * 100}%`,
  };
  return <div class="region" style={style} />;
}

function tileUnder(
  { offsetX, offsetY }: { offsetX: number; offsetY: number },
  { clientWidth, clientHeight }: Element,
  { width, height }: Scene,
) {
  return {
    x: Math.floor((offsetX / clientWidth) * width),
    y: Math.floor((offsetY / clientHeight) * height),
  };
}

/** Fits a picture whose size has changed; a ResizeObserver reports changes of its container. */
async function draw(
  canvas: HTMLCanvasElement,
  tiles: TileCache,
  content: { run: PageRun; picture: Picture },
): Promise<void> {
  const { width, height } = canvas;
  await drawPicture(canvas, tiles, content);
  if (canvas.width !== width || canvas.height !== height) fit(canvas);
}

function fit(canvas: HTMLCanvasElement): void {
  const frame = canvas.parentElement;
  const room = frame?.parentElement;
  const { width, height } = canvas;
  if (frame === null || room === null || room === undefined || width === 0) return;
  const ratio = devicePixelRatio;
  const freeScale = Math.min(room.clientWidth / width, room.clientHeight / height) * ratio;
  // In steps of an eighth, so that every tile has the same whole number of pixels.
  const scale = (freeScale >= 1 ? Math.floor(freeScale * 8) / 8 : freeScale) / ratio;
  frame.classList.toggle('small', width * scale < SMALL_PIXELS);
  canvas.style.width = `${width * scale}px`;
  canvas.style.height = `${height * scale}px`;
}

/** Whether two pictures are larger stacked than side by side. */
function areLargerStacked(stages: HTMLElement): boolean {
  const [first] = stages.getElementsByTagName('canvas');
  if (first === undefined || stages.childElementCount < 2) return false;
  const { width, height } = first;
  const room = { width: stages.clientWidth, height: stages.clientHeight };
  const sideBySide = Math.min(room.width / 2 / width, (room.height - HEAD_PIXELS) / height);
  return Math.min(room.width / width, (room.height / 2 - HEAD_PIXELS) / height) > sideBySide;
}

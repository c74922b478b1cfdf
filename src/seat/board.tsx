/** The picture of what the entity sees, exactly as a model would get it; a click on a tile walks there. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Observation } from '../serve/gen/orchestrate/world/v1/world_pb.js';
import { classes } from '../view/page/icons.js';
import type { SeatStore } from './seat-store.js';
import { commandTo, namesAt } from './walking.js';

interface BoardProps {
  store: SeatStore;
  observation: Observation;
  isAsked: boolean;
}

interface Tile {
  x: number;
  y: number;
}

export function Board({ store, observation, isAsked }: BoardProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [pointedTile, setPointed] = useState<Tile | null>(null);
  const [hint, setHint] = useState('');
  const { frame } = observation;
  useLayoutEffect(() => {
    setHint('');
    if (canvas.current !== null && frame !== undefined) void drawPicture(canvas.current, frame.png);
  }, [frame?.hash, observation.tick, observation.attempt]);
  if (frame === undefined) return null;
  // In a world without space, clicks on the picture have no effect.
  const hasSpace = observation.facts?.window !== undefined;
  const click = (tile: Tile | null): void => {
    if (!hasSpace) return;
    const command = tile === null ? null : commandTo(observation, tile);
    if (command !== null) void store.act(command);
    else
      setHint(
        'You don’t know a path to that tile. Click on something that you see, or on a tile next to you.',
      );
  };
  return (
    <div class="board">
      <canvas
        class={classes('picture', hasSpace && 'walkable', !isAsked && 'waiting')}
        role="img"
        aria-label="What you see. The text beside it says the same."
        ref={canvas}
        onPointerMove={(event) => setPointed(tileUnder(event, observation))}
        onPointerLeave={() => setPointed(null)}
        onClick={(event) => click(tileUnder(event, observation))}
      />
      {hasSpace && <p class="tip">{hint === '' ? tipOf(observation, pointedTile) : hint}</p>}
    </div>
  );
}

/** What is there, and what a click does. */
function tipOf(observation: Observation, tile: Tile | null): string {
  if (tile === null) return 'Click on a tile to go there. Arrow keys move in a direction.';
  const names = namesAt(observation, tile).map(({ name }) => name);
  const command = commandTo(observation, tile);
  const clickEffect = command === null ? '' : `click: ${command.words}`;
  return [names.join(', '), clickEffect].filter((part) => part !== '').join(' · ');
}

/** The tile of the world under the pointer; null on the margin and in worlds without space. */
function tileUnder(
  event: MouseEvent & { currentTarget: HTMLCanvasElement },
  observation: Observation,
): Tile | null {
  const { currentTarget: canvas, offsetX, offsetY } = event;
  const origin = observation.facts?.window?.origin;
  const { tilePixels = 0, marginPixels = 0 } = observation.frame ?? {};
  if (origin === undefined || tilePixels === 0 || canvas.clientWidth === 0) return null;
  const scale = canvas.width / canvas.clientWidth;
  const along = (offset: number) => Math.floor((offset * scale - marginPixels) / tilePixels);
  const [x, y] = [along(offsetX), along(offsetY)];
  return x < 0 || y < 0 ? null : { x: x + origin.x, y: y + origin.y };
}

async function drawPicture(canvas: HTMLCanvasElement, png: Uint8Array): Promise<void> {
  const picture = await createImageBitmap(new Blob([png.slice()], { type: 'image/png' }));
  canvas.width = picture.width;
  canvas.height = picture.height;
  canvas.getContext('2d')?.drawImage(picture, 0, 0);
  picture.close();
}

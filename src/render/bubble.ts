/**
 * A speech bubble over a scene: a box of text above its speaker with a tail pointing down to the speaker;
 * without a visible speaker, it is at the top.
 */
import type { Point } from '../environment/space.js';
import { fillRect, writeText } from './text.js';
import type { TextBox, Raster } from './text.js';
import { wrapWords, writable } from './film-words.js';
import type { Tileset } from './tileset.js';

const COLUMNS = 26;
const LINES = 6;
const PADDING = 3;
const LINE_HEIGHT = 9;

/** An utterance as shown over a scene. */
export interface Bubble {
  text: string;
  /** The speaker's tile in the scene; null if the speaker is not in it. */
  at: Point | null;
}

export interface BubblePlace {
  bubble: Bubble;
  /** The scene's box in the picture, in pixels. */
  within: TextBox;
  /** The side of a tile in pixels. */
  cell: number;
  zoom: number;
  /** The bubble stays above this line, because simultaneous bubbles are stacked. */
  floor: number;
}

/** Returns the lower limit for the next bubble. Nothing is drawn without a font. */
export function drawBubble(raster: Raster, placement: BubblePlace, { font, colours }: Tileset): number {
  if (font === null) return placement.floor;
  const { bubble, within, zoom } = placement;
  const columns = Math.max(6, Math.min(COLUMNS, Math.floor(within.width / (font.width * zoom)) - 2));
  const lines = wrapWords(writable(bubble.text, font), columns, LINES);
  const longest = Math.max(...lines.map((line) => Array.from(line).length));
  const width = (longest * font.width + 2 * PADDING) * zoom;
  const height = (lines.length * LINE_HEIGHT + 2 * PADDING) * zoom;
  const tailTip = tailTipOf(placement);
  const x = clamp(tailTip.x - Math.floor(width / 2), within.x, within.x + within.width - width);
  const preferredTop = Math.min(tailTip.y - 2 * zoom - height, placement.floor - height);
  const y = clamp(preferredTop, within.y, within.y + within.height - height);
  const border = zoom;
  fillRect(raster, { x, y, width, height }, colours.paper);
  fillRect(
    raster,
    { x: x + border, y: y + border, width: width - 2 * border, height: height - 2 * border },
    colours.ink,
  );
  if (bubble.at !== null && y + height <= tailTip.y)
    fillRect(
      raster,
      {
        x: tailTip.x - zoom,
        y: y + height - border,
        width: 2 * zoom,
        height: tailTip.y - y - height + border,
      },
      colours.ink,
    );
  for (const [i, text] of lines.entries())
    writeText(raster, font, {
      x: x + PADDING * zoom,
      y: y + (PADDING + i * LINE_HEIGHT) * zoom,
      text,
      colour: colours.paper,
      zoom,
    });
  return y;
}

/** The middle of the speaker's upper edge. */
function tailTipOf({ bubble: { at }, within, cell }: BubblePlace): {
  x: number;
  y: number;
} {
  if (at === null) return { x: within.x + Math.floor(within.width / 2), y: within.y };
  return { x: within.x + Math.floor((at.x + 0.5) * cell), y: within.y + at.y * cell };
}

function clamp(value: number, min: number, max: number): number {
  return Math.max(min, Math.min(Math.max(min, max), value));
}

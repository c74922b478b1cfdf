/**
 * The last few frames of a tileset, so that a view that has not changed is neither drawn nor hashed again. A view is the tiles that it shows
 * and what is drawn over them; frames are never changed, so the same one may be given out twice.
 */
import type { Composites, Pixels } from './composites.js';
import type { Frame } from './frame.js';

/** All that a frame depends on, apart from its tileset. */
export interface FrameView {
  /** Row by row, before anything is drawn over them; the same object for the same pixels. */
  readonly cells: readonly (Pixels | undefined)[];
  readonly columns: number;
  /** What is drawn over them, as a text; different wherever that is. */
  readonly aids: string;
  /** Pixels of a tile's side in the file. */
  readonly cell: number;
}

interface KeptFrame {
  readonly view: FrameView;
  readonly frame: Frame;
}

/** About one for each agent. */
const FRAMES_MAX = 8;
const kept = new WeakMap<Composites, KeptFrame[]>();

/** The frame of this view, drawn where it is not among the recent ones. */
export function recentFrame(composites: Composites, view: FrameView, draw: () => Frame): Frame {
  const frames = kept.get(composites) ?? [];
  const known = frames.find((one) => isSame(one.view, view));
  if (known !== undefined) return known.frame;
  const frame = draw();
  frames.unshift({ view, frame });
  if (frames.length > FRAMES_MAX) frames.pop();
  kept.set(composites, frames);
  return frame;
}

function isSame(one: FrameView, other: FrameView): boolean {
  if (one.cell !== other.cell || one.columns !== other.columns || one.aids !== other.aids) return false;
  if (one.cells.length !== other.cells.length) return false;
  for (let i = one.cells.length - 1; i >= 0; i--) if (one.cells[i] !== other.cells[i]) return false;
  return true;
}

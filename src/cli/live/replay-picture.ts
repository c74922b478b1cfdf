/**
 * The picture next to a step in the terminal: the one that its agent was sent, or the world after the step as
 * the map, as one agent's view, or all side by side.
 */
import { WORLD_ID } from '../../base/ids.js';
import type { StepRecord } from '../../trajectory/records.js';
import { sentFrame } from '../../replay/sent-frame.js';
import { drawStill } from '../../replay/still.js';
import type { CharacterBox } from '../terminal/kitty-image.js';
import { shownPicture } from '../terminal/pictures.js';
import type { PictureMethod, ShownPicture } from '../terminal/pictures.js';
import { viewersOf } from '../logs/replay-source.js';
import type { ReplaySource } from '../logs/replay-source.js';
import { pngOf } from '../files/replay-still.js';

/** `sent`: the frame of the step's call; otherwise, the view that `--view` selects. */
export type ReplayView = 'sent' | 'map' | 'all' | `agent:${string}`;

export interface StepPicture extends ShownPicture {
  /** Whether the drawn world matches the one in the log. */
  isAsLogged: boolean;
}

/** Null if the environment draws nothing. */
export async function stepPicture(
  source: ReplaySource,
  request: { step: StepRecord; view: ReplayView; method: PictureMethod; box: CharacterBox },
): Promise<StepPicture | null> {
  if (!source.hasPicture) return null;
  const { step, view, method, box } = request;
  const sent = view === 'sent' ? sentFrame(source.reader, step) : null;
  if (sent !== null) return { ...(await shownPicture(sent.png, method, box)), isAsLogged: true };
  const ownView = step.agent === WORLD_ID ? 'map' : `agent:${step.agent}`;
  const viewers = viewersOf(source, { view: view === 'sent' ? ownView : view, agent: undefined });
  const png = pngOf(drawStill(source, viewers, step.step), source);
  const { isAsLogged } = source.states.at(step.step);
  return { ...(await shownPicture(png, method, box)), isAsLogged };
}

/**
 * The speech of a tick, and in which picture and over which speaker it is shown. Only hearers' windows show
 * it; the map shows everything.
 */
import { lookUp } from '../base/look-up.js';
import type { Scene } from '../environment/scene.js';
import { spokenIn } from '../environment/spoken.js';
import type { SpokenLine } from '../environment/spoken.js';
import type { Bubble } from '../render/bubble.js';
import type { StepActs } from '../trajectory/records.js';

export interface SpeechView {
  scene: Pick<Scene, 'things'>;
  viewer: string | null;
  names: Readonly<Record<string, string>>;
}

export function speechIn(tick: readonly Pick<StepActs, 'events'>[]): readonly SpokenLine[] {
  return tick.flatMap(({ events }) => events.map(spokenIn)).filter((line) => line !== null);
}

/** `viewer` null: the whole map. A speaker who is out of sight is named in the text; `names` by id. */
export function bubblesFor(
  utterances: readonly SpokenLine[],
  { scene, viewer, names }: SpeechView,
): readonly Bubble[] {
  return utterances
    .filter(({ speaker, hearers }) => viewer === null || viewer === speaker || hearers.includes(viewer))
    .map(({ speaker, text }) => {
      const body = scene.things.find(({ id }) => id === speaker);
      return body === undefined
        ? { text: `${lookUp(names, speaker) ?? speaker}: ${text}`, at: null }
        : { text, at: { x: body.x, y: body.y } };
    });
}

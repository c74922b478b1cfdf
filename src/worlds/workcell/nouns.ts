/**
 * What a robot may name in an argument: parts on the sides that it has seen, spares that it saw on the shelf,
 * robots that it has met.
 */
import type { Noun } from '../../environment/observation.js';
import type { RobotView } from './view.js';
import type { Workcell } from './world.js';
import { robotName } from './world.js';
import { nameText } from './wording.js';

/** Kinds: `part` (and its place), `spare`, `robot`; in this order, each as in the view. */
export function nounsOf(world: Workcell, { mind, places, shelf }: RobotView): readonly Noun[] {
  return [
    ...places.map(({ part }) => noun(part.id, nameText(part.name), 'part')),
    ...(shelf ?? []).map(({ id, name }) => noun(id, name, 'spare')),
    ...mind.met.map((id) => noun(id, robotName(world, id), 'robot')),
  ];
}

function noun(id: string, name: string, kind: string): Noun {
  return { id, name, aliases: [], kinds: [kind] };
}

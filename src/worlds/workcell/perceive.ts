/**
 * What a robot may name, and what it knows as JSON for programs (`repair-facts.ts`); both made from its view,
 * like its text and its picture.
 */
import type { NewsFacts } from '../../environment/news.js';
import type { Noun } from '../../environment/observation.js';
import { nameText } from '../../environment/wording.js';
import { ANGLES, sideName } from './definition.js';
import type { PartCondition, RepairFacts } from './repair-facts.js';
import type { RobotView, ScanResult } from './view.js';
import type { Workcell } from './world.js';
import { robotName } from './world.js';

/**
 * Parts on the sides that it has seen, spares that it saw on the shelf, robots that it has met; of the kinds
 * `part` (and its place), `spare` and `robot`.
 */
export function nounsOf(world: Workcell, { mind, places, shelf }: RobotView): readonly Noun[] {
  const noun = (id: string, name: string, kind: string): Noun => ({ id, name, aliases: [], kinds: [kind] });
  return [
    ...places.map(({ part }) => noun(part.id, nameText(part.name), 'part')),
    ...(shelf ?? []).map(({ id, name }) => noun(id, name, 'spare')),
    ...mind.met.map((id) => noun(id, robotName(world, id), 'robot')),
  ];
}

export function factsOf(world: Workcell, view: RobotView, news: NewsFacts): RepairFacts {
  const { robot, self, mind, held, others } = view;
  return {
    turn: view.turn,
    self: {
      id: robot.id,
      name: nameText(robot.name),
      status: self.status,
      orientation: self.orientation,
      holds: held && {
        id: held.id,
        name: held.name,
        fits: held.part.id,
        condition: conditionOf(held.finding),
      },
    },
    sides: ANGLES.map((angle) => ({
      orientation: angle,
      name: sideName(angle),
      seen: mind.scanned.includes(angle),
    })),
    places: view.places.map(({ part, item, finding, isVisible, turn }) => ({
      id: part.id,
      name: nameText(part.name),
      side: part.side,
      isEmpty: item === null,
      condition: conditionOf(finding),
      visible: isVisible,
      turn: isVisible ? null : turn,
    })),
    spares: view.shelf?.map(({ id, name, part }) => ({ id, name, fits: part.id })) ?? null,
    robots: mind.met.map((id) => {
      const other = others.find((one) => one.id === id);
      const hands = other === undefined ? null : other.state.holds === null ? 'empty' : 'full';
      return { id, name: robotName(world, id), here: other !== undefined, hands };
    }),
    ...news,
  };
}

function conditionOf(finding: ScanResult | null): PartCondition {
  if (finding === null) return null;
  return finding.fault === null ? 'sound' : 'faulty';
}

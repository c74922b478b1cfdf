/**
 * The facts of an observation: the same knowledge as the text and the frame, as JSON for programs. The type
 * is in `worlds/workcell/repair-facts.ts`.
 */
import type { PartCondition, RepairFacts } from './repair-facts.js';
import { ANGLES } from './definition.js';
import type { WorkcellState } from './state.js';
import type { ScanResult, KnownItem, RobotView } from './view.js';
import { nameText, sideName } from './wording.js';
import type { Workcell } from './world.js';
import { robotName } from './world.js';

export function factsOf(world: Workcell, state: WorkcellState, view: RobotView): RepairFacts {
  const { robot, self, mind } = view;
  return {
    turn: state.turn,
    self: {
      id: robot.id,
      name: nameText(robot.name),
      status: self.status,
      orientation: self.orientation,
      holds: view.held === null ? null : heldFact(view.held),
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
      condition: condition(finding),
      visible: isVisible,
      turn: isVisible ? null : turn,
    })),
    spares: view.shelf?.map(({ id, name, part }) => ({ id, name, fits: part.id })) ?? null,
    robots: robotFacts(world, view),
    heard: heardFacts(view),
    noticed: mind.inbox.flatMap((item) => (item.kind === 'noticed' ? [item.line] : [])),
    recalled: mind.recalled,
    last: mind.last,
    lastOk: mind.lastOk,
  };
}

function heldFact({ id, name, part, finding }: KnownItem): NonNullable<RepairFacts['self']['holds']> {
  return { id, name, fits: part.id, condition: condition(finding) };
}

function condition(finding: ScanResult | null): PartCondition {
  if (finding === null) return null;
  return finding.fault === null ? 'sound' : 'faulty';
}

function robotFacts(world: Workcell, { mind, others }: RobotView): RepairFacts['robots'] {
  return mind.met.map((id) => {
    const robotHere = others.find((other) => other.id === id);
    const hands = robotHere === undefined ? null : robotHere.state.holds === null ? 'empty' : 'full';
    return { id, name: robotName(world, id), here: robotHere !== undefined, hands };
  });
}

function heardFacts({ mind }: RobotView): RepairFacts['heard'] {
  return mind.inbox.flatMap((item) => {
    if (item.kind !== 'heard') return [];
    const { speaker, text, turn } = item.utterance;
    return [{ speaker, name: item.speakerName, text, turn, distance: item.distance }];
  });
}

/**
 * Makes the initial state from a definition and a seed. The seed decides what the definition leaves open,
 * each with a separate random stream: the car, the faulty parts and their faults, the spares on the shelf.
 */
import { assert, at } from '../../base/assert.js';
import { compareText } from '../../base/ids.js';
import { lookUp } from '../../base/look-up.js';
import type { RngState } from '../../base/rng.js';
import { pick, stream } from '../../base/rng.js';
import type { FaultChoice, PartDefinition, WorkcellDefinition } from './definition.js';
import type { ItemState, WorkcellMindState, WorkcellState } from './state.js';
import { learn } from './view.js';
import type { Workcell } from './world.js';

export function createState(world: Workcell, seed: string): WorkcellState {
  const { definition } = world;
  const car = pick(
    stream(seed, 'car'),
    definition.cars.map((_, index) => index),
  ).value;
  const { parts } = at(definition.cars, car);
  const faults = drawFaults(definition, parts, seed);
  const spares = drawSpares(definition, parts, { faults, seed });
  const items = [
    ...parts.map(({ id }): ItemState => ({
      id,
      part: id,
      isSpare: false,
      fault: lookUp(faults, id) ?? null,
    })),
    ...spares.map((id): ItemState => ({ id: `spare-${id}`, part: id, isSpare: true, fault: null })),
  ];
  const state: WorkcellState = {
    turn: 1,
    car,
    items: Object.fromEntries(items.map((item) => [item.id, item])),
    places: Object.fromEntries(parts.map(({ id }) => [id, id])),
    shelf: spares.map((id) => `spare-${id}`).toSorted(compareText),
    burnt: [],
    robots: Object.fromEntries(
      definition.robots.map(({ id, orientation }) => [id, { id, orientation, holds: null, status: 'awake' }]),
    ),
    minds: Object.fromEntries(definition.robots.map(({ id }) => [id, EMPTY_MIND])),
  };
  return learn(world, state);
}

const EMPTY_MIND: WorkcellMindState = {
  scanned: [],
  places: {},
  findings: {},
  met: [],
  shelf: null,
};

/** Faulty parts with their faults. Named parts come first, so that they can't be drawn for another fault. */
function drawFaults(
  definition: WorkcellDefinition,
  parts: readonly PartDefinition[],
  seed: string,
): Readonly<Record<string, string>> {
  const namedFaults = definition.faults.filter(({ part }) => part !== null);
  const unnamedFaults = definition.faults.filter(({ part }) => part === null);
  let rng = stream(seed, 'faults');
  const faultByPart: Record<string, string> = {};
  for (const choice of [...namedFaults, ...unnamedFaults]) {
    const candidates = parts.filter(
      (part) => isCandidate(definition, part, choice) && lookUp(faultByPart, part.id) === undefined,
    );
    assert(candidates.length > 0, 'a part that can be faulty');
    const part = pick(rng, candidates);
    const fault = pick(
      part.state,
      part.value.faults.filter(({ id }) => choice.fault === null || choice.fault === id),
    );
    faultByPart[part.value.id] = fault.value.id;
    rng = fault.state;
  }
  return faultByPart;
}

/** Whether a part can have a fault; if the spares are listed, only if it has a spare. */
function isCandidate({ stock }: WorkcellDefinition, part: PartDefinition, choice: FaultChoice): boolean {
  const matchesPart = choice.part === null || choice.part === part.id;
  const matchesSide = choice.side === null || choice.side === part.side;
  const canHaveFault = choice.fault === null || part.faults.some(({ id }) => id === choice.fault);
  return (
    matchesPart && matchesSide && canHaveFault && (stock.kind === 'drawn' || stock.parts.includes(part.id))
  );
}

/** Ids of the parts that have a spare: one for each faulty one, others drawn without repetition. */
function drawSpares(
  { stock }: WorkcellDefinition,
  parts: readonly PartDefinition[],
  { faults, seed }: { faults: Readonly<Record<string, string>>; seed: string },
): readonly string[] {
  if (stock.kind === 'listed') return stock.parts;
  const chosen = parts.map(({ id }) => id).filter((id) => lookUp(faults, id) !== undefined);
  let remaining = parts.map(({ id }) => id).filter((id) => lookUp(faults, id) === undefined);
  let rng: RngState = stream(seed, 'spares');
  while (chosen.length < stock.count && remaining.length > 0) {
    const next = pick(rng, remaining);
    chosen.push(next.value);
    remaining = remaining.filter((id) => id !== next.value);
    rng = next.state;
  }
  return chosen;
}

/**
 * Reads the faults of the car and the spares on the shelf. Reports names that don't exist and faults that no
 * spare can repair.
 */
import type { CarDefinition, FaultChoice, PartDefinition, Stock } from '../definition.js';
import { suggest } from '../../../scenario/suggest.js';
import type { WorkcellReading } from './car.js';

export function readStock({ values, report }: WorkcellReading, cars: readonly CarDefinition[]): Stock {
  const { spares } = values;
  if (typeof spares === 'number') {
    if (spares < values.faults.length)
      report.error(['spares'], `${spares} spares for ${values.faults.length} faults`, 'each fault needs one');
    return { kind: 'drawn', count: spares };
  }
  const known = idsOf(cars);
  spares.forEach((id, i) => {
    if (!known.includes(id))
      report.error(['spares', i], `the spare '${id}' fits nothing: the car has no such part`, () =>
        suggest(id, known),
      );
    else if (spares.indexOf(id) < i)
      report.error(['spares', i], `'${id}' is already on the shelf`, 'each part can have only one spare');
  });
  return { kind: 'listed', parts: spares };
}

export function readFaults(
  reading: WorkcellReading,
  cars: readonly CarDefinition[],
  stock: Stock,
): readonly FaultChoice[] {
  const choices = reading.values.faults.map(({ part, side, fault }): FaultChoice => ({
    part: part ?? null,
    side: side ?? null,
    fault: fault ?? null,
  }));
  const failed = reading.report.failed();
  choices.forEach((choice, i) => reportFault(reading, cars, choice, i));
  if (!failed && !reading.report.failed()) reportUnrepairable(reading, cars, { choices, stock });
  return choices;
}

/** Reports a part that does not exist, is on another side, or can't have the fault. */
function reportFault(
  { values, report }: WorkcellReading,
  cars: readonly CarDefinition[],
  choice: FaultChoice,
  i: number,
): void {
  const { part, side, fault } = choice;
  const known = idsOf(cars);
  const isRepeated = part !== null && values.faults.findIndex((other) => other.part === part) < i;
  const carWithoutPart =
    part === null ? undefined : cars.find((car) => !car.parts.some(({ id }) => id === part));
  if (part !== null && !known.includes(part))
    report.error(['faults', i, 'part'], `the car has no part '${part}'`, () => suggest(part, known));
  else if (carWithoutPart !== undefined)
    report.error(
      ['faults', i, 'part'],
      `the ${carWithoutPart.name}, which the seed may choose, has no part '${part}'`,
    );
  else if (isRepeated)
    report.error(['faults', i, 'part'], `'${part}' is already faulty`, 'each part can have only one fault');
  const candidates = matchingParts(
    cars.flatMap(({ parts }) => parts),
    { ...choice, side: null, fault: null },
  );
  if (candidates.length === 0) return;
  if (side !== null && part !== null && candidates.every((each) => each.side !== side))
    report.error(
      ['faults', i, 'side'],
      `'${part}' is on side ${candidates[0]?.side ?? 0}`,
      'leave out the side',
    );
  else if (side !== null && part === null && candidates.every((each) => each.side !== side))
    report.error(['faults', i, 'side'], `the car has no part on side ${side}`);
  const faults = [...new Set(candidates.flatMap((each) => each.faults.map(({ id }) => id)))];
  if (fault !== null && !faults.includes(fault))
    report.error(['faults', i, 'fault'], `'${fault}' is not a fault of ${part ?? 'a part'}`, () =>
      suggest(fault, faults),
    );
}

/** Reports faults that could not be repaired: whatever the seed draws, the faulty part must have a spare. */
function reportUnrepairable(
  { report }: WorkcellReading,
  cars: readonly CarDefinition[],
  { choices, stock }: { choices: readonly FaultChoice[]; stock: Stock },
): void {
  const isStocked = ({ id }: PartDefinition): boolean => stock.kind === 'drawn' || stock.parts.includes(id);
  choices.forEach((choice, i) => {
    const competing = choices.filter((other) => other !== choice && !areDisjoint(other, choice)).length;
    const carShortOfSpares = cars.find(
      ({ parts }) =>
        matchingParts(parts, choice).filter(isStocked).length <= (choice.part === null ? competing : 0),
    );
    if (carShortOfSpares === undefined) return;
    const at = choice.part === null ? ['faults', i] : ['faults', i, 'part'];
    const cause =
      choice.part === null
        ? 'too few of the parts that this fault can affect have spares'
        : `'${choice.part}' has no spare`;
    const added = choice.part === null ? 'more of these parts' : 'the part';
    report.error(
      at,
      `${cause}, so the ${carShortOfSpares.name} could not be repaired`,
      `add ${added} to spares`,
    );
  });
}

function areDisjoint(a: FaultChoice, b: FaultChoice): boolean {
  return a.side !== null && b.side !== null && a.side !== b.side;
}

function matchingParts(
  parts: readonly PartDefinition[],
  { part, side, fault }: FaultChoice,
): readonly PartDefinition[] {
  return parts.filter(
    (each) =>
      (part === null || each.id === part) &&
      (side === null || each.side === side) &&
      (fault === null || each.faults.some(({ id }) => id === fault)),
  );
}

function idsOf(cars: readonly CarDefinition[]): readonly string[] {
  return [...new Set(cars.flatMap(({ parts }) => parts.map(({ id }) => id)))];
}

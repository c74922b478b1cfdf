/**
 * Reads the car of a workcell: a built-in kind, `any` (the seed chooses one), or the scenario's own parts,
 * each of which gets a free place.
 */
import { counted } from '../../../base/counted.js';
import { lookUp } from '../../../base/look-up.js';
import type { Angle, CarDefinition, PartDefinition } from '../definition.js';
import { SIDE_TILES } from '../layout.js';
import { spriteOf } from '../../../scenario/sprites.js';
import { nameFromId } from '../../../scenario/names.js';
import { entriesById } from '../../../scenario/records.js';
import { suggest } from '../../../scenario/suggest.js';
import type { YamlPath } from '../../../scenario/tree.js';
import type { MistakeReport } from '../../../scenario/report.js';
import type { KnownNames } from '../../../scenario/world.js';
import {
  CARS,
  CAR_KINDS,
  BUILT_IN_PARTS,
  KIND_FAULTS,
  PART_KINDS,
  looseSprite,
  mountedSprite,
} from './built-in-parts.js';
import type { CarKind, BuiltInPart } from './built-in-parts.js';
import type { PartInput, WorkcellInput } from './schema-workcell.js';

export interface WorkcellReading {
  values: WorkcellInput;
  known: KnownNames;
  report: MistakeReport;
}

/** One car; for `any`, all of them. */
export function readCars(reading: WorkcellReading): readonly CarDefinition[] {
  const { car } = reading.values;
  if (car.parts !== undefined) {
    if (car.kind !== undefined)
      reading.report.warning(
        { key: ['car', 'kind'] },
        "'kind' has no effect if parts are listed",
        'leave out one of the two',
      );
    return [{ name: car.name ?? 'car', parts: ownParts(reading, car.parts) }];
  }
  const kinds = car.kind === 'any' ? CAR_KINDS : [car.kind ?? 'hatchback'];
  return kinds.map((kind) => builtInCar(kind, car.name ?? kind));
}

function builtInCar(kind: CarKind, name: string): CarDefinition {
  const parts = CARS[kind].flatMap((id) => {
    const builtIn = lookUp(BUILT_IN_PARTS, id);
    return builtIn === undefined ? [] : [buildPart(id, builtIn, NO_INPUT)];
  });
  return { name, parts: sortParts(parts) };
}

const NO_INPUT: PartInput = { description: '' };

function ownParts(
  reading: WorkcellReading,
  inputs: Readonly<Record<string, PartInput>>,
): readonly PartDefinition[] {
  const entries = entriesById(inputs);
  if (entries.length === 0)
    reading.report.error(['car', 'parts'], 'the car has no parts', 'write parts: { windscreen: {} }');
  const fixedParts = entries.flatMap(([id, input]) => fixedPart(reading, id, input));
  const freeEntries = entries.filter(([id, { side }]) => !isFixed(id, side));
  return sortParts(
    freeEntries.reduce<readonly PartDefinition[]>(
      (parts, [id, input]) => placePart(reading, parts, { id, input }),
      fixedParts,
    ),
  );
}

/** Whether a part is built in and stays on its own side, so that its place is fixed. */
function isFixed(id: string, side: Angle | undefined): boolean {
  const builtIn = builtInPart(id);
  return builtIn !== undefined && (side === undefined || side === builtIn.side);
}

function builtInPart(id: string): BuiltInPart | undefined {
  return lookUp(BUILT_IN_PARTS, id);
}

function fixedPart(reading: WorkcellReading, id: string, input: PartInput): readonly PartDefinition[] {
  const builtIn = builtInPart(id);
  if (builtIn === undefined || !isFixed(id, input.side)) return [];
  const kind = input.kind ?? builtIn.kind;
  return [
    buildPart(id, { ...builtIn, kind, sprite: writtenSprite(reading, id, input) ?? builtIn.sprite }, input),
  ];
}

/** The tile that an author names; undefined if none is named. */
function writtenSprite(reading: WorkcellReading, id: string, { sprite }: PartInput): string | undefined {
  if (sprite === undefined) return undefined;
  return spriteOf(reading, sprite, { groups: ['car', 'item'], at: ['car', 'parts', id, 'sprite'] });
}

/** Puts a custom part into the next free place of its side. */
function placePart(
  reading: WorkcellReading,
  parts: readonly PartDefinition[],
  { id, input }: { id: string; input: PartInput },
): readonly PartDefinition[] {
  const path: YamlPath = ['car', 'parts', id];
  const builtIn = builtInPart(id);
  const kind = input.kind ?? builtIn?.kind;
  const { side } = input;
  if (kind === undefined || side === undefined) {
    const missing = [...(kind === undefined ? ['kind'] : []), ...(side === undefined ? ['side'] : [])];
    reading.report.error(
      { key: path },
      `'${id}' is not a built-in part, so it needs ${missing.join(' and ')}`,
      () => suggest(id, Object.keys(BUILT_IN_PARTS)) ?? `write ${id}: { kind: ${PART_KINDS[0]}, side: 90 }`,
    );
    return parts;
  }
  const tile = SIDE_TILES[side].find(({ x, y }) => !parts.some((part) => part.x === x && part.y === y));
  if (tile === undefined) {
    const count = SIDE_TILES[side].length;
    reading.report.error(
      { key: path },
      `side ${side} has ${counted(count, 'place')}, and ${count === 1 ? 'it is' : 'all are'} taken`,
      'put it on another side',
    );
    return parts;
  }
  const sprite = writtenSprite(reading, id, input) ?? mountedSprite(kind, side);
  const name = builtIn?.name ?? nameFromId(id);
  return [...parts, buildPart(id, { name, kind, side, sprite, x: tile.x, y: tile.y }, input)];
}

function buildPart(id: string, properties: BuiltInPart, input: PartInput): PartDefinition {
  const faults = entriesById(input.faults ?? KIND_FAULTS[properties.kind]);
  return {
    id,
    name: input.name ?? properties.name,
    side: properties.side,
    description: input.description,
    faults: faults.map(([fault, finding]) => ({ id: fault, finding })),
    sprite: properties.sprite,
    looseSprite: looseSprite(properties.kind),
    x: properties.x,
    y: properties.y,
  };
}

/** Sorts parts by side, then by the order of the side's places. */
function sortParts(parts: readonly PartDefinition[]): readonly PartDefinition[] {
  const rank = ({ side, x, y }: PartDefinition): number =>
    SIDE_TILES[side].findIndex((tile) => tile.x === x && tile.y === y);
  return parts.toSorted((a, b) => a.side - b.side || rank(a) - rank(b));
}

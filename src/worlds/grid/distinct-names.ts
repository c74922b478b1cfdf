/**
 * Names in words for things of one name: `north barrel`, `your red berries`, `coin in the chest`. Positions
 * are compared with each other, not with the agent's, so a name stays while the agent walks.
 */
import { compareText } from '../../base/ids.js';
import type { Noun } from '../../environment/observation.js';
import type { Point } from '../../environment/space.js';
import { bearing } from '../../environment/space.js';
import { lowerCased } from './wording.js';

/** Where a noun is: on a tile, in the agent's hands, or in something with this name. */
export type NounPlace = ({ kind: 'tile' } & Point) | { kind: 'held' } | { kind: 'inside'; container: string };

export function withDistinctNames(
  nouns: readonly Noun[],
  places: ReadonlyMap<string, NounPlace>,
): readonly Noun[] {
  const owners = new Map<string, number>();
  for (const noun of nouns)
    for (const name of new Set([noun.name, ...noun.aliases].map(lowerCased)))
      owners.set(name, (owners.get(name) ?? 0) + 1);
  const groups = groupedBy(
    nouns.filter(({ name }) => (owners.get(lowerCased(name)) ?? 0) > 1),
    ({ name }) => lowerCased(name),
  );
  if (groups.size === 0) return nouns;
  const taken = new Set([...owners.keys(), ...nouns.map(({ id }) => id)]);
  const distinctNames = new Map<string, string>();
  for (const group of groups.values()) {
    for (const [{ id, name }, qualifier] of qualified(group, places)) {
      const distinctName = free(qualifier(name), name, taken);
      taken.add(lowerCased(distinctName));
      distinctNames.set(id, distinctName);
    }
  }
  return nouns.map((noun) => {
    const distinctName = distinctNames.get(noun.id);
    return distinctName === undefined ? noun : { ...noun, distinctName };
  });
}

function groupedBy<T>(list: readonly T[], keyOf: (item: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const item of list) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}

/** Each noun of a group with what tells it from the others: whose it is, what it is in, where it lies. */
function qualified(
  group: readonly Noun[],
  places: ReadonlyMap<string, NounPlace>,
): readonly (readonly [Noun, (name: string) => string])[] {
  const placed = group.map((noun) => ({ noun, place: places.get(noun.id) ?? null }));
  const tiles = placed.flatMap(({ place }) => (place?.kind === 'tile' ? [place] : []));
  // Multiplied by their number, which keeps the middle a whole number.
  const middle = tiles.reduce((sum, { x, y }) => ({ x: sum.x + x, y: sum.y + y }), { x: 0, y: 0 });
  const isOneTile = tiles.every(({ x, y }) => x * tiles.length === middle.x && y * tiles.length === middle.y);
  const qualifierOf = (place: NounPlace | null): string => {
    if (place === null) return '';
    if (place.kind === 'held') return 'your';
    if (place.kind === 'inside') return `in ${place.container}`;
    if (isOneTile) return '';
    return bearing(middle, { x: place.x * tiles.length, y: place.y * tiles.length }) ?? 'middle';
  };
  const alike = groupedBy(placed.toSorted(inReadingOrder), ({ place }) => qualifierOf(place));
  return [...alike].flatMap(([qualifier, those]) =>
    those.map(({ noun, place }, index) => {
      const ordinal = those.length > 1 ? ordinalOf(index + 1) : qualifier === '' ? 'other' : '';
      const words = (name: string): readonly string[] => {
        if (place?.kind === 'inside') return [ordinal, name, qualifier];
        return place?.kind === 'held' ? [qualifier, ordinal, name] : [ordinal, qualifier, name];
      };
      return [
        noun,
        (name: string) =>
          words(name)
            .filter((word) => word !== '')
            .join(' '),
      ] as const;
    }),
  );
}

interface Placed {
  noun: Noun;
  place: NounPlace | null;
}

/** From the north-west, row by row. */
function inReadingOrder(a: Placed, b: Placed): number {
  const [one, other] = [a.place, b.place].map((place) => (place?.kind === 'tile' ? place : { x: 0, y: 0 }));
  const [dx, dy] = [(one?.x ?? 0) - (other?.x ?? 0), (one?.y ?? 0) - (other?.y ?? 0)];
  return dy || dx || compareText(a.noun.id, b.noun.id);
}

const ORDINALS = [
  'first',
  'second',
  'third',
  'fourth',
  'fifth',
  'sixth',
  'seventh',
  'eighth',
  'ninth',
  'tenth',
];

function ordinalOf(number: number): string {
  return ORDINALS[number - 1] ?? `${number}th`;
}

/** The name, or the first numbered one that nothing else has. */
function free(distinctName: string, name: string, taken: ReadonlySet<string>): string {
  let result = distinctName;
  for (let number = 1; taken.has(lowerCased(result)); number++) result = `${name} number ${number}`;
  return result;
}

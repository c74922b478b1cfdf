/**
 * Ids and positions in the grid's part of a scenario: the context that all readers of its parts share, the
 * check that every id is unique and that references exist, and the position of a part, which the legend or
 * `at` gives. Mistakes go to the context's report.
 */
import { WORLD_ID } from '../../../base/ids.js';
import { nearest } from '../../../base/nearest.js';
import { ANY_AGENT, EVERY_AGENT } from '../definition.js';
import { suggest } from '../../../scenario/suggest.js';
import type { MistakePlace, MistakeReport } from '../../../scenario/report.js';
import type { YamlPath } from '../../../scenario/tree.js';
import type { KnownNames } from '../../../scenario/world.js';
import type { GridMap, PlacedKind, MapSpot } from './map.js';
import { isInside } from './map.js';
import type { GridAgentInput, GridInput } from './schema-grid.js';

export type IdKind = PlacedKind | 'room';

export interface GridReading {
  values: GridInput;
  agents: readonly GridAgentInput[];
  known: KnownNames;
  report: MistakeReport;
  map: GridMap;
  /** The kind of thing that each id names. */
  ids: ReadonlyMap<string, IdKind>;
}

const KIND_NOUNS: Readonly<Record<IdKind, string>> = {
  agent: 'agent',
  npc: 'creature',
  thing: 'thing',
  door: 'door',
  room: 'room',
};
const SECTIONS = { npc: 'npcs', thing: 'things', door: 'doors', room: 'rooms' } as const;

/** Reserved words in place of an id. */
const RESERVED: ReadonlySet<string> = new Set([ANY_AGENT, EVERY_AGENT, WORLD_ID]);

/**
 * Every id with its kind; an id that is used twice is reported. General requirements for agents' ids are
 * checked elsewhere.
 */
export function collectIds(
  values: GridInput,
  agents: readonly GridAgentInput[],
  report: MistakeReport,
): ReadonlyMap<string, IdKind> {
  const ids = new Map<string, IdKind>();
  const add = (id: string, kind: IdKind, at: MistakePlace): void => {
    const existingKind = ids.get(id);
    const isReportedElsewhere = kind === 'agent' && (id === WORLD_ID || existingKind === 'agent');
    if (isReportedElsewhere) return;
    if (RESERVED.has(id)) report.error(at, `'${id}' is a reserved word and can't be used as an id`);
    else if (existingKind !== undefined)
      report.error(
        at,
        `the id '${id}' is used twice: for this ${KIND_NOUNS[kind]} and for ${withArticle(KIND_NOUNS[existingKind])}`,
        'choose another id: ids must be unique in a scenario',
      );
    else ids.set(id, kind);
  };
  agents.forEach((agent, i) => add(agent.id, 'agent', ['agents', i, 'id']));
  for (const kind of ['npc', 'thing', 'door', 'room'] as const) {
    const section = SECTIONS[kind];
    for (const id of Object.keys(values[section])) add(id, kind, { key: [section, id] });
  }
  return ids;
}

/** True if `id` names one of these kinds; otherwise reports the mistake and suggests the nearest fitting id. */
export function checkReference(
  reading: GridReading,
  id: string,
  kinds: readonly IdKind[],
  at: MistakePlace,
): boolean {
  const kind = reading.ids.get(id);
  if (kind !== undefined && kinds.includes(kind)) return true;
  const expected = kinds.map((each) => KIND_NOUNS[each]).join(' or ');
  const listCandidates = (): readonly string[] =>
    [...reading.ids].flatMap(([each, itsKind]) => (kinds.includes(itsKind) ? [each] : []));
  if (kind === undefined)
    reading.report.error(at, `no ${expected} has the id '${id}'`, () => suggest(id, listCandidates()));
  else {
    const suggestNearest = (): string | undefined =>
      nearest(id, listCandidates()) === undefined ? undefined : suggest(id, listCandidates());
    reading.report.error(
      at,
      `'${id}' is ${withArticle(KIND_NOUNS[kind])}, but ${withArticle(expected)} is needed`,
      suggestNearest,
    );
  }
  return false;
}

export function withArticle(noun: string): string {
  return /^[aeiou]/.test(noun) ? `an ${noun}` : `a ${noun}`;
}

/** Reports every legend entry that places something unknown. */
export function checkLegend(reading: GridReading): void {
  for (const [character, entry] of Object.entries(reading.values.legend)) {
    if (typeof entry === 'string') continue;
    for (const kind of ['agent', 'npc', 'thing', 'door'] as const) {
      const id = entry[kind];
      if (id !== undefined) checkReference(reading, id, [kind], ['legend', character, kind]);
    }
    entry.things?.forEach((id, i) =>
      checkReference(reading, id, ['thing'], ['legend', character, 'things', i]),
    );
  }
}

/** The position of something; undefined if it has none, or if a mistake was reported. */
export function readSpot(
  reading: GridReading,
  part: {
    kind: PlacedKind;
    id: string;
    at: readonly [number, number] | undefined;
    path: YamlPath;
  },
): MapSpot | undefined {
  const { map, report } = reading;
  const [drawn, duplicate] = map.spots.get(`${part.kind} ${part.id}`) ?? [];
  const written =
    part.at === undefined ? undefined : { x: part.at[0], y: part.at[1], source: [...part.path, 'at'] };
  if (duplicate !== undefined)
    report.error(duplicate.source, `${part.id} appears twice in the map`, 'each can be in one place only');
  if (drawn !== undefined && written !== undefined)
    report.error(
      written.source,
      `${part.id} is already placed by the map`,
      "keep only one: the legend or 'at'",
    );
  const spot = drawn ?? written;
  return spot === undefined ? undefined : checkInside(reading, spot);
}

/** The same position; undefined if it is outside the map, which is reported. */
export function checkInside({ map, report }: GridReading, spot: MapSpot): MapSpot | undefined {
  if (isInside(map, spot.x, spot.y)) return spot;
  report.error(
    spot.source,
    `(${spot.x}, ${spot.y}) is outside the map, which is ${map.width} × ${map.height} tiles`,
    `x is 0 to ${map.width - 1}, y is 0 to ${map.height - 1}`,
  );
  return undefined;
}

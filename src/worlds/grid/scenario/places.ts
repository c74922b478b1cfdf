/**
 * Positions and ids: one id for each thing in the world, and one position for each id, given by the legend or
 * by `at`. All readers of the grid's parts share this context.
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
  readonly values: GridInput;
  readonly agents: readonly GridAgentInput[];
  readonly known: KnownNames;
  readonly report: MistakeReport;
  readonly map: GridMap;
  /** What each id is. */
  readonly ids: ReadonlyMap<string, IdKind>;
}

const WORDS: Readonly<Record<IdKind, string>> = {
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
    const other = ids.get(id);
    const isToldElsewhere = kind === 'agent' && (id === WORLD_ID || other === 'agent');
    if (isToldElsewhere) return;
    if (RESERVED.has(id)) report.error(at, `'${id}' is a reserved word and can't be used as an id`);
    else if (other !== undefined)
      report.error(
        at,
        `the id '${id}' is used twice: for this ${WORDS[kind]} and for ${article(WORDS[other])}`,
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

/** True if `id` is one of these kinds; otherwise it is reported, with the nearest fitting id. */
export function refer(reading: GridReading, id: string, kinds: readonly IdKind[], at: MistakePlace): boolean {
  const kind = reading.ids.get(id);
  if (kind !== undefined && kinds.includes(kind)) return true;
  const wanted = kinds.map((each) => WORDS[each]).join(' or ');
  const fitting = (): readonly string[] => idsOf(reading, kinds);
  if (kind === undefined)
    reading.report.error(at, `no ${wanted} has the id '${id}'`, () => suggest(id, fitting()));
  else {
    const near = (): string | undefined =>
      nearest(id, fitting()) === undefined ? undefined : suggest(id, fitting());
    reading.report.error(at, `'${id}' is a ${WORDS[kind]}, but ${article(wanted)} is needed`, near);
  }
  return false;
}

function idsOf(reading: GridReading, kinds: readonly IdKind[]): readonly string[] {
  return [...reading.ids].flatMap(([id, kind]) => (kinds.includes(kind) ? [id] : []));
}

export function article(noun: string): string {
  return /^[aeiou]/.test(noun) ? `an ${noun}` : `a ${noun}`;
}

/** Reports every legend entry that places something unknown. */
export function checkLegend(reading: GridReading): void {
  for (const [character, entry] of Object.entries(reading.values.legend)) {
    if (typeof entry === 'string') continue;
    for (const kind of ['agent', 'npc', 'thing', 'door'] as const) {
      const id = entry[kind];
      if (id !== undefined) refer(reading, id, [kind], ['legend', character, kind]);
    }
  }
}

/** The position of something; undefined if it has none, or if a mistake was reported. */
export function spotOf(
  reading: GridReading,
  what: {
    readonly kind: PlacedKind;
    readonly id: string;
    readonly at: readonly [number, number] | undefined;
    readonly path: YamlPath;
  },
): MapSpot | undefined {
  const { map, report } = reading;
  const [drawn, second] = map.spots.get(`${what.kind} ${what.id}`) ?? [];
  const named =
    what.at === undefined ? undefined : { x: what.at[0], y: what.at[1], at: [...what.path, 'at'] };
  if (second !== undefined)
    report.error(second.at, `${what.id} appears twice in the map`, 'each can be in one place only');
  if (drawn !== undefined && named !== undefined)
    report.error(named.at, `${what.id} is already placed by the map`, "keep only one: the legend or 'at'");
  const spot = drawn ?? named;
  return spot === undefined ? undefined : insideMap(reading, spot);
}

/** Its position on the map; undefined if it is outside, which is reported. */
export function insideMap({ map, report }: GridReading, spot: MapSpot): MapSpot | undefined {
  if (isInside(map, spot.x, spot.y)) return spot;
  report.error(
    spot.at,
    `(${spot.x}, ${spot.y}) is outside the map, which is ${map.width} × ${map.height} tiles`,
    `x is 0 to ${map.width - 1}, y is 0 to ${map.height - 1}`,
  );
  return undefined;
}

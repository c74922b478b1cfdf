/**
 * `generate` instead of `map`: the map is made from the scenario's seed, and its rooms, doors, keys and
 * positions are added to what the author wrote. The result is an ordinary scenario with a drawn map, and
 * everything after this treats it as one.
 */
import { isRecord } from '../../../base/json.js';
import { counted } from '../../../base/counted.js';
import { lookUp } from '../../../base/look-up.js';
import { generateMap } from '../generate/generator.js';
import type { GeneratedMap } from '../generate/generator.js';
import { roomsThatFit } from '../generate/request.js';
import { compareText } from '../../../base/ids.js';
import { entriesById } from '../../../scenario/records.js';
import type { MistakeReport } from '../../../scenario/report.js';
import type { WorldInput } from '../../../scenario/world.js';
import { KINDS } from './kinds.js';
import type { GridAgentInput, GridInput } from './schema-grid.js';
import { gridSchema } from './schema-grid.js';
import type { GenerateInput } from './schema-generate.js';

/** The grid's part of a scenario, as passed to the next reader. */
export interface GeneratedGrid {
  readonly values: GridInput;
  readonly agents: readonly GridAgentInput[];
}

/** With a map, drawn or generated; null if there is none, which is reported. */
export function withMap(
  { values, agents }: GeneratedGrid,
  { seed }: WorldInput,
  report: MistakeReport,
): GeneratedGrid | null {
  const { map, generate } = values;
  if (generate === undefined) {
    if (map !== undefined) return { values, agents };
    // Where either was refused before, that is what is wrong.
    if (!report.failed())
      report.error(
        [],
        "'map' is missing (text)",
        'draw one after `map: |`, or add the key `generate:` with its size and rooms',
      );
    return null;
  }
  if (map !== undefined) {
    report.error(
      { key: ['generate'] },
      'a map is either drawn or generated',
      'keep only one of map and generate',
    );
    return null;
  }
  const made = makeMap({ values, agents }, generate, { seed, report });
  if (made === null) return null;
  const things = entriesById(values.things).map(([id, thing]) => [id, placed(made, id, thing)] as const);
  const npcs = entriesById(values.npcs).map(([id, npc]) => [id, placed(made, id, npc)] as const);
  const joined = {
    ...values,
    map: made.rows.join('\n'),
    rooms: { ...values.rooms, ...roomsOf(made, values) },
    doors: { ...values.doors, ...doorsOf(made, values) },
    things: { ...Object.fromEntries(things), ...thingsOf(made) },
    npcs: Object.fromEntries(npcs),
  };
  return { values: gridSchema.parse(joined), agents: agents.map((each) => placed(made, each.id, each)) };
}

function makeMap(
  written: GeneratedGrid,
  generate: GenerateInput,
  { seed, report }: { readonly seed: string; readonly report: MistakeReport },
): GeneratedMap | null {
  if (!isPossible(generate, report)) return null;
  const { values, agents } = written;
  const [width, height] = generate.size;
  const [sideMin, sideMax] = generate.room_size;
  const homeless = entriesById(values.things).filter(([, { at, in: outer, held_by: holder }]) =>
    [at, outer, holder].every((place) => place === undefined),
  );
  const ids = homeless.map(([id]) => id);
  tellDeepest(written, { ids, deepest: generate.deepest, report });
  const made = generateMap({
    seed,
    width,
    height,
    rooms: generate.rooms,
    sideMin,
    sideMax,
    loops: generate.loops,
    locked: generate.locked,
    decor: generate.decor,
    agents: agents.filter(({ at }) => at === undefined).map(({ id }) => id),
    npcs: entriesById(values.npcs).flatMap(([id, { at }]) => (at === undefined ? [id] : [])),
    things: homeless.map(([id, { kind, blocking }]) => ({ id, blocking: blocking ?? KINDS[kind].blocking })),
    deepest: generate.deepest,
  });
  if (made !== null) tellClashes(written, made, report);
  for (const id of made?.unplaced.toSorted(compareText) ?? [])
    report.error(
      { key: ['generate'] },
      `there is no tile left for ${id}`,
      'use a larger size, more rooms, or a larger room_size',
    );
  return made;
}

function isPossible(
  { size, rooms, room_size: sides, locked }: GenerateInput,
  report: MistakeReport,
): boolean {
  const [width, height] = size;
  const most = roomsThatFit({ width, height });
  if (rooms > most)
    report.error(
      ['generate', 'rooms'],
      `${counted(rooms, 'room')} ${rooms === 1 ? "doesn't" : "don't"} fit into ${width} × ${height} tiles`,
      most === 1 ? 'one fits; make the map larger for more' : `${most} fit; make the map larger for more`,
    );
  if (locked >= rooms)
    report.error(
      ['generate', 'locked'],
      `${counted(locked, 'locked door')} ${locked === 1 ? 'needs' : 'need'} more than ${counted(rooms, 'room')}`,
      `at most ${rooms - 1}: one less than the number of rooms`,
    );
  if (sides[0] > sides[1])
    report.error(
      ['generate', 'room_size'],
      `the shortest side, ${sides[0]}, is longer than the longest, ${sides[1]}`,
      `write [${sides[1]}, ${sides[0]}]`,
    );
  return rooms <= most && locked < rooms && sides[0] <= sides[1];
}

function tellDeepest(
  { values }: GeneratedGrid,
  options: {
    readonly ids: readonly string[];
    readonly deepest: readonly string[];
    readonly report: MistakeReport;
  },
): void {
  options.deepest.forEach((id, i) => {
    if (options.ids.includes(id)) return;
    const isThing = Object.hasOwn(values.things, id);
    options.report.error(
      ['generate', 'deepest', i],
      isThing ? `${id} already has a position` : `no thing has the id '${id}'`,
      isThing ? "leave out its 'at', 'in' or 'held_by'" : "define it under 'things' first",
    );
  });
}

/** Ids of things that the generator uses itself. */
function tellClashes({ values }: GeneratedGrid, { things }: GeneratedMap, report: MistakeReport): void {
  for (const { id, name } of things) {
    if (Object.hasOwn(values.things, id))
      report.error(
        { key: ['things', id] },
        `${id} is already the id of the ${name} in the generated map`,
        'choose another id',
      );
  }
}

/** As written, on the tile that was found for it. */
function placed<T extends { readonly at?: unknown }>({ places }: GeneratedMap, id: string, input: T): T {
  const place = lookUp(places, id);
  return place === undefined ? input : { ...input, at: [place.x, place.y] };
}

/** Name and description may be the author's. */
function roomsOf(made: GeneratedMap, { rooms }: GridInput): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    made.rooms.map(({ id, name, areas }) => [
      id,
      { name, areas: areas.map(({ x, y, width, height }) => [x, y, width, height]), ...own(rooms, id) },
    ]),
  );
}

/** The author may set its name and what happens to an open one. */
function doorsOf(made: GeneratedMap, { doors }: GridInput): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    made.doors.map(({ id, name, x, y, kind, state, key }) => [
      id,
      { name, ...own(doors, id), at: [x, y], kind, state, ...(key === null ? {} : { key }) },
    ]),
  );
}

/** The file's value under an id, without omitted keys. */
function own(section: Readonly<Record<string, unknown>>, id: string): object {
  const input = lookUp(section, id);
  if (!isRecord(input)) return {};
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
}

function thingsOf({ things }: GeneratedMap): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    things.map(({ id, kind, name, sprite, x, y }) => [id, { kind, name, sprite, at: [x, y] }]),
  );
}

/**
 * `generate` instead of `map`: generates the map from the scenario's seed, and adds its rooms, doors, keys and
 * positions to the written values. The result has the form of a scenario with a drawn map, so all later
 * readers treat both alike.
 */
import { isRecord } from '../../../base/json.js';
import { counted } from '../../../base/counted.js';
import { lookUp } from '../../../base/look-up.js';
import { generateMap, roomId } from '../generate/generator.js';
import type { GeneratedMap } from '../generate/generator.js';
import { roomsThatFit } from '../generate/request.js';
import { compareText } from '../../../base/ids.js';
import { entriesById } from '../../../scenario/records.js';
import type { MistakeReport } from '../../../scenario/report.js';
import type { WorldInput } from '../../../scenario/world.js';
import { suggest } from '../../../scenario/suggest.js';
import type { YamlPath } from '../../../scenario/tree.js';
import { KINDS } from './kinds.js';
import type { GridAgentInput, GridInput } from './schema-grid.js';
import { gridSchema } from './schema-grid.js';
import type { GenerateInput } from './schema-generate.js';
import { PARSE_ONCE } from '../../../scenario/parse-once.js';

/** The grid's part of a scenario, as passed to the next reader. */
export interface GeneratedGrid {
  values: GridInput;
  agents: readonly GridAgentInput[];
}

/** The same values with a map, drawn or generated; null if there is none, which is reported. */
export function withMap(
  { values, agents }: GeneratedGrid,
  { seed }: WorldInput,
  report: MistakeReport,
): GeneratedGrid | null {
  const { map, generate } = values;
  if (generate === undefined) {
    if (map !== undefined) return { values, agents };
    // If one of the two keys was refused before, its mistake is already reported.
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
  const generated = generateFrom({ values, agents }, generate, { seed, report });
  if (generated === null) return null;
  const things = entriesById(values.things).map(
    ([id, thing]) => [id, withPosition(generated, id, thing)] as const,
  );
  const npcs = entriesById(values.npcs).map(([id, npc]) => [id, withPosition(generated, id, npc)] as const);
  const merged = {
    ...values,
    map: generated.rows.join('\n'),
    rooms: { ...values.rooms, ...roomsOf(generated, values) },
    doors: { ...values.doors, ...doorsOf(generated, values) },
    things: {
      ...Object.fromEntries(things),
      ...Object.fromEntries(
        generated.things.map(({ id, kind, name, sprite, x, y }) => [id, { kind, name, sprite, at: [x, y] }]),
      ),
    },
    npcs: Object.fromEntries(npcs),
  };
  return {
    values: gridSchema.parse(merged, PARSE_ONCE),
    agents: agents.map((each) => withPosition(generated, each.id, each)),
  };
}

function generateFrom(
  written: GeneratedGrid,
  generate: GenerateInput,
  { seed, report }: { seed: string; report: MistakeReport },
): GeneratedMap | null {
  if (!isPossible(generate, report)) return null;
  const { values, agents } = written;
  const {
    size: [width, height],
    room_size: [sideMin, sideMax],
    ...wanted
  } = generate;
  const things = entriesById(values.things).filter(([, { at, in: outer, held_by: holder }]) =>
    [at, outer, holder].every((place) => place === undefined),
  );
  const npcs = entriesById(values.npcs).flatMap(([id, { at }]) => (at === undefined ? [id] : []));
  const isBlocking = (thing: { kind: keyof typeof KINDS; blocking?: boolean | undefined }): boolean =>
    thing.blocking ?? KINDS[thing.kind].blocking;
  const taken = [
    ...Object.values(values.things).map((thing) => ({ at: thing.at, blocking: isBlocking(thing) })),
    ...[...Object.values(values.npcs), ...agents].map(({ at }) => ({ at, blocking: false })),
  ].flatMap(({ at, blocking }) => (at === undefined ? [] : [{ x: at[0], y: at[1], blocking }]));
  reportPlacing(written, generate, { movable: [...things.map(([id]) => id), ...npcs], report });
  const generated = generateMap({
    ...wanted,
    seed,
    width,
    height,
    sideMin,
    sideMax,
    npcs,
    agents: agents.filter(({ at }) => at === undefined).map(({ id }) => id),
    things: things.map(([id, thing]) => ({ id, blocking: isBlocking(thing) })),
    taken,
  });
  if (generated !== null) reportIdClashes(written, generated, report);
  for (const id of generated?.unplaced.toSorted(compareText) ?? []) {
    if (generate.apart.includes(id))
      report.error(
        ['generate', 'apart', generate.apart.indexOf(id)],
        `${counted(generate.rooms, 'room')} ${generate.rooms === 1 ? "doesn't" : "don't"} suffice: none is left for ${id}`,
        'use more rooms or list fewer: each is in another room, and the first is not in room-1',
      );
    else
      report.error(
        { key: ['generate'] },
        `there is no tile left for ${id}`,
        'use a larger size, more rooms, or a larger room_size',
      );
  }
  return generated;
}

function isPossible(
  { size, rooms, room_size: sides, locked }: GenerateInput,
  report: MistakeReport,
): boolean {
  const [width, height] = size;
  const maxRooms = roomsThatFit({ width, height });
  if (rooms > maxRooms)
    report.error(
      ['generate', 'rooms'],
      `${counted(rooms, 'room')} ${rooms === 1 ? "doesn't" : "don't"} fit into ${width} × ${height} tiles`,
      maxRooms === 1
        ? 'one fits; make the map larger for more'
        : `${maxRooms} fit; make the map larger for more`,
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
  return rooms <= maxRooms && locked < rooms && sides[0] <= sides[1];
}

/** Reports what the lists of things and creatures for certain rooms get wrong. */
function reportPlacing(
  { values }: GeneratedGrid,
  generate: GenerateInput,
  { movable, report }: { movable: readonly string[]; report: MistakeReport },
): void {
  const roomIds = Array.from({ length: generate.rooms }, (_room, index) => roomId(index));
  for (const room of Object.keys(generate.in))
    if (!roomIds.includes(room))
      report.error(
        { key: ['generate', 'in', room] },
        `no generated room has the id '${room}'`,
        `the rooms are ${roomIds.length > 1 ? 'room-1 to ' : ''}${roomIds.at(-1)}`,
      );
  const lists: readonly (readonly [YamlPath, readonly string[]])[] = [
    ...(['deepest', 'near', 'far', 'apart'] as const).map((key) => [[key], generate[key]] as const),
    ...Object.entries(generate.in).map(([room, ids]) => [['in', room], ids] as const),
  ];
  const listed = new Map<string, YamlPath>();
  for (const [path, ids] of lists)
    for (const [i, id] of ids.entries()) {
      const at = ['generate', ...path, i];
      // `apart` says something else than the others, so it may be combined with one of them.
      const mark = path[0] === 'apart' ? `apart ${id}` : id;
      const earlier = listed.get(mark);
      listed.set(mark, path);
      if (!Object.hasOwn(values.things, id) && !Object.hasOwn(values.npcs, id))
        report.error(
          at,
          `no thing or creature has the id '${id}'`,
          () => suggest(id, movable) ?? "define it under 'things' first",
        );
      else if (!movable.includes(id))
        report.error(at, `${id} already has a position`, "leave out its 'at', 'in' or 'held_by'");
      else if (earlier !== undefined)
        report.error(at, `${id} is already in generate.${earlier.join('.')}`, 'keep only one of the two');
    }
}

/** Reports ids of the scenario that the generator uses for its own things. */
function reportIdClashes({ values }: GeneratedGrid, { things }: GeneratedMap, report: MistakeReport): void {
  for (const { id, name } of things) {
    if (Object.hasOwn(values.things, id))
      report.error(
        { key: ['things', id] },
        `${id} is already the id of the ${name} in the generated map`,
        'choose another id',
      );
  }
}

/** As written, with the position that the generator chose for it, if any. */
function withPosition<T extends { at?: unknown }>({ places }: GeneratedMap, id: string, input: T): T {
  const place = lookUp(places, id);
  return place === undefined ? input : { ...input, at: [place.x, place.y] };
}

/** The generated rooms; the scenario may override their names and descriptions. */
function roomsOf(generated: GeneratedMap, { rooms }: GridInput): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    generated.rooms.map(({ id, name, areas }) => [
      id,
      {
        name,
        areas: areas.map(({ x, y, width, height }) => [x, y, width, height]),
        ...writtenValues(rooms, id),
      },
    ]),
  );
}

/** The generated doors; the scenario may override all keys except position, kind, state and key. */
function doorsOf(generated: GeneratedMap, { doors }: GridInput): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    generated.doors.map(({ id, name, x, y, kind, state, key }) => [
      id,
      { name, ...writtenValues(doors, id), at: [x, y], kind, state, ...(key === null ? {} : { key }) },
    ]),
  );
}

/** The written values under an id, without omitted keys. */
function writtenValues(section: Readonly<Record<string, unknown>>, id: string): object {
  const input = lookUp(section, id);
  if (!isRecord(input)) return {};
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
}

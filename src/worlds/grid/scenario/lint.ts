/**
 * Probable mistakes, reported as warnings: names that an agent can't use unambiguously, keys that can't be
 * used, goals that no condition mentions.
 */
import { LIMITS } from '../../../base/limits.js';
import { DIRECTIONS } from '../../../environment/space.js';
import { isInRange } from '../fov.js';
import type { RenderSpec } from '../../../scenario/scenario.js';
import type { AgentDefinition, BodyDefinition, Door, ThingDefinition } from '../definition.js';
import type { RoomMap } from './rooms.js';
import { nameFromId } from '../../../scenario/names.js';
import type { YamlPath } from '../../../scenario/tree.js';
import type { GridReading } from './places.js';
import { warnOfOtherLooks } from '../../../scenario/looks.js';

interface LintedParts {
  rooms: RoomMap;
  doors: readonly Door[];
  things: readonly ThingDefinition[];
  agents: readonly AgentDefinition[];
  npcs: readonly BodyDefinition[];
  render: RenderSpec;
}

export function reportProbableMistakes(
  reading: GridReading,
  { rooms, doors, things, agents, npcs, render }: LintedParts,
): void {
  reportAmbiguousNames(reading);
  if (render.channel === 'image') reportWideRooms(reading, { rooms, things, agents, npcs, render });
  reportUnusableKeys(reading, { doors, things });
  const { values, report } = reading;
  // `success` is optional, but a scenario that defines failure probably forgot it.
  if (values.failure !== undefined && values.success === undefined)
    report.warning(
      { key: ['failure'] },
      'the run can fail but never succeed',
      'add the key `success:` with a condition',
    );
  reportOtherLooks(reading, { doors, things, agents, npcs });
}

/**
 * Names of bodies often are people's, so that a word with a capital letter in them is no colour. Of a door,
 * the closed state is compared.
 */
function reportOtherLooks(
  reading: GridReading,
  { doors, things, agents, npcs }: Pick<LintedParts, 'doors' | 'things' | 'agents' | 'npcs'>,
): void {
  const worked = things.flatMap(({ id, work }) =>
    work?.effect.kind === 'become' ? [{ id, ...work.effect }] : [],
  );
  const drawn = [
    ...npcs.map(({ id, name, sprite }) => ({ at: ['npcs', id], name: commonName(name), sprite })),
    ...agents.map(({ name, sprite }, i) => ({ at: ['agents', i], name: commonName(name), sprite })),
    ...doors.map(({ id, name, sprites }) => ({ at: ['doors', id], name, sprite: sprites.closed })),
    ...things.map(({ id, name, sprite }) => ({ at: ['things', id], name, sprite })),
    ...worked.map(({ id, name, sprite }) => ({ at: ['things', id, 'work', 'becomes'], name, sprite })),
  ];
  for (const { at, name, sprite } of drawn) warnOfOtherLooks(reading, { name, sprite, at: { key: at } });
}

function commonName(name: string): string {
  return name.replace(/\p{Lu}\p{L}*/gu, '');
}

/**
 * Where only the picture tells what is there: warns of the largest room with something in it that even the
 * agent with the farthest sight may not see from elsewhere in the room, because its sight or the window ends
 * before. Other agents may be short-sighted on purpose.
 */
function reportWideRooms(
  { values, report }: GridReading,
  { rooms, things, agents, npcs, render: { columns, rows } }: Omit<LintedParts, 'doors'>,
): void {
  const [seer] = agents.toSorted((a, b) => b.sightRadius - a.sightRadius);
  if (seer === undefined) return;
  const contents = [...npcs, ...things.flatMap(({ place }) => (place.at === 'tile' ? [place] : []))];
  const filled = new Set(contents.map(({ x, y }) => rooms.at(x, y)));
  const [widest] = rooms.list
    .filter(({ id }) => filled.has(id))
    .map(({ id, areas }) => {
      const [left, top] = [Math.min(...areas.map(({ x }) => x)), Math.min(...areas.map(({ y }) => y))];
      const width = Math.max(...areas.map((area) => area.x + area.width)) - left;
      const height = Math.max(...areas.map((area) => area.y + area.height)) - top;
      const window = [Math.max(columns, 2 * width - 1), Math.max(rows, 2 * height - 1)] as const;
      let sight = seer.sightRadius;
      while (values.rules.fog && !isInRange(sight, width - 1, height - 1)) sight++;
      const changes = [
        ...(window[0] > columns || window[1] > rows ? [`render.window: [${window.join(', ')}]`] : []),
        ...(sight > seer.sightRadius ? [`sight: ${sight} for ${seer.id}`] : []),
      ];
      const isPossible = Math.max(...window) <= LIMITS.frameSideTiles && sight <= LIMITS.sightRadiusTiles;
      return { id, width, height, changes, isPossible };
    })
    .filter(({ changes }) => changes.length > 0)
    .toSorted((a, b) => b.width * b.height - a.width * a.height);
  if (widest === undefined) return;
  const { id, width, height, changes, isPossible } = widest;
  report.warning(
    { key: values.generate === undefined ? ['rooms', id] : ['generate'] },
    `${id} is ${width} × ${height} tiles, and ${seer.id} doesn't see all of it from everywhere in it: the window is ${columns} × ${rows}, its sight ${seer.sightRadius}`,
    isPossible ? `write ${changes.join(' and ')}, or make the room smaller` : 'make the room smaller',
  );
}

/** Something that an agent may name, with its position in the file. */
interface NamedEntry {
  id: string;
  path: YamlPath;
  /** Its name in texts; from the id if none is written. */
  name: string;
  aliases: readonly string[];
}

function reportAmbiguousNames(reading: GridReading): void {
  const entries = listNamedEntries(reading);
  const owners = ownersByName(entries);
  // A room may be called west, because GO WEST is not ambiguous then.
  for (const entry of entries) if (entry.path[0] !== 'rooms') reportReservedNames(reading, entry);
  for (const { id, path, aliases } of entries) {
    aliases.forEach((alias, i) => {
      const otherOwner = owners.get(alias.toLowerCase())?.find((owner) => owner !== id);
      if (otherOwner !== undefined)
        reading.report.warning(
          [...path, 'aliases', i],
          `'${alias}' is also the name of ${otherOwner}`,
          'if both are in sight, the name is ambiguous',
        );
    });
  }
}

function reportReservedNames(reading: GridReading, { id, path, name, aliases }: NamedEntry): void {
  const verbs = new Set(reading.known.actions?.map((verb) => verb.toLowerCase()));
  for (const word of new Set([name, ...aliases].map((each) => each.toLowerCase()))) {
    const isDirection = DIRECTIONS.some((direction) => direction === word);
    if (!isDirection && !verbs.has(word)) continue;
    reading.report.warning(
      { key: path },
      `${id} is called '${word}', which is ${isDirection ? 'a direction' : 'an action'}`,
      'choose another name: a reply that names it would be misread',
    );
  }
}

function listNamedEntries({ values, agents }: GridReading): readonly NamedEntry[] {
  const sections = ['npcs', 'things', 'doors', 'rooms'] as const;
  const otherEntries = sections.flatMap((section) =>
    Object.entries(values[section]).map(([id, input]): NamedEntry => {
      const aliases = 'aliases' in input ? input.aliases : [];
      return { id, path: [section, id], name: input.name ?? nameFromId(id), aliases };
    }),
  );
  const agentEntries = agents.map(({ id, name, aliases }, i): NamedEntry => {
    return { id, path: ['agents', i], name: name ?? nameFromId(id), aliases };
  });
  return [...agentEntries, ...otherEntries];
}

/** The ids of the entries that have a word, in lower case, as their id or name. */
function ownersByName(entries: readonly NamedEntry[]): ReadonlyMap<string, readonly string[]> {
  const owners = new Map<string, string[]>();
  for (const { id, name } of entries) {
    for (const word of new Set([id, name.toLowerCase()])) owners.set(word, [...(owners.get(word) ?? []), id]);
  }
  return owners;
}

function reportUnusableKeys(
  reading: GridReading,
  { doors, things }: Pick<LintedParts, 'doors' | 'things'>,
): void {
  const byId = new Map(things.map((thing) => [thing.id, thing]));
  const locks = [
    ...doors.map(({ id, key }) => ({ path: ['doors', id], id, key })),
    ...things.map(({ id, container }) => ({ path: ['things', id], id, key: container?.key ?? null })),
  ];
  for (const { path, id, key } of locks) {
    const thing = key === null ? undefined : byId.get(key);
    if (thing === undefined) continue;
    const at = [...path, 'key'];
    if (!thing.portable)
      reading.report.warning(
        at,
        `${thing.id} can't be carried, so it can't open ${id}`,
        `give ${thing.id} 'kind: key' or 'portable: true'`,
      );
    const isLocked = byId.get(id)?.container?.state === 'locked';
    if (isLocked && isInside(byId, thing, id))
      reading.report.warning(
        at,
        `the key ${thing.id} is inside ${id}, which it unlocks`,
        'put the key where it can be reached, or give the lid the state closed',
      );
  }
}

function isInside(
  byId: ReadonlyMap<string, ThingDefinition>,
  thing: ThingDefinition,
  container: string,
): boolean {
  const seen = new Set<string>();
  let { place } = thing;
  while (place.at === 'inside' && !seen.has(place.container)) {
    if (place.container === container) return true;
    seen.add(place.container);
    const outer = byId.get(place.container);
    if (outer === undefined) return false;
    place = outer.place;
  }
  return false;
}

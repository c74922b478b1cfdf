/**
 * Things: the kind's defaults, then the written values, then the position. Containers form no cycles, locks
 * name existing keys, and nothing is in a wall.
 */
import { lookUp } from '../../../base/look-up.js';
import type { ContainerDefinition, ThingLocation, ThingDefinition, WorkDefinition } from '../definition.js';
import { legendSuggestion } from './legend-suggestion.js';
import { nameFromId } from '../../../scenario/names.js';
import { entriesById } from '../../../scenario/records.js';
import { KINDS } from './kinds.js';
import { groundName, isWalkable } from './map.js';
import type { MapSpot } from './map.js';
import type { GridReading } from './places.js';
import { ownSprite, spriteOf } from '../../../scenario/sprites.js';
import { refer, spotOf } from './places.js';
import type { ThingInput } from './schema-thing.js';

export function readThings(reading: GridReading): readonly ThingDefinition[] {
  const things = entriesById(reading.values.things).flatMap(([id, input]) => {
    const thing = thingOf(reading, id, input);
    return thing === undefined ? [] : [thing];
  });
  tellCircles(reading, things);
  return things;
}

function thingOf(reading: GridReading, id: string, input: ThingInput): ThingDefinition | undefined {
  const kind = KINDS[input.kind];
  const container = containerOf(reading, id, input);
  const work = workOf(reading, id, input);
  const place = placeOf(reading, id, input);
  const sprite = container === null ? thingSprite(reading, id, input) : container.sprites[container.state];
  tellText(reading, id, input);
  if (place === undefined) return undefined;
  return {
    id,
    name: input.name ?? nameFromId(id),
    aliases: input.aliases,
    sprite,
    description: input.description,
    place,
    portable: input.portable ?? kind.portable,
    pushable: input.pushable ?? kind.pushable,
    blocking: input.blocking ?? kind.blocking,
    opaque: input.opaque ?? false,
    text: input.text ?? null,
    container,
    work,
    stack: input.stack ?? null,
    consumable:
      input.consumable ?? (input.kind === 'food' ? `You eat the ${input.name ?? nameFromId(id)}.` : null),
    ...(input.restful === true ? { restful: true as const } : {}),
    ...(input.absent === true ? { absent: true as const } : {}),
  };
}

function thingSprite(reading: GridReading, id: string, input: ThingInput): string {
  const groups = ['item', 'furniture'];
  if (input.sprite !== undefined)
    return spriteOf(reading, input.sprite, { groups, at: ['things', id, 'sprite'] });
  const own = KINDS[input.kind].sprite;
  const at = { key: ['things', id] };
  return own === null ? ownSprite(reading, id, { groups, at }) : spriteOf(reading, own, { groups, at });
}

function tellText(reading: GridReading, id: string, input: ThingInput): void {
  const needsText = (input.kind === 'note' || input.kind === 'sign') && input.text === undefined;
  if (needsText)
    reading.report.error(
      { key: ['things', id] },
      `the ${input.kind} ${id} has no text`,
      "add the key 'text' with the text that READ shows",
    );
}

/** A chest, or anything with a lid, a lock or a container's tiles. */
export function isContainer({ values }: GridReading, id: string): boolean {
  const input = lookUp(values.things, id);
  if (input === undefined) return false;
  const isMade = [input.state, input.key, input.sprites].some((property) => property !== undefined);
  return isMade || KINDS[input.kind].container;
}

function containerOf(reading: GridReading, id: string, input: ThingInput): ContainerDefinition | null {
  if (!isContainer(reading, id)) return null;
  const path = ['things', id];
  if (input.key !== undefined) refer(reading, input.key, ['thing'], [...path, 'key']);
  if (input.key === id) reading.report.error([...path, 'key'], `${id} can't be its own key`);
  return {
    state: input.state ?? (input.key === undefined ? 'closed' : 'locked'),
    key: input.key ?? null,
    sprites: lidSprites(reading, id, input),
  };
}

function lidSprites(reading: GridReading, id: string, input: ThingInput): ContainerDefinition['sprites'] {
  const groups = ['item', 'furniture'];
  const path = ['things', id];
  if (input.sprites !== undefined) {
    const look = (state: 'open' | 'closed' | 'locked', name: string) =>
      spriteOf(reading, name, { groups, at: [...path, 'sprites', state] });
    const { open, closed, locked } = input.sprites;
    return { open: look('open', open), closed: look('closed', closed), locked: look('locked', locked) };
  }
  if (input.sprite !== undefined) {
    const same = spriteOf(reading, input.sprite, { groups, at: [...path, 'sprite'] });
    return { open: same, closed: same, locked: same };
  }
  const look = (name: string) => spriteOf(reading, name, { groups, at: { key: path } });
  const hasLocked = reading.known.sprites?.tiles.has('item/chest-locked') ?? false;
  const closed = look('item/chest-closed');
  return { open: look('item/chest-open'), closed, locked: hasLocked ? 'item/chest-locked' : closed };
}

function workOf(reading: GridReading, id: string, input: ThingInput): WorkDefinition | null {
  const { work } = input;
  if (work === undefined) return null;
  const path = ['things', id, 'work'];
  if (work.tool !== undefined) refer(reading, work.tool, ['thing'], [...path, 'tool']);
  if (work.opens !== undefined) refer(reading, work.opens, ['door'], [...path, 'opens']);
  const effects = [work.opens, work.removes, work.becomes].filter((effect) => effect !== undefined);
  if (effects.length !== 1)
    reading.report.error(
      { key: path },
      `work needs exactly one of opens, removes, becomes; found: ${effects.length}`,
    );
  return { turns: work.turns, tool: work.tool ?? null, done: work.done, effect: effectOf(reading, id, work) };
}

function effectOf(
  reading: GridReading,
  id: string,
  work: NonNullable<ThingInput['work']>,
): WorkDefinition['effect'] {
  if (work.opens !== undefined) return { kind: 'open-door', door: work.opens };
  if (work.becomes === undefined) return { kind: 'remove' };
  const sprite = spriteOf(reading, work.becomes.sprite, {
    groups: ['item', 'furniture'],
    at: ['things', id, 'work', 'becomes', 'sprite'],
  });
  return { kind: 'become', ...work.becomes, sprite };
}

function placeOf(reading: GridReading, id: string, input: ThingInput): ThingLocation | undefined {
  const path = ['things', id];
  const spot = spotOf(reading, { kind: 'thing', id, at: input.at, path });
  const ways = [input.in, input.held_by, spot].filter((way) => way !== undefined).length;
  if (ways === 0 && input.at === undefined)
    reading.report.error(
      { key: path },
      `the thing ${id} has no position`,
      `write 'at: [x, y]', 'in: CONTAINER' or 'held_by: AGENT', or ${legendSuggestion(reading.map, 'thing', id)}`,
    );
  if (ways > 1)
    reading.report.error(
      { key: path },
      `the thing ${id} is placed ${ways} times`,
      'keep only one of legend, at, in, held_by',
    );
  // Every placement is checked, even if there is one too many.
  const places = [
    input.held_by === undefined ? undefined : heldPlace(reading, id, input.held_by),
    input.in === undefined ? undefined : insidePlace(reading, id, input.in),
    spot === undefined ? undefined : tilePlace(reading, id, spot),
  ];
  return ways === 1 ? places.find((place) => place !== undefined) : undefined;
}

function tilePlace(reading: GridReading, id: string, spot: MapSpot): ThingLocation {
  if (!isWalkable(reading.map, spot.x, spot.y)) {
    reading.report.error(
      spot.at,
      `${id} is in ${groundName(reading.map, spot.x, spot.y)} at (${spot.x}, ${spot.y})`,
      'put it on a walkable tile',
    );
  }
  return { at: 'tile', x: spot.x, y: spot.y };
}

function heldPlace(reading: GridReading, id: string, by: string): ThingLocation | undefined {
  return refer(reading, by, ['agent', 'npc'], ['things', id, 'held_by']) ? { at: 'held', by } : undefined;
}

function insidePlace(reading: GridReading, id: string, container: string): ThingLocation | undefined {
  const at = ['things', id, 'in'];
  if (!refer(reading, container, ['thing'], at)) return undefined;
  if (!isContainer(reading, container))
    reading.report.error(
      at,
      `${container} is not a container`,
      `write kind: chest, or a state such as state: closed, for ${container}`,
    );
  return { at: 'inside', container };
}

/** A thing inside itself, through any number of others; each cycle is reported once. */
function tellCircles(reading: GridReading, things: readonly ThingDefinition[]): void {
  const holders = new Map(
    things.flatMap(({ id, place }) => (place.at === 'inside' ? [[id, place.container] as const] : [])),
  );
  const done = new Set<string>();
  for (const start of holders.keys()) {
    const way: string[] = [];
    let id: string | undefined = start;
    while (id !== undefined && !done.has(id)) {
      done.add(id);
      way.push(id);
      id = holders.get(id);
    }
    const circle = id === undefined ? [] : way.slice(way.indexOf(id));
    const isNew = id !== undefined && way.includes(id);
    if (isNew) tellCircle(reading, circle);
  }
}

function tellCircle(reading: GridReading, circle: readonly string[]): void {
  const [first = ''] = circle;
  const shown = [...circle.slice(0, 6), ...(circle.length > 6 ? ['…'] : []), first].join(' in ');
  reading.report.error(['things', first, 'in'], `${first} is inside itself: ${shown}`);
}

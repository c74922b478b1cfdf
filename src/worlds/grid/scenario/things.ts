/**
 * Reads things: the defaults of their kind, the written values and the position. Reports containers that
 * contain themselves, locks whose key does not exist, and things inside walls.
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
import { defaultSprite, spriteOf } from '../../../scenario/sprites.js';
import { checkReference, readSpot } from './places.js';
import type { ThingInput } from './schema-thing.js';

export function readThings(reading: GridReading): readonly ThingDefinition[] {
  const things = entriesById(reading.values.things).flatMap(([id, input]) => {
    const thing = readThing(reading, id, input);
    return thing === undefined ? [] : [thing];
  });
  reportCycles(reading, things);
  return things;
}

function readThing(reading: GridReading, id: string, input: ThingInput): ThingDefinition | undefined {
  const kind = KINDS[input.kind];
  const container = readContainer(reading, id, input);
  const work = readWork(reading, id, input);
  const place = readLocation(reading, id, input);
  const sprite = container === null ? thingSprite(reading, id, input) : container.sprites[container.state];
  if ((input.kind === 'note' || input.kind === 'sign') && input.text === undefined)
    reading.report.error(
      { key: ['things', id] },
      `the ${input.kind} ${id} has no text`,
      "add the key 'text' with the text that READ shows",
    );
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
  return own === null ? defaultSprite(reading, id, { groups, at }) : spriteOf(reading, own, { groups, at });
}

/** Whether it is a container: a chest, or anything with a state, a key or a container's sprites. */
export function isContainer({ values }: GridReading, id: string): boolean {
  const input = lookUp(values.things, id);
  if (input === undefined) return false;
  const hasContainerKey = [input.state, input.key, input.sprites].some((property) => property !== undefined);
  return hasContainerKey || KINDS[input.kind].container;
}

function readContainer(reading: GridReading, id: string, input: ThingInput): ContainerDefinition | null {
  if (!isContainer(reading, id)) return null;
  const path = ['things', id];
  if (input.key !== undefined) checkReference(reading, input.key, ['thing'], [...path, 'key']);
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
    const stateSprite = (state: 'open' | 'closed' | 'locked', name: string) =>
      spriteOf(reading, name, { groups, at: [...path, 'sprites', state] });
    const { open, closed, locked } = input.sprites;
    return {
      open: stateSprite('open', open),
      closed: stateSprite('closed', closed),
      locked: stateSprite('locked', locked),
    };
  }
  if (input.sprite !== undefined) {
    const same = spriteOf(reading, input.sprite, { groups, at: [...path, 'sprite'] });
    return { open: same, closed: same, locked: same };
  }
  const chestSprite = (name: string) => spriteOf(reading, name, { groups, at: { key: path } });
  const hasLocked = reading.known.sprites?.tiles.has('item/chest-locked') ?? false;
  const closed = chestSprite('item/chest-closed');
  return { open: chestSprite('item/chest-open'), closed, locked: hasLocked ? 'item/chest-locked' : closed };
}

function readWork(reading: GridReading, id: string, input: ThingInput): WorkDefinition | null {
  const { work } = input;
  if (work === undefined) return null;
  const path = ['things', id, 'work'];
  if (work.tool !== undefined) checkReference(reading, work.tool, ['thing'], [...path, 'tool']);
  if (work.opens !== undefined) checkReference(reading, work.opens, ['door'], [...path, 'opens']);
  const effects = [work.opens, work.removes, work.becomes].filter((effect) => effect !== undefined);
  if (effects.length !== 1)
    reading.report.error(
      { key: path },
      `work needs exactly one of opens, removes, becomes; found: ${effects.length}`,
    );
  return {
    turns: work.turns,
    tool: work.tool ?? null,
    done: work.done,
    effect: readWorkEffect(reading, id, work),
  };
}

function readWorkEffect(
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

function readLocation(reading: GridReading, id: string, input: ThingInput): ThingLocation | undefined {
  const path = ['things', id];
  const spot = readSpot(reading, { kind: 'thing', id, at: input.at, path });
  const placementCount = [input.in, input.held_by, spot].filter(
    (placement) => placement !== undefined,
  ).length;
  if (placementCount === 0 && input.at === undefined)
    reading.report.error(
      { key: path },
      `the thing ${id} has no position`,
      `write 'at: [x, y]', 'in: CONTAINER' or 'held_by: AGENT', or ${legendSuggestion(reading.map, 'thing', id)}`,
    );
  if (placementCount > 1)
    reading.report.error(
      { key: path },
      `the thing ${id} is placed ${placementCount} times`,
      'keep only one of legend, at, in, held_by',
    );
  // Every placement is checked, even if there is one too many.
  const locations = [
    input.held_by === undefined ? undefined : heldLocation(reading, id, input.held_by),
    input.in === undefined ? undefined : insideLocation(reading, id, input.in),
    spot === undefined ? undefined : tileLocation(reading, id, spot),
  ];
  return placementCount === 1 ? locations.find((location) => location !== undefined) : undefined;
}

function tileLocation(reading: GridReading, id: string, spot: MapSpot): ThingLocation {
  if (!isWalkable(reading.map, spot.x, spot.y)) {
    reading.report.error(
      spot.source,
      `${id} is in ${groundName(reading.map, spot.x, spot.y)} at (${spot.x}, ${spot.y})`,
      'put it on a walkable tile',
    );
  }
  return { at: 'tile', x: spot.x, y: spot.y };
}

function heldLocation(reading: GridReading, id: string, by: string): ThingLocation | undefined {
  return checkReference(reading, by, ['agent', 'npc'], ['things', id, 'held_by'])
    ? { at: 'held', by }
    : undefined;
}

function insideLocation(reading: GridReading, id: string, container: string): ThingLocation | undefined {
  const at = ['things', id, 'in'];
  if (!checkReference(reading, container, ['thing'], at)) return undefined;
  if (!isContainer(reading, container))
    reading.report.error(
      at,
      `${container} is not a container`,
      `write kind: chest, or a state such as state: closed, for ${container}`,
    );
  return { at: 'inside', container };
}

/** Reports things that contain themselves, directly or through others; each cycle once. */
function reportCycles(reading: GridReading, things: readonly ThingDefinition[]): void {
  const containerOf = new Map(
    things.flatMap(({ id, place }) => (place.at === 'inside' ? [[id, place.container] as const] : [])),
  );
  const visited = new Set<string>();
  for (const start of containerOf.keys()) {
    const chain: string[] = [];
    let id: string | undefined = start;
    while (id !== undefined && !visited.has(id)) {
      visited.add(id);
      chain.push(id);
      id = containerOf.get(id);
    }
    const cycle = id === undefined ? [] : chain.slice(chain.indexOf(id));
    const isNew = id !== undefined && chain.includes(id);
    if (isNew) {
      const [first = ''] = cycle;
      const shown = [...cycle.slice(0, 6), ...(cycle.length > 6 ? ['…'] : []), first].join(' in ');
      reading.report.error(['things', first, 'in'], `${first} is inside itself: ${shown}`);
    }
  }
}

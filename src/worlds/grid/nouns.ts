/**
 * What an agent may name in an argument: everything in its view, and the rooms that it has been in. The
 * parser binds words to these nouns only, so a name that the agent can't know binds to nothing. Nouns that
 * share a name get distinct ones (`distinct-names.ts`), and an id is always accepted.
 */
import { at, known } from '../../base/assert.js';
import type { Noun } from '../../environment/observation.js';
import type { NounPlace } from './distinct-names.js';
import { withDistinctNames } from './distinct-names.js';
import type { GridState } from './state.js';
import { nameText, theName } from '../../environment/wording.js';
import type { AgentView, ReachableThing } from './view.js';
import type { GridWorld } from './world.js';
import { isPlain, mindOf } from './world.js';

/**
 * The nouns of a view, each id once. Kinds: `person`, `creature`; `thing` (in sight, in an open container, or
 * remembered), `held`, `container`; `door`; `place`. Order: bodies, things, doors, held things, memories,
 * rooms, each by distance.
 */
export function nounsOf(world: GridWorld, state: GridState, view: AgentView): readonly Noun[] {
  const nouns = new Map<string, Noun>();
  const add: AddNoun = (candidate) => {
    if (!nouns.has(candidate.id)) nouns.set(candidate.id, candidate);
  };
  for (const { id, kind } of view.bodies) {
    const { name, aliases } = known(world.bodies.get(id), `definition of ${id}`);
    add(noun({ id, name, aliases, kinds: [kind] }));
  }
  for (const thing of view.things) addItem(add, thing, 'thing');
  for (const { id, name } of view.doors) add(noun({ id, name, aliases: [], kinds: ['door'] }));
  for (const item of view.held) addItem(add, item, 'held');
  for (const { id, name, kind } of view.memories) {
    const definition = kind === 'thing' ? world.things.get(id) : undefined;
    const kinds = definition?.container ? [kind, 'container'] : [kind];
    add(noun({ id, name, aliases: definition?.aliases ?? [], kinds }));
  }
  for (const id of mindOf(state, view.self.id).visited) {
    const { name } = known(world.rooms.get(id), `room ${id}`);
    add(noun({ id, name, aliases: [], kinds: ['place'] }));
  }
  // In a picture, nobody reads which of two things has which name.
  return isPlain(world)
    ? [...nouns.values()]
    : withDistinctNames([...nouns.values()], placesOf(world, state, view));
}

/** Where the agent knows each noun to be; of a room, its first corner. */
function placesOf(world: GridWorld, state: GridState, view: AgentView): ReadonlyMap<string, NounPlace> {
  const places = new Map<string, NounPlace>();
  const addContents = ({ name, inside }: ReachableThing): void => {
    for (const inner of inside) {
      places.set(inner.id, { kind: 'inside', container: theName(name) });
      addContents(inner);
    }
  };
  for (const id of mindOf(state, view.self.id).visited) {
    const { x, y } = at(known(world.rooms.get(id), `room ${id}`).areas, 0);
    places.set(id, { kind: 'tile', x, y });
  }
  for (const { id, x, y } of [...view.memories, ...view.doors, ...view.bodies, ...view.things])
    places.set(id, { kind: 'tile', x, y });
  for (const item of view.held) places.set(item.id, { kind: 'held' });
  for (const item of [...view.things, ...view.held]) addContents(item);
  return places;
}

/**
 * Everything that any agent can ever name, with its possible kinds, for the action space of learners; never
 * shown to agents.
 */
export function everyNounOf(world: GridWorld): readonly Pick<Noun, 'id' | 'kinds'>[] {
  const agents = new Set(world.definition.agents.map(({ id }) => id));
  return [
    ...[...world.bodies.keys()].map((id) => ({ id, kinds: [agents.has(id) ? 'person' : 'creature'] })),
    ...[...world.things.values()].map(({ id, container }) => ({
      id,
      kinds: ['thing', 'held', ...(container === null ? [] : ['container'])],
    })),
    ...[...world.doors.keys()].map((id) => ({ id, kinds: ['door'] })),
    ...[...world.rooms.keys()].map((id) => ({ id, kinds: ['place'] })),
  ];
}

type AddNoun = (found: Noun) => void;

function noun({ id, name, aliases, kinds }: Noun): Noun {
  return { id, name: nameText(name), aliases: aliases.map(nameText), kinds };
}

/** A thing and its visible contents; the contents of a held container are not themselves held. */
function addItem(
  add: AddNoun,
  { id, name, definition, inside }: ReachableThing,
  kind: 'thing' | 'held',
): void {
  const kinds = definition.container === null ? [kind] : [kind, 'container'];
  add(noun({ id, name, aliases: definition.aliases, kinds }));
  for (const each of inside) addItem(add, each, 'thing');
}

/** Random grid worlds for property tests: walls, doors, containers, agents and NPCs wherever fast-check puts them. */
import * as fc from 'fast-check';
import { placeThing, setBody } from '../../../src/worlds/grid/change.js';
import { createState } from '../../../src/worlds/grid/create.js';
import type {
  AgentDefinition,
  Door,
  GridDefinition,
  GridRules,
  NpcDefinition,
  ThingLocation,
  ThingDefinition,
} from '../../../src/worlds/grid/definition.js';
import { learn } from '../../../src/worlds/grid/learning.js';
import type { GridState } from '../../../src/worlds/grid/state.js';
import type { GridWorld } from '../../../src/worlds/grid/world.js';
import { openWorld } from '../../../src/worlds/grid/world.js';

export const RULES: GridRules = {
  movement: 'tile',
  diagonals: true,
  sight: 'recursive',
  speakRadius: 4,
  speechFree: false,
  fog: true,
  bodiesBlock: true,
};

export const TERRAIN = [
  { id: 'floor', name: 'stone floor', walkable: true, opaque: false, sprite: 'floor' },
  { id: 'wall', name: 'wall', walkable: false, opaque: true, sprite: 'wall' },
  { id: 'water', name: 'water', walkable: false, opaque: false, sprite: 'water' },
  { id: 'reeds', name: 'reeds', walkable: true, opaque: true, sprite: 'reeds' },
];
export const TERRAIN_KEYS = '.#~"';

export function anAgent(id: string, at: { x: number; y: number }, change: Partial<AgentDefinition> = {}) {
  const looks = { name: id, aliases: [], sprite: `figure/${id}`, description: '' };
  return { id, ...looks, ...at, sightRadius: 8, actions: null, carryMax: 4, ...change };
}

export function anNpc(
  id: string,
  at: { x: number; y: number },
  change: Partial<NpcDefinition> = {},
): NpcDefinition {
  const looks = { name: id, aliases: [], sprite: `figure/${id}`, description: '' };
  return { id, ...looks, ...at, behaviour: { kind: 'still' }, catches: null, watchRadius: 0, ...change };
}

export function aThing(
  id: string,
  place: ThingLocation,
  change: Partial<ThingDefinition> = {},
): ThingDefinition {
  return {
    id,
    name: id,
    aliases: [],
    sprite: `item/${id}`,
    description: '',
    place,
    portable: true,
    pushable: false,
    blocking: false,
    opaque: false,
    text: null,
    container: null,
    work: null,
    stack: null,
    consumable: null,
    ...change,
  };
}

export const LIDS = { open: 'chest/open', closed: 'chest/closed', locked: 'chest/locked' };

export function aDoor(id: string, at: { x: number; y: number }, change: Partial<Door> = {}): Door {
  const sprites = { open: 'door/open', closed: 'door/closed', locked: 'door/locked' };
  const place = { between: ['west', 'east'], direction: 'east' } as const;
  return {
    id,
    name: `${id} door`,
    ...at,
    ...place,
    state: 'closed',
    key: null,
    closesAfter: 0,
    sprites,
    ...change,
  };
}

export function aWorld(rows: readonly string[], change: Partial<GridDefinition> = {}): GridDefinition {
  return {
    size: { width: rows[0]?.length ?? 0, height: rows.length },
    terrain: TERRAIN,
    terrainKeys: TERRAIN_KEYS,
    rows,
    rooms: [],
    doors: [],
    things: [],
    npcs: [],
    agents: [],
    rules: RULES,
    window: { columns: 15, rows: 15 },
    success: null,
    successReason: '',
    failure: null,
    failureReason: '',
    ...change,
  };
}

export interface Played {
  world: GridWorld;
  state: GridState;
}

export function played(definition: GridDefinition): Played {
  const world = openWorld(definition);
  return { world, state: createState(world, '1') };
}

/** Rows of terrain, mostly floor. */
export function rowsOf(width: number, height: number): fc.Arbitrary<string[]> {
  const tile = fc.constantFrom('.', '.', '.', '.', '#', '#', '~', '"');
  return fc.array(
    fc.array(tile, { minLength: width, maxLength: width }).map((row) => row.join('')),
    {
      minLength: height,
      maxLength: height,
    },
  );
}

const WIDTH = 24;
const HEIGHT = 18;

/** Every tile once, in random order: whoever takes from it in turn never collides. */
const shuffledTiles = fc.shuffledSubarray(
  Array.from({ length: WIDTH * HEIGHT }, (_tile, index) => ({
    x: index % WIDTH,
    y: Math.floor(index / WIDTH),
  })),
  { minLength: 24, maxLength: 24 },
);

/** A world of two rooms beside each other, three agents, two NPCs, doors, chests in every state and loose things. */
export const randomDefinition: fc.Arbitrary<GridDefinition> = fc
  .record({
    rows: rowsOf(WIDTH, HEIGHT),
    tiles: shuffledTiles,
    sight: fc.constantFrom('recursive', 'symmetric', 'rays'),
    movement: fc.constantFrom('room', 'tile'),
    radius: fc.integer({ min: 1, max: 12 }),
    side: fc.constantFrom(5, 9, 15),
    lids: fc.array(fc.constantFrom('open', 'closed', 'locked'), { minLength: 6, maxLength: 6 }),
  })
  .map(({ rows, tiles, sight, movement, radius, side, lids }) => {
    const next = tiles[Symbol.iterator]();
    const tile = () => next.next().value ?? { x: 0, y: 0 };
    const on = (): ThingLocation => ({ at: 'tile', ...tile() });
    const taken: { x: number; y: number }[] = [];
    const clear = () => {
      const found = tile();
      taken.push(found);
      return found;
    };
    const agents = ['ada', 'bea', 'cyd'].map((id) => anAgent(id, clear(), { sightRadius: radius }));
    const npcs = ['rat', 'bat'].map((id) => anNpc(id, clear()));
    const lid = (index: number) => lids[index] ?? 'open';
    const doors = ['oak', 'iron', 'pine'].map((id, index) => aDoor(id, clear(), { state: lid(index) }));
    const chests = ['chest', 'crate', 'box'].map((id, index) =>
      aThing(id, on(), {
        name: 'chest',
        blocking: true,
        container: { state: lid(index + 3), key: null, sprites: LIDS },
      }),
    );
    const inside = ['gem', 'rope', 'ring'].map((id, index) =>
      aThing(id, { at: 'inside', container: chests[index]?.id ?? 'chest' }),
    );
    const loose = ['key', 'lamp', 'cup', 'coin'].map((id) =>
      aThing(id, on(), { text: id === 'cup' ? 'drink me' : null }),
    );
    const heavy = aThing('curtain', on(), { portable: false, opaque: true });
    const held = ['axe', 'map'].map((id, index) =>
      aThing(id, { at: 'held', by: agents[index]?.id ?? 'ada' }),
    );
    const isTaken = (x: number, y: number) => taken.some((each) => each.x === x && each.y === y);
    return aWorld(
      rows.map((row, y) => Array.from(row, (kind, x) => (isTaken(x, y) ? '.' : kind)).join('')),
      {
        rooms: [
          {
            id: 'west',
            name: 'West Hall',
            areas: [{ x: 0, y: 0, width: 12, height: HEIGHT }],
            description: 'It is cold.',
          },
          {
            id: 'east',
            name: 'East Hall',
            areas: [{ x: 12, y: 0, width: 12, height: HEIGHT }],
            description: '',
          },
        ],
        agents,
        npcs,
        doors,
        things: [...chests, ...inside, ...loose, heavy, ...held],
        rules: { ...RULES, sight, movement },
        window: { columns: side, rows: side },
      },
    );
  });

/** A random world in which every agent has been somewhere else before, so that it remembers things that have changed since. */
export const randomGame: fc.Arbitrary<Played> = fc
  .tuple(
    randomDefinition,
    fc.array(fc.record({ x: fc.nat(WIDTH - 1), y: fc.nat(HEIGHT - 1) }), { maxLength: 4 }),
  )
  .map(([definition, tiles]) => {
    const { world, state } = played(definition);
    const travelled = tiles.reduce(
      (now, tile, index) => visit(world, { ...now, turn: index + 2 }, tile),
      state,
    );
    return { world, state: settle(world, travelled, definition) };
  });

function visit(world: GridWorld, state: GridState, tile: { x: number; y: number }): GridState {
  const there = ['ada', 'bea'].reduce((now, agent) => setBody(now, agent, tile), state);
  return ['ada', 'bea'].reduce((now, agent) => learn(world, now, agent), there);
}

/** Everyone back at the start, some things changed behind their backs. */
function settle(world: GridWorld, state: GridState, { agents, things }: GridDefinition): GridState {
  const corner = things.find(({ id }) => id === 'key')?.place;
  const moved = corner?.at === 'tile' ? placeThing(state, 'cup', corner) : state;
  const back = agents.reduce((now, { id, x, y }) => setBody(now, id, { x, y }), moved);
  return agents.reduce((now, { id }) => learn(world, now, id), { ...back, turn: back.turn + 1 });
}

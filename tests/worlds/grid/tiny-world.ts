/**
 * The smallest worlds for tests: an ASCII map, what its characters stand for, and a few options become a definition.
 * `#` is wall and `.` floor; any other character stands on floor and is looked up. `game` plays it.
 */
import { expect } from 'vitest';
import type { Args, Event, Intent } from '../../../src/environment/action.js';
import type { ActResult, Environment, Outcome } from '../../../src/environment/environment.js';
import type { Point } from '../../../src/environment/space.js';
import type {
  AgentDefinition,
  GridCondition,
  Door,
  GridDefinition,
  GridRules,
  NpcDefinition,
  Rect,
  ThingDefinition,
} from '../../../src/worlds/grid/definition.js';
import { openGrid } from '../../../src/worlds/grid/grid.js';
import { mixedCopy } from '../../support/key-order.js';
import { assertWorld } from './invariants.js';
import { withInboxItem } from '../../../src/environment/news.js';
import { setMinds } from '../../../src/worlds/grid/change.js';
import type { GridState, GridInboxItem } from '../../../src/worlds/grid/state.js';
import type { GridWorld } from '../../../src/worlds/grid/world.js';
import { openWorld } from '../../../src/worlds/grid/world.js';

type Piece =
  | { piece: 'agent'; definition: AgentDefinition }
  | { piece: 'npc'; definition: NpcDefinition }
  | { piece: 'door'; definition: Door }
  | { piece: 'thing'; definition: ThingDefinition };

const SPRITES = { open: 'open', closed: 'closed', locked: 'locked' };
const HERE = { x: 0, y: 0 };

/** The name is the id with a capital: "ada" is called "Ada". */
export function agent(id: string, change: Partial<AgentDefinition> = {}): Piece {
  const name = id.charAt(0).toUpperCase() + id.slice(1);
  const body = { id, name, aliases: [], sprite: 'person', description: '', ...HERE };
  return { piece: 'agent', definition: { ...body, sightRadius: 8, actions: null, carryMax: 4, ...change } };
}

export function npc(id: string, change: Partial<NpcDefinition> = {}): Piece {
  const body = { id, name: id, aliases: [], sprite: 'creature', description: '', ...HERE };
  const still = { behaviour: { kind: 'still' }, catches: null, watchRadius: 0 } as const;
  return { piece: 'npc', definition: { ...body, ...still, ...change } };
}

/** An open east door between `west` and `east`. */
export function door(id: string, change: Partial<Door> = {}): Piece {
  const between = ['west', 'east'] as const;
  const plain = { id, name: `${id} door`, between, direction: 'east', state: 'open', key: null } as const;
  return { piece: 'door', definition: { ...plain, ...HERE, closesAfter: 0, sprites: SPRITES, ...change } };
}

/** A portable thing that is called like its id, with spaces for hyphens. */
export function thing(id: string, change: Partial<ThingDefinition> = {}): Piece {
  const plain = { portable: true, pushable: false, blocking: false, opaque: false };
  const none = { text: null, container: null, work: null, stack: null, consumable: null };
  const named = { id, name: id.replaceAll('-', ' '), aliases: [], sprite: 'item', description: '' };
  const place = { at: 'tile', ...HERE } as const;
  return { piece: 'thing', definition: { ...named, ...plain, ...none, place, ...change } };
}

export function chest(id: string, change: Partial<ThingDefinition> = {}): Piece {
  const container = { state: 'open', key: null, sprites: SPRITES } as const;
  return thing(id, { portable: false, blocking: true, container, ...change });
}

export function crate(id: string): Piece {
  return thing(id, { portable: false, pushable: true, blocking: true });
}

export interface TinyOptions {
  rules?: Partial<GridRules>;
  /** By id; without it one room `hall` covers the map. */
  rooms?: Readonly<Record<string, Rect>>;
  /** Things in containers and hands, which no map shows. */
  more?: readonly Piece[];
  success?: GridCondition | null;
  failure?: GridCondition | null;
  window?: GridDefinition['window'];
  triggers?: GridDefinition['triggers'];
}

export function tinyDefinition(
  map: string,
  pieces: Readonly<Record<string, Piece>>,
  options: TinyOptions = {},
): GridDefinition {
  const rows = map
    .split('\n')
    .map((row) => row.trim())
    .filter((row) => row !== '');
  const size = { width: rows[0]?.length ?? 0, height: rows.length };
  const placed = [...piecesOn(rows, pieces), ...(options.more ?? [])];
  const hall = { hall: { ...HERE, ...size } };
  return {
    size,
    terrain: [
      { id: 'wall', name: 'wall', walkable: false, opaque: true, sprite: 'wall' },
      { id: 'floor', name: 'floor', walkable: true, opaque: false, sprite: 'floor' },
    ],
    terrainKeys: '#.',
    rows: rows.map((row) => row.replace(/[^#.]/g, '.')),
    rooms: Object.entries(options.rooms ?? hall).map(([id, area]) => ({
      id,
      name: id,
      areas: [area],
      description: '',
    })),
    ...sorted(placed),
    rules: { ...RULES, ...options.rules },
    window: options.window ?? { columns: 15, rows: 15 },
    success: options.success ?? null,
    successReason: '',
    failure: options.failure ?? null,
    failureReason: '',
    ...(options.triggers ? { triggers: options.triggers } : {}),
  };
}

const RULES: GridRules = {
  movement: 'tile',
  diagonals: false,
  sight: 'symmetric',
  speakRadius: 4,
  speechFree: false,
  fog: true,
  bodiesBlock: true,
};

/** Pieces where the map has their characters; agents in the order of `pieces`. */
function piecesOn(rows: readonly string[], pieces: Readonly<Record<string, Piece>>): readonly Piece[] {
  const tiles = new Map(
    rows.flatMap((row, y) => Array.from(row).map((character, x) => [character, { x, y }] as const)),
  );
  return Object.entries(pieces).map(([character, piece]) => {
    const at = tiles.get(character);
    if (at === undefined) throw new Error(`no ${character} on the map`);
    return placedAt(piece, at);
  });
}

function placedAt(each: Piece, at: Point): Piece {
  if (each.piece === 'thing')
    return { ...each, definition: { ...each.definition, place: { at: 'tile', ...at } } };
  if (each.piece === 'agent') return { ...each, definition: { ...each.definition, ...at } };
  if (each.piece === 'npc') return { ...each, definition: { ...each.definition, ...at } };
  return { ...each, definition: { ...each.definition, ...at } };
}

function sorted(pieces: readonly Piece[]): Pick<GridDefinition, 'agents' | 'npcs' | 'doors' | 'things'> {
  return {
    agents: pieces.flatMap((each) => (each.piece === 'agent' ? [each.definition] : [])),
    npcs: pieces.flatMap((each) => (each.piece === 'npc' ? [each.definition] : [])),
    doors: pieces.flatMap((each) => (each.piece === 'door' ? [each.definition] : [])),
    things: pieces.flatMap((each) => (each.piece === 'thing' ? [each.definition] : [])),
  };
}

/** A world being played; `state` is the newest. */
export interface Game {
  world: GridWorld;
  environment: Environment<GridState>;
  state: GridState;
  events: readonly Event[];
  /** One intent: check and, where nothing speaks against it, advance. The message, of the result or the refusal. */
  act(agent: string, action: string, args?: Args): string;
  /** As `act`, with what became of it. */
  try(agent: string, action: string, args?: Args): ActResult;
  /** Several at once. */
  tick(...intents: readonly Intent[]): readonly ActResult[];
  endTurn(): void;
  outcome(): Outcome;
  /** Bodies and things over the terrain, by the first letter of their ids. */
  map(): string;
}

export function game(definition: GridDefinition, seed = 'test'): Game {
  const environment = openGrid(definition);
  const world = openWorld(definition);
  const played: Game = {
    world,
    environment,
    state: environment.create(seed),
    events: [],
    act(agentId, action, args = {}) {
      const result = played.try(agentId, action, args);
      return result.ok ? result.message : result.problem.message;
    },
    try(agentId, action, args = {}) {
      const asked = intent(agentId, action, args);
      const refusal = environment.check(played.state, asked);
      if (refusal !== undefined) return { ok: false, problem: refusal };
      const [result] = played.tick(asked);
      if (result === undefined) throw new Error('no result');
      return result;
    },
    tick(...intents) {
      const { state, results, events } = environment.advance(played.state, intents);
      assertWorld(world, state);
      played.state = state;
      played.events = events;
      return results;
    },
    endTurn() {
      const { state, events } = environment.endTurn(played.state);
      assertWorld(world, state);
      played.state = state;
      played.events = events;
    },
    outcome: () => environment.outcome(played.state),
    map: () => mapOf(world, played.state),
  };
  assertWorld(world, played.state);
  return played;
}

export function intent(agentId: string, action: string, args: Args = {}): Intent {
  return { agent: agentId, action, args };
}

function mapOf({ definition }: GridWorld, state: GridState): string {
  const rows = definition.rows.map((row) => Array.from(row));
  const put = (x: number, y: number, letter: string): void => {
    const row = rows[y];
    if (row !== undefined) row[x] = letter;
  };
  for (const each of definition.doors) put(each.x, each.y, '+');
  for (const shard of Object.values(state.things)) {
    for (const { id, place } of Object.values(shard))
      if (place.at === 'tile') put(place.x, place.y, id.charAt(0));
  }
  for (const { id, x, y } of Object.values(state.bodies)) put(x, y, id.charAt(0));
  return rows.map((row) => row.join('')).join('\n');
}

/** Expects the map to look like this, whatever its indentation. */
export function expectMap(played: Game, map: string): void {
  const rows = map.split('\n').map((row) => row.trim());
  expect(played.map()).toBe(rows.filter((row) => row !== '').join('\n'));
}

/** The state after a round trip through JSON: equal, with nothing remembered about it, and with its keys in another order. */
export function roundTrip(state: GridState): GridState {
  return mixedCopy(state);
}

/** The state with something more in an agent's inbox. */
export function withInbox(state: GridState, agent: string, item: GridInboxItem): GridState {
  return setMinds(state, [agent], (mind) => ({ inbox: withInboxItem(mind.inbox, item) }));
}

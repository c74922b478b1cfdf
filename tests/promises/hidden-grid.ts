/**
 * Random pairs of grid worlds for one agent in a walled hall. In: chance for what it can perceive and, for each world of the pair, chance for
 * what it can't: what keys fit, what work there is and with which tool, what triggers wait for, what is written, what lies in shut
 * containers, and all that is beyond the walls: the map's size, rooms, things, agents, creatures.
 */
import { known } from '../../src/base/assert.js';
import type { Point } from '../../src/environment/space.js';
import type {
  GridDefinition,
  GridRules,
  ThingLocation,
  Room,
  ThingDefinition,
  Trigger,
  WorkDefinition,
} from '../../src/worlds/grid/definition.js';
import { ANY_AGENT } from '../../src/worlds/grid/definition.js';
import { openGrid } from '../../src/worlds/grid/grid.js';
import { LIDS, RULES, aDoor, aThing, aWorld, anAgent, anNpc } from '../worlds/grid/random-world.js';
import type { Below } from './chance.js';
import { chance, oneOf } from './chance.js';
import type { HiddenPair, HiddenSide } from './hidden-pair.js';

const AGENT = 'ada';

/** What the agent can perceive of the hall: the same in both worlds. */
interface Hall {
  width: number;
  height: number;
  rows: readonly string[];
  here: Point;
  rules: GridRules;
  things: readonly ThingDefinition[];
  doors: GridDefinition['doors'];
  company: readonly Point[];
  carryMax: number;
  radius: number;
  actions: readonly string[] | null;
}

export function gridPair(seed: number): HiddenPair {
  const hall = hallOf(chance(`hall ${seed}`));
  const definitions = [0, 1].map((which) => behind(hall, chance(`behind ${seed} ${which}`)));
  const sides = definitions.map((definition, which): HiddenSide => ({
    environment: openGrid(definition),
    seed: `${seed} ${which}`,
    others: chance(`others ${seed} ${which}`),
  }));
  const named = definitions.flatMap(({ things, agents, npcs, rooms }) => [
    ...things,
    ...agents,
    ...npcs,
    ...rooms,
  ]);
  return {
    sides: [known(sides[0], 'a world'), known(sides[1], 'a world')],
    agent: AGENT,
    names: named.flatMap(({ id, name }) => [id, name]),
  };
}

function hallOf(below: Below): Hall {
  const [width, height] = [4 + below(5), 4 + below(3)];
  const tiles = Array.from({ length: width * height }, (_, i) => ({
    x: 1 + (i % width),
    y: 1 + Math.floor(i / width),
  }));
  const spot = (): Point => known(tiles.splice(below(tiles.length), 1)[0], 'a tile of the hall');
  const here = spot();
  const company = Array.from({ length: below(3) }, spot);
  const things = thingsIn(below, spot);
  const floor = (x: number, y: number): string =>
    tiles.some((tile) => tile.x === x && tile.y === y)
      ? oneOf(below, ['.', '.', '.', '.', '.', '#', '~'])
      : '.';
  return {
    width,
    height,
    rows: Array.from({ length: height }, (_, y) =>
      Array.from({ length: width }, (_x, x) => floor(x + 1, y + 1)).join(''),
    ),
    here,
    company,
    things,
    rules: rulesOf(below),
    doors: doorsOf(below, { width, height }),
    carryMax: 1 + below(4),
    radius: oneOf(below, [2, 5, 12]),
    actions: oneOf(below, [null, null, ['GO', 'TAKE', 'USE', 'OPEN'], ['USE', 'READ', 'LOOK', 'PUSH']]),
  };
}

function rulesOf(below: Below): GridRules {
  const isNumbered = below(3) === 0;
  return {
    ...RULES,
    movement: oneOf(below, ['room', 'tile'] as const),
    sight: oneOf(below, ['recursive', 'symmetric', 'rays'] as const),
    diagonals: below(2) === 0,
    speakRadius: 1,
    speechFree: below(2) === 0,
    bodiesBlock: below(4) > 0,
    ...(isNumbered ? { coordinates: true as const } : {}),
  };
}

const NAMES = ['box', 'box', 'key', 'lever', 'statue', 'loaf', 'sign', 'coin', 'hammer'];

/** Some lie about, some are held, some lie in an open chest. */
function thingsIn(below: Below, spot: () => Point): readonly ThingDefinition[] {
  const chest = aThing(
    'chest',
    { at: 'tile', ...spot() },
    lidded(oneOf(below, ['open', 'closed', 'locked'] as const)),
  );
  const bag = aThing('bag', { at: 'tile', ...spot() }, { ...lidded('open'), portable: true });
  const more = NAMES.slice(0, 3 + below(7)).map((name, index): ThingDefinition => {
    const place = oneOf<() => ThingLocation>(below, [
      () => ({ at: 'tile', ...spot() }),
      () => ({ at: 'tile', ...spot() }),
      () => ({ at: 'held', by: AGENT }),
      () => ({ at: 'inside', container: 'bag' }),
    ])();
    return aThing(`${name}-${index}`, place, looksOf(below, name));
  });
  return [chest, bag, ...more];
}

function lidded(state: 'open' | 'closed' | 'locked'): Partial<ThingDefinition> {
  return { portable: false, container: { state, key: null, sprites: LIDS } };
}

/** What is plain to see of a thing. */
function looksOf(below: Below, name: string): Partial<ThingDefinition> {
  return {
    name,
    portable: below(3) > 0,
    pushable: below(3) === 0,
    text: below(3) === 0 ? 'unread' : null,
    stack: below(6) === 0 ? { kind: name, amount: 2 + below(4) } : null,
  };
}

function doorsOf(below: Below, { width, height }: Pick<Hall, 'width' | 'height'>): Hall['doors'] {
  const state = (): 'closed' | 'locked' => oneOf(below, ['closed', 'locked'] as const);
  const east = aDoor(
    'oak',
    { x: width + 1, y: 1 + below(height) },
    { state: state(), between: ['hall', 'beyond'] },
  );
  const south = aDoor(
    'iron',
    { x: 1 + below(width), y: height + 1 },
    { state: state(), between: ['hall', 'beyond'], direction: 'south' },
  );
  return [east, south].slice(0, 1 + below(2));
}

/** The hall in a world of its own. */
function behind(hall: Hall, below: Below): GridDefinition {
  const size = { width: hall.width + 4 + below(14), height: hall.height + 4 + below(14) };
  const beyond = tilesBeyond(hall, size);
  const spot = (): Point => known(beyond.splice(below(beyond.length), 1)[0], 'a tile beyond');
  const strangers = Array.from({ length: below(3) }, (_, index) =>
    anAgent(oneOf(below, [`bob-${index}`, `cyd-${index}`]), spot(), {
      name: oneOf(below, ['Bob', 'Cyd', 'key']),
      actions: oneOf(below, [null, ['GO', 'SPEAK']]),
    }),
  );
  const company = hall.company.map((at, index) =>
    anAgent(`friend-${index}`, at, { actions: oneOf(below, [['WAIT'], []]) }),
  );
  const npcs = Array.from({ length: below(3) }, (_, index) =>
    anNpc(`rat-${index}`, spot(), { name: oneOf(below, ['rat', 'bat']) }),
  );
  const hidden = Array.from({ length: below(4) }, (_, index) =>
    aThing(
      `far-${index}`,
      { at: 'tile', ...spot() },
      { ...looksOf(below, oneOf(below, NAMES)), ...deepOf(below, hall) },
    ),
  );
  const stowed = hall.things.some(({ id, container }) => id === 'chest' && container?.state !== 'open')
    ? Array.from({ length: below(3) }, (_, index) =>
        aThing(`in-${index}`, { at: 'inside', container: 'chest' }),
      )
    : [];
  const things = [...hall.things.map((thing) => deepened(thing, hall, below)), ...hidden, ...stowed];
  const ada = anAgent(AGENT, hall.here, {
    carryMax: hall.carryMax,
    sightRadius: hall.radius,
    actions: hall.actions,
  });
  return aWorld(rowsBehind(hall, size, below), {
    rooms: roomsOf(hall, size, below),
    doors: hall.doors.map((door) => ({ ...door, key: keyFor(hall, below), closesAfter: below(2) * 3 })),
    things,
    agents: below(2) === 0 ? [ada, ...company, ...strangers] : [...strangers, ...company, ada],
    npcs,
    rules: hall.rules,
    window: { columns: 15, rows: 15 },
    success: oneOf(below, [null, { kind: 'holds', agent: AGENT, thing: 'chest' }]),
    ...(below(2) === 0 ? {} : { triggers: triggersOf(things, hall, below) }),
  });
}

function tilesBeyond({ width, height }: Hall, size: GridDefinition['size']): Point[] {
  const tiles = Array.from({ length: size.width * size.height }, (_, i) => ({
    x: i % size.width,
    y: Math.floor(i / size.width),
  }));
  return tiles.filter(({ x, y }) => x > width + 1 || y > height + 1);
}

/** A wall around the hall, and anything behind it. */
function rowsBehind(hall: Hall, size: GridDefinition['size'], below: Below): readonly string[] {
  return Array.from({ length: size.height }, (_row, y) =>
    Array.from({ length: size.width }, (_column, x) => {
      const isBeyond = x > hall.width + 1 || y > hall.height + 1;
      if (isBeyond) return oneOf(below, ['.', '.', '.', '#', '~']);
      if (hall.doors.some((door) => door.x === x && door.y === y)) return '.';
      return hall.rows[y - 1]?.[x - 1] ?? '#';
    }).join(''),
  );
}

function roomsOf({ width, height }: Hall, size: GridDefinition['size'], below: Below): readonly Room[] {
  const hall = { id: 'hall', name: 'hall', description: '', areas: [{ x: 1, y: 1, width, height }] };
  const beyond = {
    id: 'beyond',
    name: oneOf(below, ['cellar', 'chapel', 'box']),
    description: oneOf(below, ['', 'It is dark.']),
    areas: [
      { x: width + 2, y: 0, width: size.width - width - 2, height: size.height },
      { x: 0, y: height + 2, width: width + 2, height: size.height - height - 2 },
    ],
  };
  return [hall, beyond];
}

/** What nobody can tell of a thing by looking at it. */
function deepOf(below: Below, hall: Hall): Partial<ThingDefinition> {
  return {
    work: below(3) === 0 ? workOf(below, hall) : null,
    consumable: below(5) === 0 ? oneOf(below, ['', 'It was good.']) : null,
    description: oneOf(below, ['', 'It is old.']),
  };
}

function deepened(thing: ThingDefinition, hall: Hall, below: Below): ThingDefinition {
  const { container, text } = thing;
  return {
    ...thing,
    ...deepOf(below, hall),
    text: text === null ? null : `line ${below(100)}`,
    container: container && { ...container, key: keyFor(hall, below) },
  };
}

function keyFor({ things }: Hall, below: Below): string | null {
  return below(2) === 0 ? null : oneOf(below, things).id;
}

function workOf(below: Below, { things, doors }: Hall): WorkDefinition {
  return {
    turns: 1 + below(4),
    tool: below(2) === 0 ? null : oneOf(below, things).id,
    done: oneOf(below, ['', 'It is done.']),
    effect: oneOf<WorkDefinition['effect']>(below, [
      { kind: 'remove' },
      { kind: 'open-door', door: oneOf(below, doors).id },
      { kind: 'become', name: 'heap', sprite: 'item/heap', blocking: false },
    ]),
  };
}

function triggersOf(things: readonly ThingDefinition[], { doors }: Hall, below: Below): readonly Trigger[] {
  return Array.from({ length: 1 + below(3) }, (_, index): Trigger => {
    const on = oneOf(below, [null, oneOf(below, things).id, oneOf(below, doors).id, 'friend-0']);
    return {
      id: `trigger-${index}`,
      when: { kind: 'used', thing: oneOf(below, things).id, on, agent: ANY_AGENT },
      condition: null,
      effects: [{ kind: 'count', counter: 'uses', by: 1 }],
      repeats: below(2) === 0,
    };
  });
}

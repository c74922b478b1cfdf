/**
 * Pairs of scenarios that differ only in what the picture shows, for runs in which two agents give the same replies to both. In: a number; out: two
 * scenarios and the replies. Goals, actions, rules and what the agents hold, which are told in words, are the same; the map, where everybody
 * and everything is, its names, lids and amounts, doors, creatures, rooms and descriptions are not.
 */
import type { Below } from './chance.js';
import { chance, oneOf, shuffled } from './chance.js';

export interface PicturedPair {
  scenarios: readonly [string, string];
  /** What each agent says, whatever it is asked. */
  replies: Readonly<Record<'ann' | 'bob', readonly string[]>>;
}

/** How everything is told, and by which rules. */
interface Telling {
  rules: object;
  turns: object;
  prompt: object;
  memory: object;
  protocol: string;
}

const REPLIES = 60;
const WAYS = ['north', 'east', 'south', 'west'];
const NAMES = ['key', 'brass key', 'iron key', 'lamp', 'coin', 'crate', 'lever', 'loaf', 'note', 'chest'];

export function picturedPair(seed: number): PicturedPair {
  const below = chance(`told ${seed}`);
  const telling: Telling = {
    rules: {
      movement: oneOf(below, ['room', 'tile']),
      go_to: below(2) === 0,
      diagonals: false,
      coordinates: below(3) === 0,
      observe: oneOf(below, ['told', 'told', 'ask']),
      use_amounts: below(2) === 0,
      speech: { radius: 40, free: below(2) === 0 },
    },
    turns: { max: 8, attempts: 1 + below(3), repair: false },
    prompt: { offers: below(2) === 0 },
    memory: oneOf(below, [{ kind: 'none' }, { kind: 'history', turns_max: 8, turns_kept: 4 }]),
    protocol: 'command',
  };
  return {
    scenarios: [0, 1].map((side) =>
      scenario(chance(`seen ${seed} ${side}`), telling),
    ) as unknown as PicturedPair['scenarios'],
    replies: {
      ann: Array.from({ length: REPLIES }, () => `ACTION: ${command(below)}`),
      bob: Array.from({ length: REPLIES }, () =>
        below(4) === 0
          ? 'ACTION: SPEAK "Here I am."'
          : `ACTION: ${oneOf(below, ['GO', 'TAKE', 'OPEN'])} ${oneOf(below, [...WAYS, ...NAMES])}`,
      ),
    },
  };
}

/** Half of the acts are steps, so that an agent gets about. Some name what may be there, some what has no name. */
function command(below: Below): string {
  if (below(2) === 0) return `GO ${oneOf(below, WAYS)}`;
  const named = oneOf(below, [...NAMES, 'door', 'oak door', 'bob', 'rat', 'thing-0', 'thing-1', 'door-0']);
  return oneOf(below, [
    `TAKE ${named}`,
    `TAKE ${named}`,
    `TAKE 2 ${named}`,
    `TAKE AT ${1 + below(9)} ${1 + below(5)}`,
    `GO TO ${named}`,
    `GO ${named}`,
    `EXAMINE ${named}`,
    `TAKE the ${named} (beside me)`,
    `USE ${named} ON ${named}`,
    `GO TO ${1 + below(9)} ${1 + below(5)}`,
    `OPEN ${named}`,
    `CLOSE ${named}`,
    `USE ${named}`,
    `USE rope ON ${named}`,
    `GIVE rope TO ${named}`,
    'DROP rope',
    `DROP rope IN ${named}`,
    `READ ${named}`,
    `PUSH ${named} ${oneOf(below, WAYS).toUpperCase()}`,
    'LOOK',
    `LOOK AT ${named}`,
    `SPEAK "Where is the ${named}?"`,
    'FLY away',
  ]);
}

function scenario(below: Below, telling: Telling): string {
  const [width, height] = [9, 5];
  const tiles = shuffled(
    below,
    Array.from({ length: width * height }, (_, i) => ({ x: i % width, y: Math.floor(i / width) })).filter(
      ({ x }) => x !== 4,
    ),
  );
  const doorRow = below(height);
  const [ann, bob, rat, ...free] = tiles;
  const rows = Array.from({ length: height }, (_, y) =>
    Array.from({ length: width }, (_x, x) => {
      if (x === 4) return y === doorRow ? 'd' : '#';
      if (ann?.x === x && ann.y === y) return 'A';
      if (bob?.x === x && bob.y === y) return 'B';
      const isTaken = [rat, ...free.slice(0, 8)].some((tile) => tile?.x === x && tile.y === y);
      const isBesideDoor = y === doorRow && Math.abs(x - 4) === 1;
      return isTaken || isBesideDoor ? '.' : oneOf(below, ['.', '.', '.', '.', '~', '#']);
    }).join(''),
  );
  const things = free
    .slice(0, 2 + below(6))
    .map(({ x, y }, i) => [`thing-${i}`, thing(below, [x + 1, y + 1])]);
  const agent = { sight: 12, memory: telling.memory, protocol: telling.protocol };
  // JSON is YAML.
  return JSON.stringify({
    title: 'What the picture shows',
    map: `${'#'.repeat(11)}\n${rows.map((row) => `#${row}#\n`).join('')}${'#'.repeat(11)}\n`,
    legend: { A: { agent: 'ann' }, B: { agent: 'bob' }, d: { door: 'door-0' } },
    rooms: {
      west: {
        name: oneOf(below, ['hall', 'cellar']),
        area: [1, 1, 4, 5],
        description: oneOf(below, ['', 'It is dark.']),
      },
      east: { name: oneOf(below, ['attic', 'store']), area: [6, 1, 4, 5] },
    },
    doors: {
      'door-0': { name: oneOf(below, ['oak door', 'ash door']), state: oneOf(below, ['open', 'closed']) },
    },
    things: { ...Object.fromEntries(things), rope: { held_by: 'ann', sprite: 'item/rope' } },
    npcs: {
      rat: {
        name: oneOf(below, ['rat', 'bat']),
        sprite: 'figure/rat',
        at: [(rat?.x ?? 0) + 1, (rat?.y ?? 0) + 1],
        behaviour: oneOf(below, ['still', 'wander']),
      },
    },
    agents: [
      { id: 'ann', sprite: 'figure/knight', goals: ['Find it.'], ...agent },
      { id: 'bob', sprite: oneOf(below, ['figure/monk', 'figure/wizard']), ...agent },
    ],
    rules: telling.rules,
    turns: telling.turns,
    prompt: telling.prompt,
    render: { channel: 'image', window: [11, 7], tile: 8 },
  });
}

function thing(below: Below, at: readonly [number, number]): object {
  const name = oneOf(below, NAMES);
  const description = oneOf(below, ['', 'It is old.']);
  const look = { name, at, description, sprite: 'item/lamp' };
  return oneOf(below, [
    { ...look, portable: below(3) > 0 },
    { ...look, kind: 'lever' },
    { ...look, kind: 'boulder' },
    { ...look, kind: 'sign', text: 'Mind the step.' },
    { ...look, stack: { kind: name.replace(' ', '-'), amount: 1 + below(4) } },
    { name, at, description, kind: 'chest', state: oneOf(below, ['open', 'closed']) },
  ]);
}

/**
 * The reference players: `sighted` wins what its agent can find out, `deaf` does not where it must be told, `text-only` guesses; and none uses
 * more of a world than it perceives: until it perceives a difference, it decides the same in both worlds of a pair.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Controller, ControllerInput } from '../../../src/agent/controller.js';
import { openScenarioFile } from '../../../src/scenario/folder.js';
import { loadScenario } from '../../../src/scenario/load.js';
import { referenceController } from '../../../src/worlds/scripted-controller.js';
import { READERS } from '../../../src/worlds/registry.js';
import { play } from '../../support/play.js';

const SENSES = ['sighted', 'text-only', 'deaf'] as const;
type Sense = (typeof SENSES)[number];

/** How often agents of this sense win, over seeds from 1. */
async function wins(text: string, sense: Sense, seeds: number, agents = ['ann']): Promise<number> {
  let count = 0;
  for (let seed = 1; seed <= seeds; seed++) {
    const set = [`seed=${seed}`, ...agents.map((agent) => `agents.${agent}.controller=${sense}`)];
    if ((await play(text, { set })).end.status === 'succeeded') count += 1;
  }
  return count;
}

const RULES = `
rules: { movement: tile, go_to: false, speech: { radius: 40 } }
render: { window: [9, 9], channel: image }
prompt: { offers: false }
`;

/** Which of the rooms has the red key. */
const FIND = `
title: find
generate: { size: [26, 14], rooms: 6, room_size: [4, 5], apart: [red, green] }
things:
  red: { name: key, sprite: item/key-red }
  green: { name: key, sprite: item/key-green }
agents:
  - id: ann
    sprite: figure/ranger
    goals: [Go to the room with the red key and say DONE.]
    actions: [GO, OPEN, DONE]
    sight: 9
success:
  any:
${[1, 2, 3, 4, 5, 6]
  .map(
    (room) =>
      `    - all: [{ agent: ann, done: true }, { agent: ann, in_room: room-${room} }, { thing: red, in_room: room-${room} }]`,
  )
  .join('\n')}
turns: { max: 80, attempts: 1 }
${RULES}`;

/** Only Ann sees which key lies there, and only Bob's word counts. */
const RELAY = `
title: relay
draw: { colour: [red, green, blue, brass, violet] }
map: |
  #########
  #A.k#..B#
  #########
legend:
  A: { agent: ann }
  B: { agent: bob }
  k: { thing: shown }
things:
  shown: { name: key, sprite: 'item/key-{{colour}}' }
triggers:
  answered: { when: { said: '{{colour}}', agent: bob }, if: { counter: tries, exactly: 0 }, then: [{ count: right }] }
${['red', 'green', 'blue', 'brass', 'violet']
  .map((colour) => `  tried-${colour}: { when: { said: ${colour}, agent: bob }, then: [{ count: tries }] }`)
  .join('\n')}
agents:
  - { id: ann, sprite: figure/ranger, goals: [Tell Bob the colour of the key.], actions: [SPEAK] }
  - { id: bob, sprite: figure/knight, goals: [SPEAK the colour.], actions: [SPEAK] }
success: { counter: right, at_least: 1 }
failure: { all: [{ counter: tries, at_least: 1 }, { counter: right, exactly: 0 }] }
turns: { max: 10, attempts: 1 }
${RULES}`;

/** The sign tells which of three levers is meant; a wrong one ends the run. */
const LEVERS = `
title: levers
draw: { lever: [oak, iron, brass] }
map: |
  ############
  #A.#...o..i#
  #..+......b#
  #n.#.......#
  ############
legend:
  A: { agent: ann }
  n: { thing: board }
  o: { thing: oak }
  i: { thing: iron }
  b: { thing: brass }
  +: { door: gate }
doors:
  gate: { name: gate }
rooms:
  cell: { from: [1, 1] }
  hall: { from: [4, 1] }
things:
  board: { kind: sign, text: 'Pull the {{lever}} lever.' }
  oak: { kind: lever, name: oak lever }
  iron: { kind: lever, name: iron lever }
  brass: { kind: lever, name: brass lever }
triggers:
  pulled-oak: { when: { used: oak }, then: [{ count: oak }, { count: pulled }] }
  pulled-iron: { when: { used: iron }, then: [{ count: iron }, { count: pulled }] }
  pulled-brass: { when: { used: brass }, then: [{ count: brass }, { count: pulled }] }
agents:
  - { id: ann, sprite: figure/ranger, goals: [Read the board and pull the lever that it names.] }
success: { counter: '{{lever}}', at_least: 1 }
failure: { all: [{ counter: pulled, at_least: 1 }, { counter: '{{lever}}', exactly: 0 }] }
turns: { max: 30 }
rules: { movement: tile, go_to: false }
`;

describe('the sighted player', () => {
  it.each(['brass-key', 'lever-gate', 'two-keepers'])('wins the shipped scenario %s', async (name) => {
    const agents = { 'brass-key': ['ranger'], 'lever-gate': ['miller'], 'two-keepers': ['monk', 'miner'] };
    expect(await wins(`scenarios/${name}.yaml`, 'sighted', 1, agents[name as keyof typeof agents])).toBe(1);
  });

  it('finds a room by what it sees, which one without the picture does not', async () => {
    expect(await wins(FIND, 'sighted', 6)).toBeGreaterThanOrEqual(5);
    expect(await wins(FIND, 'text-only', 6)).toBeLessThanOrEqual(3);
  });

  it('tells what it alone sees, and believes what it is told', async () => {
    expect(await wins(RELAY, 'sighted', 8, ['ann', 'bob'])).toBe(8);
  });

  it('reads what decides between the ways in which the scenario may have been drawn', async () => {
    expect(await wins(LEVERS, 'sighted', 8)).toBe(8);
  });
});

/** Stops in an order, the first where she starts, and the last to be at in the end. */
const STOPS = `
title: stops
map: |
  ############
  #sA..w....t#
  #..........#
  ############
legend: { A: { agent: ann }, s: { thing: stool }, w: { thing: well }, t: { thing: throne } }
rooms: { hall: { from: [1, 1] } }
things:
  stool: { kind: furniture, sprite: furniture/table }
  well: { kind: furniture, sprite: furniture/well }
  throne: { kind: furniture, sprite: furniture/throne }
triggers:
  stop-1: { if: { all: [{ counter: stop, exactly: 0 }, { agent: ann, near: stool }] }, then: [{ count: stop }] }
  stop-2: { if: { all: [{ counter: stop, exactly: 1 }, { agent: ann, near: throne }] }, then: [{ count: stop }] }
  stop-3: { if: { all: [{ counter: stop, exactly: 2 }, { agent: ann, near: well }] }, then: [{ count: stop }] }
agents:
  - { id: ann, sprite: figure/ranger, goals: ['To the stool, the throne and the well, in this order.'], actions: [GO, DONE] }
success: { all: [{ agent: ann, done: true }, { agent: ann, near: well }, { counter: stop, at_least: 3 }] }
turns: { max: 40 }
${RULES}`;

/** Small worlds, each with what the sighted player once lost; a corridor from west to east if nothing else is said. */
const LOST: Readonly<Record<string, { text: string; agents?: string[] }>> = {
  'stands at its first stop when it starts, and where it must be at the end is passed before': {
    text: STOPS,
  },
  'puts things down in a doorway': {
    text: `
title: doorway
map: |
  #############
  #l.A..+.....#
  #############
legend: { A: { agent: ann }, l: { thing: lamp }, +: { door: gate } }
doors: { gate: { name: gate, kind: gate, state: open } }
rooms: { hall: { area: [6, 1, 6, 1] }, cell: { area: [1, 1, 5, 1] } }
things: { lamp: { sprite: item/lamp } }
triggers: { said: { when: { said: here, in_room: hall, agent: ann }, then: [{ count: said }] } }
agents:
  - { id: ann, sprite: figure/ranger, goals: ['Put the lamp into the hall and say "here" there.'], actions: [GO, TAKE, DROP, SPEAK] }
success:
  all: [{ counter: said, at_least: 1 }, { thing: lamp, in_room: hall }, { not: { agent: ann, holds: lamp } }]
turns: { max: 30 }
${RULES}`,
  },
  'is told by a name which key fits': {
    text: `
title: locks
map: |
  ################
  #b.r.A.......+g#
  ################
legend: { A: { agent: ann }, r: { thing: red }, b: { thing: blue }, g: { thing: goblet }, +: { door: gate } }
doors: { gate: { name: blue-key door, key: blue } }
rooms: { hall: { from: [1, 1] }, vault: { from: [14, 1] } }
things:
  red: { kind: key, name: red key, sprite: item/key-red }
  blue: { kind: key, name: blue key, sprite: item/key-blue }
  goblet: { sprite: item/goblet }
agents:
  - { id: ann, sprite: figure/ranger, goals: [Take the goblet.], actions: [GO, OPEN, TAKE, USE], sight: 20 }
success: { agent: ann, holds: goblet }
turns: { max: 27 }
${RULES}`,
  },
  'names a thing that it can not go to until somebody has left the way': {
    text: `
title: way
map: |
  #########
  #A..R..g#
  #####.###
  #########
legend: { A: { agent: ann }, R: { npc: rat }, g: { thing: goblet } }
things: { goblet: { sprite: item/goblet } }
npcs: { rat: { behaviour: wander, every: 1 } }
agents:
  - { id: ann, sprite: figure/ranger, goals: [Take the goblet.] }
success: { agent: ann, holds: goblet }
turns: { max: 60 }
rules: { movement: tile }
`,
  },
  'hears what it can never see, because it is shut in': {
    text: RELAY.replace(/map: \|\n(?: {2}#.*\n)+/, 'map: |\n  #########\n  #A.k#B#.#\n  #########\n').replace(
      'things:',
      'things:\n  rock: { kind: furniture, sprite: furniture/well, at: [7, 1], portable: false }',
    ),
    agents: ['ann', 'bob'],
  },
};

/** Six stops in an order that the goal tells: 720 orders. */
const MANY = `
title: many
draw: { order: { shuffle: [bell, egg, fish, horn, lamp, skull] } }
map: |
  ##############
  #A.b.e.f.h.l.#
  #..........k.#
  ##############
legend:
  A: { agent: ann }
  b: { thing: bell }
  e: { thing: egg }
  f: { thing: fish }
  h: { thing: horn }
  l: { thing: lamp }
  k: { thing: skull }
things:
  bell: { sprite: item/bell }
  egg: { sprite: item/egg }
  fish: { sprite: item/fish }
  horn: { sprite: item/horn }
  lamp: { sprite: item/lamp }
  skull: { sprite: item/skull }
triggers:
  first: { if: { agent: ann, holds: '{{order.1}}' }, then: [{ count: step }] }
  second: { if: { all: [{ counter: step, exactly: 1 }, { agent: ann, holds: '{{order.2}}' }] }, then: [{ count: step }] }
agents:
  - { id: ann, sprite: figure/ranger, goals: ['TAKE the {{order.1}}, then the {{order.2}}.'], actions: [GO, TAKE], sight: 14 }
success: { counter: step, at_least: 2 }
failure: { all: [{ counter: step, exactly: 0 }, { agent: ann, holds: '{{order.2}}' }] }
turns: { max: 30 }
${RULES}`;

describe('the sighted player in small worlds', () => {
  it.each(Object.entries(LOST))('wins where it %s', async (_name, { text, agents }) => {
    expect(await wins(text, 'sighted', 5, agents)).toBe(5);
  });

  it('waits for what appears in a turn to come', async () => {
    expect(await wins('scenarios/one-glance.yaml', 'sighted', 4, ['apprentice'])).toBe(4);
  });

  it('knows that a lever opens the door by which a wrong one would end the run', async () => {
    expect(await wins('scenarios/two-keepers.yaml', 'sighted', 4, ['monk', 'miner'])).toBe(4);
  });

  it.each([
    [1, 'Hello.'],
    [3, 'Hello.'],
    [1, "I can't see you."],
  ])('walks blind where %i refusals end its turn, whatever it hears: %s', async (refusals, words) => {
    // Whoever walks about gets into the third of three rooms; whoever is stuck at the first wall does not.
    const text = `
title: walk
generate: { size: [20, 14], rooms: 3, room_size: [3, 5] }
agents:
  - { id: ann, sprite: figure/ranger, goals: [Go into another room.], actions: [GO, OPEN] }
  - { id: bob, sprite: figure/knight, part: world, replies: [${Array.from({ length: 300 }, () => JSON.stringify(`ACTION: SPEAK "${words}"`)).join(', ')}] }
success: { agent: ann, in_room: room-3 }
turns: { max: 300, attempts: 3, refusals: ${refusals} }
${RULES}`;
    expect(await wins(text, 'text-only', 6)).toBeGreaterThanOrEqual(5);
  });

  it('guesses where it is deaf, and says what it knows', async () => {
    // One of five levers: all 20 seeds lost, or ten won, were no guess (1 and 0.3 %).
    const guessed = await wins('scenarios/two-keepers.yaml', 'deaf', 20, ['monk', 'miner']);
    expect(guessed).toBeGreaterThan(0);
    expect(guessed).toBeLessThan(10);
    const answered = await wins(RELAY, 'deaf', 20, ['ann', 'bob']);
    expect(answered).toBeGreaterThan(0);
    expect(answered).toBeLessThan(10);
  });

  it('tells another in which of the alternatives they are, and is told', async () => {
    const text = readFileSync('examples/train/families/call.yaml', 'utf8')
      .replace(/\nmodels:\n(?: .*\n)+/, '\n')
      .replace(/ {4}model: main\n/g, '')
      .replace(/ {2}templates: .*\n/, '');
    expect(await wins(text, 'sighted', 4, ['wizard', 'ranger'])).toBe(4);
    // It guesses one of five: all 20 seeds lost, or ten won, were no guess.
    const guessed = await wins(text, 'deaf', 20, ['wizard', 'ranger']);
    expect(guessed).toBeGreaterThan(0);
    expect(guessed).toBeLessThan(10);
  });

  it('considers the draws that agree with its goals, however many there are', async () => {
    expect(await wins(MANY, 'sighted', 3)).toBe(3);
  });

  it('plans counters that many triggers count, without trying them in all orders', async () => {
    const stops = ['well', 'throne', 'well', 'throne', 'well', 'throne'].flatMap((thing, i) =>
      [0, 1].map(
        (within) =>
          `  stop-${i}-${within}: { if: { all: [{ counter: stop, exactly: ${i} }, { agent: ann, near: ${thing}, within: ${within} }] }, then: [{ count: stop }] }`,
      ),
    );
    const text = STOPS.replace(/triggers:\n(?: {2}.*\n)+/, `triggers:\n${stops.join('\n')}\n`)
      .replace('{ agent: ann, near: well }, ', '')
      .replace('at_least: 3', 'at_least: 6')
      .replace('max: 40', 'max: 80');
    expect(await wins(text, 'sighted', 1)).toBe(1);
  });

  it('remembers no more of what it notices than it uses', async () => {
    const memories: string[] = [];
    const noticed: string[] = [];
    const text = STOPS.replace('#sA..w....t#', '#sA.xw....t#')
      .replace('{ A: { agent: ann },', '{ A: { agent: ann }, x: { npc: rat },')
      .replace('agents:', 'npcs: { rat: { behaviour: wander, every: 1 } }\nagents:')
      .replace('[GO, DONE]', '[GO]')
      .replace(', channel: image', '');
    const note = ({ memory, observation }: ControllerInput): void => {
      memories.push(JSON.stringify(memory));
      noticed.push(...(observation.facts['noticed'] as string[]));
    };
    await decisions(text, note, 'sighted');
    expect(noticed.length).toBeGreaterThan(5);
    expect(noticed.filter((line) => memories.at(-1)?.includes(line))).toEqual([]);
  });
});

describe('the other reference players', () => {
  it('guess where they would have to be told', async () => {
    expect(await wins(RELAY, 'text-only', 8, ['ann', 'bob'])).toBeLessThanOrEqual(5);
  });

  it('exist only where the world has them', () => {
    const { scenario } = loadScenario(openScenarioFile('scenarios/files.yaml'), () => undefined, {
      worlds: READERS,
      known: { sprites: null, actions: null },
    });
    const [agent] = scenario.agents;
    if (agent === undefined) throw new Error('there is no agent');
    for (const sense of SENSES) {
      expect(() =>
        referenceController(sense, agent, scenario, () => ({ worlds: [], told: new Set() })),
      ).toThrow(`toolbox has no ${sense} player`);
    }
  });
});

/** A hall with doors to two rooms; `west` and `east` are what lies behind them. */
function hidden(west: string, east: string): string {
  return `
title: hidden
map: |
  ###############
  #${west}..#.....#..${east}#
  #...v..A..w..r#
  #...#.....#...#
  ###############
legend:
  A: { agent: ann }
  g: { thing: goblet }
  l: { thing: lamp }
  r: { thing: rope }
  v: { door: west-door }
  w: { door: east-door }
doors:
  west-door: { name: west door }
  east-door: { name: east door }
rooms:
  hall: { from: [5, 2] }
  west: { from: [1, 2] }
  east: { from: [11, 2] }
things:
  goblet: { sprite: item/goblet }
  lamp: { sprite: item/lamp }
  rope: { sprite: item/rope }
agents:
  - { id: ann, sprite: figure/ranger, goals: [Take the goblet.] }
success: { agent: ann, holds: goblet }
turns: { max: 25 }
rules: { movement: tile, go_to: false }
render: { channel: image }
`;
}

function corridor(west: string, east: string): string {
  return hidden(west, east)
    .replace(
      /map: \|\n(?: {2}#.*\n)+/,
      `map: |\n  #############\n  #.${west}...A...${east}r#\n  #############\n`,
    )
    .replace(/ {2}[vw]: .*\n/g, '')
    .replace(/doors:\n(?: {2}.*\n)+rooms:\n(?: {2}.*\n)+/, '')
    .replace('goals: [Take', 'sight: 2, goals: [Take');
}

interface Decision {
  perceived: string;
  reply: string;
}

/** What an agent perceives in each turn, and what it answers. */
async function decisions(text: string, perceived: (input: ControllerInput) => unknown, sense: Sense) {
  const list: Decision[] = [];
  const set = [`agents.ann.controller=${sense}`];
  const { parts } = await play(text, { set });
  const own = parts.seats[0]?.controller;
  if (own === undefined) throw new Error('there is no seat');
  const watched: Controller = {
    ...own,
    decide: async (input, signal) => {
      const decision = await own.decide(input, signal);
      list.push({ perceived: JSON.stringify(perceived(input)), reply: decision.reply.content });
      return decision;
    },
  };
  await play(text, { set, controllers: { ann: watched } });
  return list;
}

describe('a reference player', () => {
  // In the second pair, the goblet lies just beyond the sight of somebody in the middle of a corridor.
  const PAIRS = [
    [hidden('g', 'l'), hidden('l', 'g')],
    [corridor('g', 'l'), corridor('l', 'g')],
  ] as const;

  it.each(SENSES)('%s decides by what it perceives alone', async (sense) => {
    const words = ({ observation: { sections } }: ControllerInput) =>
      sections.filter((one) => one.isPictured !== true);
    const all = ({ observation }: ControllerInput) => observation;
    for (const [left, right] of PAIRS) {
      const [one, other] = await Promise.all(
        [left, right].map((text) => decisions(text, sense === 'text-only' ? words : all, sense)),
      );
      let same = 0;
      for (const [i, { perceived, reply }] of (one ?? []).entries()) {
        if (other?.[i]?.perceived !== perceived) break;
        expect(other[i].reply).toBe(reply);
        same += 1;
      }
      expect(same).toBeGreaterThanOrEqual(2);
    }
  });

  it.each(SENSES)('%s remembers in JSON, so that a run goes on in another process', async (sense) => {
    const set = [`agents.ann.controller=${sense}`];
    const { parts, sink } = await play(FIND, { set });
    const own = parts.seats[0]?.controller;
    if (own === undefined) throw new Error('there is no seat');
    const stored: Controller = {
      ...own,
      decide: (input, signal) =>
        own.decide(
          { ...input, memory: JSON.parse(JSON.stringify(input.memory)) as typeof input.memory },
          signal,
        ),
    };
    const again = await play(FIND, { set, controllers: { ann: stored } });
    expect(again.sink.steps.map(({ chain }) => chain)).toEqual(sink.steps.map(({ chain }) => chain));
  });
});

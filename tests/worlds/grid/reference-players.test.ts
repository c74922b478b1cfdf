/**
 * The reference players: `sighted` wins what its agent can find out, `deaf` does not where it must be told, `text-only` guesses; and none uses
 * more of a world than it perceives: until it perceives a difference, it decides the same in both worlds of a pair.
 */
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

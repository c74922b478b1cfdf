/**
 * Players that do without what a task is about, written to win: one throws every picture away and reads all that is said and refused, one
 * neither speaks nor listens. They know the file of the task, its rules and its best blind plan, but not the seed. In: a task and a stream of
 * chance; out: a controller for each of its agents. Whoever finds a stronger one replaces them.
 */
import type { Controller, ControllerInput } from '../../src/agent/controller.js';
import { embeddedReply } from '../../src/agent/controllers/embedded-reply.js';
import type { Below } from '../promises/chance.js';
import { oneOf, shuffled } from '../promises/chance.js';
import { lastText } from './controllers.js';

/** From what an agent was told last in words, and the turn, to what it does. */
type Policy = (told: string, turn: number) => string;

type Players = (below: Below) => Readonly<Record<string, Policy>>;

const CALLED = ['goblet', 'skull', 'key', 'bell', 'lantern'];
const BOTTLES = ['red', 'green', 'blue'];
const LEVERS = ['red', 'green', 'blue'];

const STEPS = { north: [0, -1], east: [1, 0], south: [0, 1], west: [-1, 0] } as const;
type Way = keyof typeof STEPS;
const WAYS = Object.keys(STEPS) as readonly Way[];

/** Players without pictures. */
export const TEXT_ONLY: Readonly<Record<string, Players>> = {
  goblet: (below) => ({ ranger: blindWalk(below, 'goblet') }),
  choose: (below) => ({ ranger: blindWalk(below, 'goblet') }),
  call: (below) => {
    const guess = oneOf(below, CALLED);
    return {
      // Whatever words betray what was put down is passed on; otherwise it is a guess.
      wizard: (told, turn) => {
        const seen = /put down the (\w+)|The (\w+) is out of reach/.exec(told);
        const named = seen?.[1] ?? seen?.[2];
        if (named !== undefined) return `SPEAK "${named}"`;
        return turn < 12 ? 'WAIT' : `SPEAK "${guess}"`;
      },
      ranger: (told) => {
        const heard = /said to all[^"]*"(\w+)"/.exec(told)?.[1];
        return heard === undefined ? 'WAIT' : `TAKE ${heard}`;
      },
    };
  },
  'one-glance': (below) => {
    const guess = oneOf(below, BOTTLES);
    let bottle = guess;
    let asked = 0;
    return {
      apprentice: (told, turn) => {
        const betrayed = BOTTLES.find((colour) =>
          new RegExp(`${colour} (?:cord|sample|bottle) (?:was|appeared)`).test(told),
        );
        bottle = betrayed ?? bottle;
        if (turn < 4) return 'WAIT';
        if (turn < 10) return 'GO east';
        asked += 1;
        return asked % 2 === 1 ? `GO TO ${bottle} bottle` : `TAKE ${bottle} bottle`;
      },
    };
  },
};

/** Players without words of others. */
export const DEAF: Readonly<Record<string, Players>> = {
  call: (below) => {
    const guess = oneOf(below, CALLED);
    // Late enough that the herald has put something down.
    return { wizard: () => 'WAIT', ranger: (_told, turn) => (turn < 12 ? 'WAIT' : `TAKE ${guess}`) };
  },
  'two-keepers': (below) => {
    const guess = oneOf(below, LEVERS);
    return {
      monk: () => 'WAIT',
      miner: (_told, turn) =>
        [`GO TO ${guess} lever`, `USE ${guess} lever`, 'GO east'][Math.min(turn, 3) - 1] ?? 'WAIT',
    };
  },
};

/**
 * Tries to take the thing, takes two steps and tries again, on straight lines that turn where a step is refused. If a refusal tells where the
 * thing is, it goes there.
 */
function blindWalk(below: Below, thing: string): Policy {
  let [ahead, side] = shuffled(below, WAYS);
  let last: Way | 'take' | null = null;
  let steps = 0;
  let isNorthFirst = below(2) === 0;
  let offset: [number, number] | null = null;
  return (told) => {
    const isRefused = /was lost|not possible|can't|could not|stayed/.test(told);
    const seen = offsetIn(told);
    if (seen !== null) offset = seen;
    else if (last !== null && last !== 'take' && !isRefused) {
      steps += 1;
      const [dx, dy] = STEPS[last];
      if (offset !== null) offset = [offset[0] - dx, offset[1] - dy];
    } else if (last !== null && last !== 'take') {
      [ahead, side] = [side ?? 'north', opposite(ahead ?? 'north')];
      isNorthFirst = !isNorthFirst;
    }
    if (offset !== null) {
      const [x, y] = offset;
      if (Math.max(Math.abs(x), Math.abs(y)) <= 1) {
        last = 'take';
        return `TAKE ${thing}`;
      }
      const across: Way = x > 0 ? 'east' : 'west';
      const along: Way = y > 0 ? 'south' : 'north';
      last = x === 0 ? along : y === 0 ? across : isNorthFirst ? along : across;
      return `GO ${last}`;
    }
    if (last === null || (last !== 'take' && steps >= 2)) {
      steps = 0;
      last = 'take';
      return `TAKE ${thing}`;
    }
    last = ahead ?? 'north';
    return `GO ${last}`;
  };
}

function opposite(way: Way): Way {
  return WAYS[(WAYS.indexOf(way) + 2) % WAYS.length] ?? 'north';
}

/** "3 east, 1 south" in a refusal, as tiles; null if it tells no place. */
function offsetIn(told: string): [number, number] | null {
  const refusal = /(?:out of reach|last saw it)[^.]*/.exec(told)?.[0];
  if (refusal === undefined) return null;
  let [x, y] = [0, 0];
  for (const [, count, way] of refusal.matchAll(/(\d+) (north|east|south|west)/g)) {
    const [dx, dy] = STEPS[way as Way];
    [x, y] = [x + dx * Number(count), y + dy * Number(count)];
  }
  return [x, y];
}

/** The players of a task as controllers, by agent. */
export function controllersOf(players: Players, below: Below): Readonly<Record<string, Controller>> {
  return Object.fromEntries(
    Object.entries(players(below)).map(([agent, policy]) => [agent, controllerOf(policy)]),
  );
}

function controllerOf(policy: Policy): Controller {
  return {
    name: 'blind',
    isRemote: false,
    decide: async (input: ControllerInput) => ({
      reply: embeddedReply(`ACTION: ${policy(lastText(input), input.turn)}`),
      memory: null,
    }),
  };
}

/**
 * Players that do without what a task is about, written to win: one throws every picture away and reads all that is said and refused, one
 * doesn't listen. They know the file of the task, its rules and its best blind plan, but not the seed. In: a task and a stream of
 * chance; out: a controller for each of its agents. Whoever finds a stronger one replaces them.
 */
import type { Controller, ControllerInput } from '../../src/agent/controller.js';
import { embeddedReply } from '../../src/agent/controllers/embedded-reply.js';
import type { Below } from '../promises/chance.js';
import { oneOf } from '../promises/chance.js';
import { lastText } from './controllers.js';

/** From what an agent was told last in words, and the turn, to what it does. */
type Policy = (told: string, turn: number) => string;

type Players = (below: Below) => Readonly<Record<string, Policy>>;

const CALLED = ['goblet', 'skull', 'key', 'bell', 'lantern'];
const BOTTLES = ['red', 'green', 'blue', 'violet', 'yellow'];
const LEVERS = ['red', 'green', 'blue', 'brass', 'iron'];

const WAYS = ['north', 'east', 'south', 'west'];

/** Players without pictures. */
export const TEXT_ONLY: Readonly<Record<string, Players>> = {
  goblet: (below) => ({ ranger: blindStep(below) }),
  choose: (below) => ({ ranger: blindStep(below) }),
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
          new RegExp(`${colour} (?:sample|bottle) (?:was|appeared)`).test(told),
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
 * Takes one step and says DONE. A refused step ends the run, and of the tiles around the first one, those next to it most often exist and hold
 * the thing.
 */
function blindStep(below: Below): Policy {
  const way = oneOf(below, WAYS);
  return (_told, turn) => (turn === 1 ? `GO ${way}` : 'DONE');
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

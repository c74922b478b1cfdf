// @ts-check
/**
 * The teachers of call.yaml, as controllers of one's own: each knows what its agent knows (`observation.facts`). The wizard finds the
 * ranger's shortest way to a tile beside it and says the first step; the ranger does what it heard.
 */
import { embeddedReply } from 'orchestrate-vlm';

/** @typedef {{ x: number, y: number }} Tile */

/** @type {readonly (readonly [string, number, number])[]} */
const STEPS = [
  ['east', 1, 0],
  ['west', -1, 0],
  ['north', 0, -1],
  ['south', 0, 1],
];

const isBeside = (/** @type {Tile} */ a, /** @type {Tile} */ b) =>
  Math.max(Math.abs(a.x - b.x), Math.abs(a.y - b.y)) <= 1;

/** The first step of a shortest way from a tile to one beside `goal`; null if there is none. @param {Tile} from @param {Tile} goal @param {(tile: Tile) => boolean} isFree */
function firstStep(from, goal, isFree) {
  /** @type {{ x: number, y: number, first: string | null }[]} */
  const queue = [{ ...from, first: null }];
  const seen = new Set([`${from.x} ${from.y}`]);
  for (const { x, y, first } of queue) {
    if (isBeside({ x, y }, goal)) return first;
    for (const [way, dx, dy] of STEPS) {
      const next = { x: x + dx, y: y + dy };
      const key = `${next.x} ${next.y}`;
      if (seen.has(key) || !isFree(next)) continue;
      seen.add(key);
      queue.push({ ...next, first: first ?? way });
    }
  }
  return null;
}

/** @param {any} facts  of a world of tiles: docs/reference/api.md, SpatialFacts */
function wizardSays(facts) {
  const ranger = facts.bodies.find((/** @type {any} */ body) => body.id === 'ranger');
  if (ranger === undefined) return 'WAIT';
  if (isBeside(facts.self, ranger)) return 'GIVE goblet TO ranger';
  const { window, self } = facts;
  const isFree = (/** @type {Tile} */ { x, y }) =>
    window.rows[y - window.y]?.[x - window.x] === '.' && !(x === self.x && y === self.y);
  const way = firstStep(ranger, self, isFree);
  return way === null ? 'WAIT' : `SPEAK "${way}"`;
}

/** @param {any} facts */
function rangerDoes(facts) {
  const heard = facts.heard.at(-1)?.text ?? '';
  return STEPS.some(([way]) => way === heard) ? `GO ${heard}` : 'WAIT';
}

/** @param {string} name @param {(facts: any) => string} decide @returns {import('orchestrate-vlm').Controller} */
function teacher(name, decide) {
  return {
    name,
    isRemote: false,
    decide: async ({ observation, memory }) => ({
      reply: embeddedReply(`ACTION: ${decide(observation.facts)}`),
      memory,
    }),
  };
}

export const controllers = { wizard: teacher('teacher', wizardSays), ranger: teacher('teacher', rangerDoes) };

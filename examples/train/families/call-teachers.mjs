// @ts-check
/**
 * The teachers of call.yaml, as controllers of one's own: each knows what its agent knows (`observation.facts`). The wizard names the thing that
 * lies in its hall; the ranger takes what it heard.
 */
import { embeddedReply } from 'orchestrate-vlm';

/** @param {any} facts  of a world of tiles: the library's type SpatialFacts */
function wizardSays({ things }) {
  const [thing] = things;
  return thing === undefined ? 'WAIT' : `SPEAK "${thing.name}"`;
}

/** @param {any} facts */
function rangerDoes({ heard, things }) {
  const called = heard.at(-1)?.text;
  return things.some((/** @type {any} */ thing) => thing.name === called) ? `TAKE ${called}` : 'WAIT';
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

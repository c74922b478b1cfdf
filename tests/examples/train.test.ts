/** The families of examples/train: every generated world can be won by its teacher, and only the picture tells one world from another. */
import { describe, expect, it } from 'vitest';
import { embeddedReply, runScenario } from '../../src/index.js';
import type { Controller } from '../../src/index.js';
import { controllers as teachers } from '../../examples/train/families/call-teachers.mjs';
import { LONG_SIZED, someOf } from '../support/sizes.js';
import { QUICK, USUAL, WHOLE } from '../../examples/train/plan.mjs';

const SEEDS = Array.from({ length: 25 }, (_, i) => String(900_001 + i));
const scenarioOf = (family: string): string => `examples/train/families/${family}.yaml`;

/** Waits, and keeps what it is asked: the words and the picture of each request. */
function listener(asked: { words: string; picture: string }[]): Controller {
  return {
    name: 'listener',
    isRemote: false,
    decide: async ({ messages }) => {
      const parts = messages.flatMap((message) => message.parts);
      const words = parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join('\n');
      const pictures = parts.flatMap((part) => (part.kind === 'image' ? [part.frameHash] : []));
      asked.push({ words, picture: pictures.join(' ') });
      return { reply: embeddedReply('ACTION: WAIT'), memory: null };
    },
  };
}

describe.each(someOf(USUAL.families, 'families').map((family) => [family.name, family] as const))(
  '%s',
  (name, family) => {
    it('is won by its teacher on seeds on which nobody is trained', LONG_SIZED, async () => {
      const oracle = ['agents.ranger.controller=oracle', 'agents.ranger.model=null'];
      for (const seed of SEEDS) {
        const set = [`seed=${seed}`, ...(family.teachers === null ? oracle : [])];
        const { end } = await runScenario(
          scenarioOf(name),
          family.teachers === null ? { set } : { set, controllers: teachers },
        );
        expect([seed, end.status]).toEqual([seed, 'succeeded']);
      }
    });

    it('asks with the same words on every seed, and with other pictures', { tags: ['long'] }, async () => {
      const asked: { words: string; picture: string }[] = [];
      const [first] = name === 'call' ? ['wizard'] : ['ranger'];
      const turns = 6;
      for (const seed of SEEDS) {
        const set = [`seed=${seed}`, `turns.max=${turns}`];
        const deaf: Controller = listener([]);
        const both = { ranger: deaf, ...(name === 'call' ? { wizard: deaf } : {}) };
        await runScenario(scenarioOf(name), {
          set,
          controllers: { ...both, [first ?? '']: listener(asked) },
        });
      }
      expect(asked.length).toBe(turns * SEEDS.length);
      expect(new Set(asked.map(({ words }) => words)).size).toBe(turns);
      const last = asked.filter((_, i) => i % turns === turns - 1);
      expect(new Set(last.map(({ picture }) => picture)).size).toBeGreaterThan(20);
    });
  },
);

it('all plans play the same families', () => {
  expect([QUICK.families, WHOLE.families]).toEqual([USUAL.families, USUAL.families]);
});

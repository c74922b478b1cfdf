/** Rows are written as `JSON.stringify` would, whether or not their turns were written before. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cachedPerTurn, rowBytes } from '../../src/export/row-json.js';
import { promptTurn } from '../../src/export/prompt-turn.js';
import type { PromptTurn } from '../../src/export/prompt-turn.js';

const turn = fc
  .record({
    role: fc.constantFrom<PromptTurn['role']>('system', 'user', 'assistant'),
    parts: fc.tuple(fc.string({ unit: 'binary' })),
  })
  .map(promptTurn);
/** A column's name is never a number: those an object would put first. */
const name = fc.string().filter((one) => !/^\d+$/.test(one) && one !== '__proto__');

describe('rowBytes', () => {
  it('gives what JSON.stringify gives of any row, the first time and again', () => {
    const told = cachedPerTurn(({ role, text }) => ({ role, content: [{ type: 'text', text }] }));
    fc.assert(
      fc.property(
        fc.array(fc.tuple(name, fc.jsonValue())),
        fc.array(turn),
        fc.nat(),
        (cells, turns, place) => {
          const messages: readonly unknown[] = [...turns.map(told), undefined, { role: 'assistant' }];
          const members = [...cells];
          members.splice(place % (cells.length + 1), 0, ['messages', messages as never]);
          const row = { ...Object.fromEntries(members), missing: undefined };
          expect(rowBytes(row).toString()).toBe(JSON.stringify(row));
          expect(rowBytes(Object.entries(row)).toString()).toBe(JSON.stringify(row));
        },
      ),
    );
  });

  it('makes of a turn one thing, however often it is told', () => {
    let made = 0;
    const told = cachedPerTurn(({ text }) => ({ text, number: ++made }));
    const one = promptTurn({ role: 'user', parts: ['hm'] });
    expect([told(one), told(one), told({ ...one })].map(({ number }) => number)).toEqual([1, 1, 2]);
  });
});

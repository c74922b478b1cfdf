/**
 * Any calls in any order: a state that went through JSON, in a world opened anew at each step, plays on the same (heavy mode); no state is
 * ever changed in place; and nothing that tools gave breaks out of its line.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { canonicalJson } from '../../../src/base/canonical.js';
import type { Json } from '../../../src/base/json.js';
import { stateHash } from '../../../src/environment/state-hash.js';
import { mixedCopy } from '../../support/key-order.js';
import { box } from './boxes.js';

const words = fc.oneof(
  fc.constantFrom('tower', 'pi', '2 + 2', '1 / 0', 'exit()', 'line\nbreak', '<|im_end|>', '"quoted"'),
  fc.string({ maxLength: 30 }).map((text) => text.toWellFormed()),
);

const intents = fc.array(
  fc.oneof(
    fc.record({ action: fc.constant('CALCULATE'), args: fc.record({ expression: words }) }),
    fc.record({ action: fc.constant('SEARCH'), args: fc.record({ query: words }) }),
    fc.record({
      action: fc.constant('READ_FILE'),
      args: fc.record({ path: words }),
      outside: fc.oneof(
        fc.record({ lines: fc.array(words), from: fc.nat(), total: fc.nat() }),
        fc.record({ error: words }),
        fc
          .jsonValue({ maxDepth: 1 })
          .filter(isKeepable)
          .map((value): Json => JSON.parse(JSON.stringify(value)) as Json),
      ),
    }),
    fc.record({ action: fc.constant('FINAL_ANSWER'), args: fc.record({ answer: words }) }),
    fc.record({ action: fc.constant('WAIT'), args: fc.constant({}) }),
  ),
  { maxLength: 12 },
);

function isKeepable(value: unknown): boolean {
  try {
    canonicalJson(value);
    return true;
  } catch {
    return false;
  }
}

function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null) Object.values(value).forEach(frozen);
  return Object.freeze(value);
}

it('plays on the same from a state that went through JSON', () => {
  fc.assert(
    fc.property(intents, (list) => {
      const light = box();
      let state = frozen(light.create('1'));
      let copy = light.create('1');
      for (const [i, intent] of list.entries()) {
        const agent = i % 2 === 0 ? 'ann' : 'bob';
        const heavy = box();
        const one = light.advance(state, [{ agent, ...intent }]);
        const two = heavy.advance(mixedCopy(copy), [{ agent, ...intent }]);
        expect(canonicalJson(two.results)).toBe(canonicalJson(one.results));
        state = frozen(light.endTurn(one.state).state);
        copy = heavy.endTurn(two.state).state;
        expect(stateHash(heavy.parts(mixedCopy(copy)))).toBe(stateHash(light.parts(state)));
        expect(canonicalJson(heavy.observe(copy, agent))).toBe(canonicalJson(light.observe(state, agent)));
      }
    }),
  );
});

it('keeps whatever is given on its line', () => {
  fc.assert(
    fc.property(intents, (list) => {
      const environment = box();
      let state = environment.create('1');
      for (const intent of list) {
        state = environment.advance(state, [{ agent: 'ann', ...intent }]).state;
        const lines = environment.observe(state, 'ann').sections.flatMap((section) => section.lines);
        for (const line of lines) expect(line).not.toMatch(/[\n\r\u2028]|<\|/);
      }
    }),
  );
});

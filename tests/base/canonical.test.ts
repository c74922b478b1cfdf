import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { canonicalJson, hashJson, hashOf, hashOfParts } from '../../src/base/canonical.js';

describe('canonical JSON', () => {
  it('sorts keys by code unit, integer-like keys too, and leaves no white space', () => {
    expect(canonicalJson({ b: 1, 10: [true, null], 2: 'x', B: {} })).toBe(
      '{"10":[true,null],"2":"x","B":{},"b":1}',
    );
  });

  it('does not depend on the order in which keys were set', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ unit: 'grapheme' }), fc.integer()), (record) => {
        const reversed = Object.fromEntries(Object.entries(record).reverse());
        expect(canonicalJson(reversed)).toBe(canonicalJson(record));
      }),
    );
  });

  it('treats an absent field and an undefined one alike', () => {
    expect(canonicalJson({ a: 1, b: undefined })).toBe(canonicalJson({ a: 1 }));
  });

  it.each([
    ['a fraction', 0.5],
    ['negative zero', -0],
    ['NaN', Number.NaN],
    ['an unsafe integer', 2 ** 53],
    ['undefined in a list', [undefined]],
    ['a list of numbers with a hole', Object.assign([], { 0: 1, 2: 3 })],
    ['a fraction among integers', [1, 0.5]],
    ['negative zero among integers', [1, -0]],
    ['a Map', new Map()],
    ['a Date', new Date(0)],
    ['a bigint', 1n],
    ['a lone surrogate', '\ud800'],
    ['a lone surrogate in a key', { '\udc00': 1 }],
  ])('refuses %s', (_, value) => {
    expect(() => canonicalJson(value)).toThrow();
  });

  it('refuses nesting that would endanger the stack', () => {
    let deep: unknown = 1;
    for (let i = 0; i < 200; i++) deep = [deep];
    expect(() => canonicalJson(deep)).toThrow(/deep/);
  });

  it('reads back as the same value', () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
        fc.pre(onlyIntegers(value));
        expect(JSON.parse(canonicalJson(value))).toEqual(value);
      }),
    );
  });
});

function onlyIntegers(value: unknown): boolean {
  if (typeof value === 'number') return Number.isSafeInteger(value) && !Object.is(value, -0);
  if (typeof value === 'string') return value.isWellFormed();
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(
    ([key, child]) => key.isWellFormed() && key !== '__proto__' && onlyIntegers(child),
  );
}

describe('hashes', () => {
  it('tell equal bytes in different roles apart', () => {
    expect(hashJson('a', {})).not.toBe(hashJson('b', {}));
  });

  it('are the same for equal values in different objects, and remembered for one object', () => {
    const part = { x: [1, 2] };
    expect(hashOf(part)).toBe(hashOf({ x: [1, 2] }));
    expect(hashOfParts({ part })).toBe(hashOfParts({ part: { x: [1, 2] } }));
    expect(hashOfParts({ part })).not.toBe(hashOfParts({ part: { x: [2, 1] } }));
  });

  it('have a fixed value, so that a change of the algorithm is noticed', () => {
    expect(hashJson('part', { a: 1 })).toBe(
      '786e2ffd4aa51d9efd4d56712472904b81b17388c88769ccaf9b10de25561d01',
    );
  });
});

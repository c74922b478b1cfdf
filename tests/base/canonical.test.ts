import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import {
  TableHash,
  canonicalBytes,
  canonicalJson,
  hashJson,
  hashOf,
  hashOfParts,
  sha256,
} from '../../src/base/canonical.js';

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
    const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
    expect(canonicalJson(JSON.parse(nested(100)))).toBe(nested(100));
    for (const levels of [101, 200]) expect(() => canonicalJson(JSON.parse(nested(levels)))).toThrow(/deep/);
  });

  it('is what its parts are as JSON, with sorted keys; bytes and hashes are of that text', () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false }), fc.string(), (value, domain) => {
        fc.pre(onlyIntegers(value) && domain.isWellFormed());
        const text = reference(value);
        expect(canonicalJson(value)).toBe(text);
        const { bytes, hash } = canonicalBytes(value);
        expect(Buffer.from(bytes).toString()).toBe(text);
        expect(hash).toBe(sha256(text));
        expect(hashJson(domain, value)).toBe(sha256(`${domain}\n${text}`));
      }),
    );
  });

  it('holds texts of any length and script, and every number to its last digit', () => {
    const long = ['a', 'é', '中', '🗝', '"\\\u0001'].map((one) => one.repeat(70_000));
    const numbers = [
      0,
      7,
      -7,
      10,
      99,
      100,
      999,
      1000,
      9999,
      10_000,
      -9999,
      -10_000,
      2 ** 53 - 1,
      1 - 2 ** 53,
    ];
    const value = { long, numbers, after: 'é' };
    expect(canonicalJson(value)).toBe(reference(value));
    expect(canonicalJson('short')).toBe('"short"');
  });

  it('writes the bytes of one value into memory that the next one does not touch', () => {
    const { bytes } = canonicalBytes({ first: 1 });
    canonicalBytes({ second: 2 });
    expect(Buffer.from(bytes).toString()).toBe('{"first":1}');
  });

  it('begins afresh after a value that it refused', () => {
    expect(() => canonicalJson({ a: 'half', b: 0.5 })).toThrow();
    expect(canonicalJson([1])).toBe('[1]');
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

/** The same by way of strings, with nothing of ours. */
function reference(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(reference).join(',')}]`;
  const record = value as Record<string, unknown>;
  const keys = Object.keys(record).toSorted();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${reference(record[key])}`).join(',')}}`;
}

function onlyIntegers(value: unknown): boolean {
  if (typeof value === 'number') return Number.isSafeInteger(value) && !Object.is(value, -0);
  if (typeof value === 'string') return value.isWellFormed();
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(
    ([key, child]) => key.isWellFormed() && key !== '__proto__' && onlyIntegers(child),
  );
}

function plainOf(n: number) {
  return { n, is: n < 0, text: 'é'.repeat(Math.abs(n) % 100) };
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

  it('are the same in whatever order keys were set', () => {
    expect(hashJson('a', { x: 1, y: { p: 1, q: 2 } })).toBe(hashJson('a', { y: { q: 2, p: 1 }, x: 1 }));
    expect(hashOf({ x: 1, y: 2 })).toBe(hashOf({ y: 2, x: 1 }));
    expect(hashOfParts({ a: { x: 1, y: 2 }, b: 3 })).toBe(hashOfParts({ b: 3, a: { y: 2, x: 1 } }));
    for (const count of [2, 20]) {
      const entries = Array.from({ length: count }, (_, i) => [`k${i}`, { n: i }] as const);
      const [one, other] = [entries, entries.toReversed()].map((each) =>
        new TableHash<{ n: number }>('table', ({ n }) => n).of(Object.fromEntries(each)),
      );
      expect(other).toBe(one);
    }
  });

  it('of a table are those of what each value comes to, which is worked out once for each', () => {
    const name = fc.string().filter((key) => key !== '__proto__');
    const tables = fc.dictionary(name, fc.integer(), { maxKeys: 80 });
    const changes = fc.array(fc.array(fc.tuple(fc.nat(), fc.integer()), { maxLength: 24 }), { maxLength: 6 });
    fc.assert(
      fc.property(tables, changes, (numbers, rounds) => {
        let worked = 0;
        const hashes = new TableHash<{ n: number }>('table', ({ n }) => {
          worked += 1;
          return plainOf(n);
        });
        const made = new Set<object>();
        const check = (table: Readonly<Record<string, { n: number }>>): void => {
          const plain = Object.entries(table).map(([key, { n }]) => [key, plainOf(n)]);
          for (const value of Object.values(table)) made.add(value);
          expect(hashes.of(table)).toBe(hashJson('table', Object.fromEntries(plain)));
          expect(hashes.of(table)).toBe(hashJson('table', Object.fromEntries(plain)));
        };
        const keys = Object.keys(numbers);
        const first = Object.fromEntries(keys.map((key) => [key, { n: numbers[key] ?? 0 }]));
        let table = first;
        check(table);
        for (const round of rounds) {
          const changed = round.map(([place, n]) => [keys[place % keys.length] ?? '', { n }] as const);
          const before = table;
          table = keys.length === 0 ? table : { ...table, ...Object.fromEntries(changed) };
          for (const one of [table, before, table]) check(one);
        }
        check({ ...table, one: { n: 1 } });
        check(first);
        expect(worked).toBe(made.size);
      }),
    );
  });

  it('of a record of parts are those of their remembered hashes', () => {
    const table = { one: { n: 1 }, two: { n: 2 } };
    const hashes = Object.entries(table).map(([key, value]) => [key, hashOf(value)]);
    expect(hashOfParts(table)).toBe(hashJson('parts', Object.fromEntries(hashes)));
  });

  it('have a fixed value, so that a change of the algorithm is noticed', () => {
    expect(hashJson('part', { a: 1 })).toBe(
      '786e2ffd4aa51d9efd4d56712472904b81b17388c88769ccaf9b10de25561d01',
    );
  });
});

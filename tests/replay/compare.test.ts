/** Two values: where they first differ, and what is shown of them. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LIMITS } from '../../src/base/limits.js';
import { pointer, shownValues, valueDifference } from '../../src/replay/compare.js';

describe('the first difference', () => {
  it('is named by its path, with both values', () => {
    const logged = { a: [1, { b: 'x' }], c: 3 };
    const made = { a: [1, { b: 'y' }], c: 4 };
    const found = valueDifference(logged, made);
    expect(found).toEqual({ path: ['a', 1, 'b'], logged: 'x', made: 'y' });
    expect(pointer(found?.path ?? [])).toBe('/a/1/b');
  });

  it('is what one of them lacks', () => {
    expect(valueDifference({ a: [1] }, { a: [1, 2] })).toEqual({
      path: ['a', 1],
      logged: undefined,
      made: 2,
    });
    expect(valueDifference({ a: 1, b: 2 }, { a: 1 })).toMatchObject({ path: ['b'], logged: 2 });
    expect(valueDifference({ a: 1 }, { a: 1, b: 2 })).toMatchObject({ path: ['b'], made: 2 });
    expect(valueDifference([], {})).toMatchObject({ path: [] });
    expect(valueDifference({ constructor: 1 }, {})).toMatchObject({ path: ['constructor'], made: undefined });
  });

  it('is none where an absent field stands as undefined, or keys lie in another order', () => {
    expect(valueDifference({ a: 1, b: 2 }, { b: 2, a: 1, c: undefined })).toBeNull();
  });

  it('is found exactly where two JSON values are not the same', () => {
    const json = fc.jsonValue({ maxDepth: 4 });
    fc.assert(
      fc.property(json, json, (one, other) => {
        const [a, b] = [JSON.parse(JSON.stringify(one)), JSON.parse(JSON.stringify(other))] as unknown[];
        let areSame = true;
        try {
          expect(a).toEqual(b);
        } catch {
          areSame = false;
        }
        expect(valueDifference(a, b) === null).toBe(areSame);
        expect(valueDifference(a, JSON.parse(JSON.stringify(one)))).toBeNull();
      }),
    );
  });

  it('writes the characters that a pointer needs for itself', () => {
    expect(pointer(['a/b', '~', 0])).toBe('/a~1b/~0/0');
  });
});

describe('what is shown', () => {
  it('is the window around the first different character, of LIMITS.differenceCharacters', () => {
    const text = 'x'.repeat(1000);
    const shown = shownValues(`${text}a${text}`, `${text}b${text}`);
    expect(shown.logged).toContain('xax');
    expect(shown.made).toContain('xbx');
    expect(shown.logged?.length).toBe(LIMITS.differenceCharacters + 2);
    const whole = 'y'.repeat(LIMITS.differenceCharacters - 2);
    expect(shownValues(whole, undefined)).toEqual({ logged: `"${whole}"`, made: null });
  });
});

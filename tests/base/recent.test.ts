import { describe, expect, it } from 'vitest';
import { RecentCache } from '../../src/base/recent.js';

describe('what was worked out lately', () => {
  it('is found by the very key, and forgotten when as many others came after it', () => {
    const recent = new RecentCache<{ name: string }, number>(2);
    const [one, two, three] = [{ name: 'same' }, { name: 'same' }, { name: 'same' }];
    recent.add(one, 1);
    recent.add(two, 2);
    expect([recent.get(one), recent.get(two), recent.get(three)]).toEqual([1, 2, undefined]);
    recent.add(three, 3);
    expect([recent.get(one), recent.get(two), recent.get(three)]).toEqual([undefined, 2, 3]);
    recent.add(one, 4);
    expect([recent.get(one), recent.get(two), recent.get(three)]).toEqual([4, undefined, 3]);
  });
});

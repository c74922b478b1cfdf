/** Keys and settings from a `.env` file: below the environment, never in it. */
import { describe, expect, it } from 'vitest';
import { UsageError } from '../../src/base/errors.js';
import { LIMITS } from '../../src/base/limits.js';
import { envLookup } from '../../src/model/env-file.js';

describe('a .env file', () => {
  const file =
    '\uFEFFFIRST=1\n# a comment\nexport KEY="sk-a b#c" # not part\nEMPTY=\nQUOTED=\'x=y\'\nnonsense\n';

  it.each([
    ['FIRST', '1'],
    ['KEY', 'sk-a b#c'],
    ['EMPTY', ''],
    ['QUOTED', 'x=y'],
    ['nonsense', undefined],
    ['toString', undefined],
  ])('%s', (name, expected) => {
    expect(envLookup({}, file)(name)).toBe(expected);
  });

  it('gives way to the environment, even to an empty value', () => {
    const lookup = envLookup({ FIRST: 'mine', KEY: '' }, file);
    expect([lookup('FIRST'), lookup('KEY')]).toEqual(['mine', '']);
  });

  it('puts nothing into the environment of the process', () => {
    envLookup(process.env, 'ORCHESTRATE_CANARY=1')('ORCHESTRATE_CANARY');
    expect(process.env['ORCHESTRATE_CANARY']).toBeUndefined();
  });

  it('need not be there', () => {
    expect(envLookup({ A: 'b' }, null)('A')).toBe('b');
  });

  it('has a limit', () => {
    const edge = `A=${'x'.repeat(LIMITS.envFileBytes - 2)}`;
    expect(envLookup({}, edge)('A')?.length).toBe(LIMITS.envFileBytes - 2);
    expect(() => envLookup({}, `${edge}x`)).toThrow(UsageError);
  });
});

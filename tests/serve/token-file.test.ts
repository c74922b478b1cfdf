/** The file of tokens: which line is wrong is said, and what is wrong with it, without repeating a hash. */
import { expect, it } from 'vitest';
import { readTokens } from '../../src/serve/identity.js';

const HASH = 'a'.repeat(64);

it('reads names, roles and entities', () => {
  const [one] = readTokens(`# players\n${HASH} bert agent,viewer wizard,knight # the first\n`, 'tokens.txt');
  expect(one?.principal).toEqual({
    name: 'bert',
    roles: ['agent', 'viewer'],
    entities: ['wizard', 'knight'],
  });
});

it.each([
  [`${HASH}  -`, 'tokens.txt:1 is not a token'],
  [`${HASH} - bert agent`, 'tokens.txt:1 is not a token: there is no role "bert"'],
  [`${HASH} bert king`, 'tokens.txt:1 is not a token: there is no role "king"'],
  [`secret bert agent`, 'tokens.txt:1 is not a token: it does not begin with 64 hexadecimal digits'],
  [`${HASH} bert agent wizard more`, 'tokens.txt:1 is not a token'],
])('refuses %s', (line, message) => {
  expect(() => readTokens(line, 'tokens.txt')).toThrow(expect.objectContaining({ message }));
});

it('refuses a file without a token', () => {
  expect(() => readTokens('# none yet\n', 'tokens.txt')).toThrow('tokens.txt contains no token');
});

/** What logs that exist rely on: the tables of every version, text by text, and what the hash of a row is over. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { sha256 } from '../../src/base/canonical.js';
import { LOG_VERSION } from '../../src/log/log-version.js';
import { callHash } from '../../src/log/row-hashes.js';
import { expectedObjects } from '../../src/log/schema.js';
import { LEASES, OUTSIDE, PROBES, REPLIES, STEPS } from '../../src/log/tables.js';

const tables: unknown = JSON.parse(
  readFileSync(new URL('../fixtures/logs/tables.json', import.meta.url), 'utf8'),
);

it.each(Array.from({ length: LOG_VERSION }, (_, i) => i + 1))(
  'the tables of version %i never change (`npm run log:version` adds those of a new one)',
  (version) => {
    expect(tables).toMatchObject({ [version]: sha256(expectedObjects(version).join('\n')) });
  },
);

it('the Python reader understands the newest version (`npm run log:version` says so in it)', () => {
  const python = readFileSync('python/src/orchestrate_agent/logs.py', 'utf8');
  expect(/^_VERSION = (\d+)$/m.exec(python)?.[1]).toBe(String(LOG_VERSION));
});

const hash = (letter: string): string => letter.repeat(64);
const step = {
  run: 1,
  step: 2,
  turn: 3,
  agent: 'knight',
  calls: '[4]',
  acts: '[]',
  events: '[]',
  state: hash('a'),
  parts: '{}',
  chain: hash('b'),
  finished_at: 5,
};

it.each([
  ['a step', STEPS.hash(step), '28d4efc243ac7db091d53518e250d0705bbccd6fe2162c762f46ec0dc62aa1e7'],
  [
    'a step of a served run with rewards',
    STEPS.hash({ ...step, rewards: '{"paid":{}}', overrun_ms: 6, settle_ms: 7, untimely: '[]' }),
    '379de96abd6c4dfb1c7ad8929d266ad6629b59e338a2c609224a7b75748e136a',
  ],
  [
    'a reply',
    REPLIES.encode(
      {
        content: 'GO',
        reasoning: null,
        toolCalls: [],
        finishReason: 'stop',
        model: 'm',
        usage: {},
        raw: 'GO',
        adaptations: [],
        latencyMs: 1.5,
        tries: [],
        memory: null,
      },
      { run: 1, call: 2 },
    )['sha256'],
    '31b0148ae140d1b63cc95424ece6285686ed29199a5d7c424a09e4c1c14c16df',
  ],
  [
    'a probe',
    PROBES.hash({
      run: 1,
      call: 2,
      kind: 'position',
      question: 'Where?',
      options: null,
      expected: '1',
      answer: '2',
      verdict: 'wrong',
    }),
    '112e936bb494468689f08ee1e425de764ef1e140d655a7f53111b4e53a53c564',
  ],
  [
    'an effect',
    OUTSIDE.hash({
      run: 1,
      step: 2,
      position: 0,
      agent: 'knight',
      action: 'read',
      args: '{}',
      output: hash('c'),
      started_at: 3,
      duration_ms: 4.5,
    }),
    'd57a4612dc71776627dd47265235449b887671422200bd4fb89e966b76322a7d',
  ],
  [
    'a lease',
    LEASES.encode(
      { entity: 'knight', epoch: 1, event: 'granted', controller: 'c', principal: 'p', tick: 2, at: 3 },
      { run: 1, position: 1, sitting: 1 },
    )['sha256'],
    'e7c053783fac41593c0669d6ea7ae04cfd3caa413e80dd622bbc722ef27e4a08',
  ],
  [
    'a call',
    callHash(
      {
        run: 1,
        call: 2,
        step: 3,
        turn: 4,
        agent: 'knight',
        attempt: 1,
        purpose: 'act',
        controller: 'model',
        started_at: 5,
      },
      { observation: hash('d'), messages: hash('e'), settings: null, frame: hash('f') },
    ),
    '86e11c607db9c97a6935df9c6921a160b8e8b756b1891511c738b0ca0ddc12f2',
  ],
])('the hash of %s covers the same as ever', (_what, made, expected) => {
  expect(made).toBe(expected);
});

/** A batch's file: what it becomes, and its limits at their edge. What is refused in words is shown in tests/cli/batch. */
import { describe, expect, it } from 'vitest';
import { ScenarioError } from '../../src/base/errors.js';
import type { Diagnostic } from '../../src/base/errors.js';
import { LIMITS } from '../../src/base/limits.js';
import type { BatchSpec } from '../../src/scenario/batch.js';
import { loadBatch } from '../../src/scenario/load-batch.js';

function load(text: string, variables: Readonly<Record<string, string>> = {}): BatchSpec {
  const file = { path: 'my/compare.yaml', content: text, readFile: () => new Uint8Array() };
  return loadBatch(file, { variables: (name) => variables[name], env: [] });
}

const ONE = 'scenarios: [crypt.yaml]\n';

describe('a batch', () => {
  it('becomes plain data, every default filled in', () => {
    expect(load(ONE)).toEqual({
      name: 'compare',
      title: '',
      scenarios: ['crypt.yaml'],
      players: [{ name: '', players: { kind: 'own' } }],
      seeds: null,
      switches: [],
      maxTurns: null,
      parallel: 8,
      limits: { requestsPerMinute: null, requestsAtOnce: null, tokens: null, cost: null },
      patienceMs: 600_000,
    });
  });

  it('keeps what is said in place of the defaults', () => {
    const text = `title: Which?
scenarios: [crypt.yaml]
models: { a: { price: { prompt: 1, reply: 2 }, servers: [{ base_url: "http://one/v1" }, { base_url: "http://two/v1", weight: 3 }] } }
switches: { talk: { free: [rules.speech.free=true], paid: [] } }
max_turns: 9
parallel: 2
limits: { requests_per_minute: 60, requests_at_once: 4, tokens: 1000, cost: 0.5 }
patience_s: 30
`;
    const { players, ...batch } = load(text);
    expect(players.map(({ players: one }) => one.kind === 'model' && one.servers)).toEqual([
      [
        { baseUrl: 'http://one/v1', weight: 1 },
        { baseUrl: 'http://two/v1', weight: 3 },
      ],
    ]);
    expect(batch).toMatchObject({
      title: 'Which?',
      switches: [
        {
          name: 'talk',
          positions: [
            { name: 'free', set: ['rules.speech.free=true'] },
            { name: 'paid', set: [] },
          ],
        },
      ],
      maxTurns: 9,
      parallel: 2,
      limits: { requestsPerMinute: 60, requestsAtOnce: 4, tokens: 1000, cost: 0.5 },
      patienceMs: 30_000,
    });
  });

  it('counts seeds from 1, or takes them as they are listed, each once', () => {
    expect(load(`${ONE}seeds: 3`).seeds).toEqual(['1', '2', '3']);
    expect(load(`${ONE}seeds: [north, 7, "7"]`).seeds).toEqual(['north', '7']);
  });

  it('takes addresses from the environment', () => {
    const text = `${ONE}models: { a: { base_url: "\${VLLM_URL:-http://localhost:8000/v1}" } }`;
    const urlOf = ({ players: [one] }: BatchSpec) => one?.players.kind === 'model' && one.players.servers;
    expect(urlOf(load(text))).toEqual([{ baseUrl: 'http://localhost:8000/v1', weight: 1 }]);
    expect(urlOf(load(text, { VLLM_URL: 'http://there/v1' }))).toEqual([
      { baseUrl: 'http://there/v1', weight: 1 },
    ]);
  });
});

describe('limits', () => {
  const list = (count: number, entry: (i: number) => string): string =>
    `[${Array.from({ length: count }, (_, i) => entry(i)).join(', ')}]`;
  const model = (text: string): string => `${ONE}models: { a: { ${text} } }`;
  it.each<[string, number, (size: number) => string]>([
    ['scenarios', LIMITS.batchScenarios, (n) => `scenarios: ${list(n, (i) => `s${i}`)}`],
    ['settings', LIMITS.batchSettings, (n) => `${ONE}switches: { a: { x: ${list(n, () => 'a=1')} } }`],
    ['runs', LIMITS.batchRuns, (n) => `${ONE}seeds: ${n}`],
    ['runs at once', LIMITS.batchParallel, (n) => `${ONE}parallel: ${n}`],
    [
      'servers',
      LIMITS.batchServers,
      (n) => model(`servers: ${list(n, (i) => `{ base_url: "http://h${i}/v1" }`)}`),
    ],
    ['patience', LIMITS.batchPatienceSeconds, (n) => `${ONE}patience_s: ${n}`],
  ])('of %s', (_, limit, text) => {
    expect(() => load(text(limit))).not.toThrow();
    expect(() => load(text(limit + 1))).toThrow(/mistake/);
  });
});

describe('the seats of a batch', () => {
  const SEATS = `${ONE}models:
  a: { model: a, base_url: "http://one/v1" }
  mine: { controller: process }
  mixed: { seats: { ann: a, bob: random, cid: mine } }
`;

  it('name the players of its other entries, and built-in ones', () => {
    const { players } = load(SEATS);
    const [a, mine, mixed] = players.map((one) => one.players);
    expect(mixed).toEqual({
      kind: 'seats',
      seats: {
        ann: { name: 'a', player: a },
        bob: { name: 'random', player: { kind: 'random' } },
        cid: { name: 'mine', player: mine },
      },
    });
  });

  it('name an entry before a built-in player of its name', () => {
    const text = `${ONE}models: { random: { controller: scripted }, mixed: { seats: { ann: random } } }\n`;
    expect(load(text).players[1]?.players).toEqual({
      kind: 'seats',
      seats: { ann: { name: 'random', player: { kind: 'scripted' } } },
    });
  });

  it.each([
    ['ann: scriptd', 'there is no player "scriptd"', 'did you mean scripted?'],
    ['ann: nobody', 'there is no player "nobody"', 'players: a, mine, scripted, random, oracle'],
    ['ann: mixed', 'mixed has seats itself', 'name one player for each seat'],
    ['ann: process', 'a program needs a name', 'models: { mine: { controller: process } }, then ann: mine'],
  ])('refuse %s, at its place', (seat, message, hint) => {
    const text = SEATS.replace('ann: a', seat);
    const place = { line: 5, column: 26 };
    expect(mistakesOf(text)).toMatchObject([
      {
        message: expect.stringContaining(message) as string,
        suggestion: expect.stringContaining(hint) as string,
        ...place,
      },
    ]);
  });

  it('refuse every other key beside them', () => {
    const text = SEATS.replace('mixed: { ', 'mixed: { temperature: 1, ');
    expect(mistakesOf(text)).toMatchObject([
      { message: 'the players of the seats have their own settings, so temperature has no effect', line: 5 },
    ]);
  });
});

/** What is refused of a batch's file. */
function mistakesOf(text: string): readonly Diagnostic[] {
  try {
    load(text);
  } catch (error) {
    if (error instanceof ScenarioError) return error.diagnostics;
    throw error;
  }
  return [];
}

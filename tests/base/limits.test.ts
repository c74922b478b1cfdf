/**
 * Limits at their edge: as much as a limit says passes, one more is refused or cut. Here stand those that one line can show; the
 * others are shown beside their code, and the last test asks that none is forgotten.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { LIMITS } from '../../src/base/limits.js';
import { assertBlobFits, inflatedMax } from '../../src/log/blobs.js';
import { protocolOf } from '../../src/parse/protocols.js';
import { utteranceText } from '../../src/speech/utterance.js';
import { frontierOf } from '../../src/worlds/grid/frontier.js';
import { GROUND } from '../../src/worlds/grid/known-map.js';
import type { GroundMap } from '../../src/worlds/grid/known-map.js';
import { viewOf } from '../../src/worlds/grid/view.js';
import { nameText } from '../../src/environment/wording.js';
import { BASE, diagnose } from '../scenario/support.js';
import { agent, game, thing, tinyDefinition } from '../worlds/grid/tiny-world.js';
import { SIZED, someOf } from '../support/sizes.js';

type Limit = keyof typeof LIMITS;

const many = (count: number, entry: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => entry(i)).join('');
const own = (text: string): string => `${BASE}    ${text}\n`;
const section = (name: string, count: number, entry: string): string =>
  `title: T\nmap: '.'\nagents: [{ id: ann }]\n${name}:\n${many(count, (i) => `  k${i}: ${entry}\n`)}`;
const model = (text: string): string => `${BASE}models: { main: { ${text} } }\n`;

/** A scenario with so much of something, and what is told of one more. */
const SCENARIOS: Partial<Record<Limit, readonly [text: (size: number) => string, told: RegExp]>> = {
  scenarioBytes: [(n) => BASE + filler(n - BASE.length), /larger than/],
  yamlLineBytes: [(n) => `${BASE}${'#'.repeat(n - 1)}\n`, /the line is longer/],
  yamlLines: [(n) => BASE + '\n'.repeat(n - BASE.split('\n').length), /more than 60000 lines/],
  yamlDepth: [(n) => '['.repeat(n) + ']'.repeat(n), /nested more than 40/],
  yamlTokens: [(n) => tokens(n), /too many values/],
  yamlValues: [(n) => aliased(n), /too many values|too large/],
  questionCharacters: [
    (n) => `${BASE}reflection: { when: always, question: ${'q'.repeat(n)} }\n`,
    /too long|the maximum is 2000/,
  ],
  probedSteps: [(n) => `${BASE}probes: { steps: [${many(n, (i) => `${i + 1},`)}] }\n`, /the maximum is 1000/],
  probesEach: [(n) => `${BASE}probes: { every: 1, each: ${n} }\n`, /8/],
  probesAsked: [
    (n) => `${BASE}probes: { every: 1, ask: [${many(n, (i) => `{ about: k${i}, kind: side },`)}] }\n`,
    /the maximum is 64/,
  ],
  neededFacts: [
    (n) => `${BASE}measures: { chance: 20, facts: [${many(n, (i) => `{ told: word ${i} },`)}] }\n`,
    /the maximum is 64/,
  ],
  mapSideTiles: [
    (n) => `title: T\nmap: '${'.'.repeat(n)}'\nagents: [{ id: ann }]\n`,
    /the maximum is 200 × 200/,
  ],
  agents: [(n) => `title: T\nmap: '.'\nagents:\n${many(n, (i) => `  - id: a${i}\n`)}`, /the maximum is 256/],
  npcs: [(n) => section('npcs', n, '{}'), /257 npcs; the maximum is/],
  things: [(n) => section('things', n, '{}'), /10001 things; the maximum is/],
  rooms: [(n) => section('rooms', n, '{}'), /1001 rooms; the maximum is/],
  terrain: [(n) => section('terrain', n, '{ name: x, sprite: wall }'), /257 terrain; the maximum is/],
  legend: [(n) => section('legend', n, 'wall'), /1001 legend; the maximum is/],
  doors: [(n) => section('doors', n, '{}'), /2001 doors; the maximum is/],
  nameCharacters: [(n) => own(`name: ${'x'.repeat(n)}`), /the maximum is 60/],
  personaCharacters: [(n) => own(`persona: ${'x'.repeat(n)}`), /the maximum is 8000/],
  goalCharacters: [(n) => own(`goals: [${'x'.repeat(n)}]`), /the maximum is 2000/],
  reward: [(n) => `${BASE}rewards: { success: ${n} }\n`, /the maximum is 1000000/],
  tags: [(n) => own(`tags: [${many(n, (i) => `t${i}, `)}]`), /the maximum is 16/],
  goals: [(n) => own(`goals: [${'x, '.repeat(n)}]`), /the maximum is 32/],
  turns: [(n) => `${BASE}turns: { max: ${n} }\n`, /the maximum is 100000/],
  attempts: [(n) => `${BASE}turns: { attempts: ${n} }\n`, /the maximum is 10/],
  freeActs: [(n) => `${BASE}turns: { free_acts: ${n} }\n`, /the maximum is 16/],
  conditionDepth: [
    (n) => `${BASE}success: ${'{ not: '.repeat(n - 1)}{ agent: any, done: true }${' }'.repeat(n - 1)}\n`,
    /nested more than 8/,
  ],
  settingCharacters: [(n) => BASE.replace('title: Test', `title: ${'x'.repeat(n)}`), /the maximum is 2000/],
  sightRadiusTiles: [(n) => own(`sight: ${n}`), /the maximum is 32/],
  frameTilePixels: [(n) => `${BASE}render: { tile: ${n} }\n`, /the maximum is 64/],
  frameSideTiles: [(n) => `${BASE}render: { window: [${n}, 15] }\n`, /the maximum is 63/],
  retries: [(n) => model(`retries: ${n}`), /the maximum is 10/],
  requestTimeoutMs: [(n) => model(`timeout_ms: ${n}`), /the maximum is 3600000/],
};

/** So many characters of comments, in lines that are not too long. */
function filler(length: number): string {
  const line = `${'#'.repeat(9999)}\n`;
  return line.repeat(Math.floor(length / 10_000)) + '#'.repeat(length % 10_000);
}

/** A list of so many ones, commas and brackets, in lines that are not too long. */
function tokens(count: number): string {
  const ones = '1,'.repeat(Math.floor(count / 2) - 1).replaceAll(/(?:1,){1000}/g, '$&\n');
  return `[${ones}${count % 2 === 1 ? '1' : ''}]`;
}

/** A list that is so many values long once its aliases are followed, `size` being a little over a multiple of 1000. */
function aliased(size: number): string {
  const list = `&a [${'1, '.repeat(998)}]`;
  const aliases = Math.floor(size / 1000) - 1;
  return `[${list}, ${'*a, '.repeat(aliases)}${'1, '.repeat(size % 1000)}]`;
}

describe('a limit on scenarios', () => {
  it.each(someOf(Object.entries(SCENARIOS), 'limits'))(
    '%s: at its edge, and one more',
    SIZED,
    (name, [text, told]) => {
      const max = LIMITS[name as Limit];
      const messages = (size: number): string =>
        diagnose(text(size))
          .map(({ message }) => message)
          .join('\n');
      expect(messages(max)).not.toMatch(told);
      expect(messages(max + 1)).toMatch(told);
    },
  );

  it('templateBytes: at its edge, and one more', () => {
    const found = (size: number) =>
      diagnose(`${BASE}prompt: { templates: { turn: t.txt } }\n`, {
        files: { 't.txt': '{{actions}}{{problem}}'.padEnd(size, 'x') },
      });
    expect(found(LIMITS.templateBytes)).toEqual([]);
    expect(found(LIMITS.templateBytes + 1)).toMatchObject([
      { message: expect.stringContaining('the maximum is 64000') },
    ]);
  });

  it('settingCharacters: of a --set too', () => {
    const found = (size: number) => diagnose(BASE, { set: [`title=${'x'.repeat(size)}`] });
    expect(found(LIMITS.settingCharacters)).toEqual([]);
    expect(found(LIMITS.settingCharacters + 1)).toMatchObject([
      { message: expect.stringContaining('more than 2000') },
    ]);
  });
});

const VOCABULARY = game(tinyDefinition('#a#', { a: agent('a') })).environment.actions.list();
const read = (content: string) =>
  protocolOf('command').read({ content, reasoning: null, toolCalls: [], finishReason: 'stop' }, VOCABULARY);

describe('a limit on what agents say', () => {
  it('argumentCharacters', () => {
    expect(read(`ACTION: TAKE ${'x'.repeat(LIMITS.argumentCharacters)}`)).toMatchObject({ ok: true });
    expect(read(`ACTION: TAKE ${'x'.repeat(LIMITS.argumentCharacters + 1)}`)).toMatchObject({ ok: false });
  });

  it('replyCandidates', () => {
    const lines = (count: number) => read('WAIT\n'.repeat(count));
    expect(JSON.stringify(lines(LIMITS.replyCandidates))).not.toContain('ambiguous');
    expect(JSON.stringify(lines(LIMITS.replyCandidates + 1))).toContain('ambiguous');
  });

  it('answerCharacters', () => {
    const said = (characters: number) => read('ACTION: WAIT'.padStart(characters, 'x\n'));
    expect(JSON.stringify(said(LIMITS.answerCharacters))).not.toContain('too long');
    expect(JSON.stringify(said(LIMITS.answerCharacters + 1))).toContain('too long');
  });

  it('commandLineCharacters', () => {
    const told = (name: string) => JSON.stringify(read(`ACTION: ${name}`));
    expect(told('x'.repeat(LIMITS.commandLineCharacters))).not.toContain('far too long');
    expect(told('x'.repeat(LIMITS.commandLineCharacters + 1))).toContain('far too long');
  });

  it('replyMarks', () => {
    const said = (marks: number) => read(`${'</think>'.repeat(marks)}ACTION: WAIT`);
    expect(said(LIMITS.replyMarks)).toMatchObject({ ok: true });
    expect(said(LIMITS.replyMarks + 1)).toMatchObject({ ok: false });
  });

  it('utteranceCharacters and nameCharacters cut', () => {
    const characters = (text: string): number => Array.from(text).length;
    const said = LIMITS.utteranceCharacters;
    const named = LIMITS.nameCharacters;
    expect(utteranceText('é'.repeat(said))).toBe('é'.repeat(said));
    expect(characters(utteranceText('é'.repeat(said + 1)))).toBeLessThanOrEqual(said);
    expect(nameText('é'.repeat(named))).toBe('é'.repeat(named));
    expect(characters(nameText('é'.repeat(named + 1)))).toBeLessThanOrEqual(named);
  });
});

describe('a limit on what is remembered', () => {
  it('rememberedThings: the nearest ones', () => {
    const tiles = Array.from({ length: LIMITS.rememberedThings + 6 }, (_, x) => x);
    const more = tiles.map((x) => thing(`t${x}`, { place: { at: 'tile', x, y: 0 } }));
    const map = `a${'.'.repeat(tiles.length)}`;
    const played = game(tinyDefinition(map, { a: agent('a', { sightRadius: 1 }) }, { more }));
    const remembered = tiles.map(() => {
      played.act('a', 'GO', { direction: 'east' });
      return viewOf(played.world, played.state, 'a').memories;
    });
    expect(remembered.map(({ length }) => length)).toEqual(
      tiles.map((x) => Math.min(x, LIMITS.rememberedThings)),
    );
    expect(remembered.at(-1)?.map(({ id }) => id)).not.toContain('t0');
  });

  it('frontierTiles: so many tiles are searched once one edge is known', () => {
    const width = LIMITS.frontierTiles + 10;
    const played = game(tinyDefinition(`${'#'.repeat(width)}\na${'.'.repeat(width - 1)}`, { a: agent('a') }));
    const view = viewOf(played.world, played.state, 'a');
    const edges = (far: number): readonly number[] => {
      const ground: GroundMap = (x, y) =>
        y === 0
          ? GROUND[x === 0 || x === far ? 'unknown' : 'opaque']
          : GROUND[x <= far ? 'walkable' : 'opaque'];
      return frontierOf(played.world, view, ground).map(({ x }) => x);
    };
    expect(edges(LIMITS.frontierTiles - 1)).toEqual([0, LIMITS.frontierTiles - 1]);
    expect(edges(LIMITS.frontierTiles)).toEqual([0]);
  });
});

it('logBlobBytes: no larger blob is stored, and none unfolds further', () => {
  expect(() => assertBlobFits(LIMITS.logBlobBytes)).not.toThrow();
  expect(() => assertBlobFits(LIMITS.logBlobBytes + 1)).toThrow('a blob of 268435457 bytes');
  expect(inflatedMax(LIMITS.logBlobBytes)).toBe(LIMITS.logBlobBytes);
  expect(inflatedMax(LIMITS.logBlobBytes + 1)).toBe(LIMITS.logBlobBytes);
});

it('every limit is named by a test', () => {
  const files = readdirSync('tests', { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.test.ts'),
  );
  const texts = files.map((path) => readFileSync(`tests/${path}`, 'utf8')).join('\n');
  const isNamed = (key: string): boolean => Object.hasOwn(SCENARIOS, key) || texts.includes(`LIMITS.${key}`);
  const unnamed = Object.keys(LIMITS).filter((key) => !isNamed(key));
  expect(unnamed).toEqual([]);
});

/**
 * Questions with certain answers: in random worlds every answer is held against the world itself, never against what the agent was told, and
 * `unknown` is the answer exactly where the agent can't know. Then the rows: balanced, the same again, read by other programs.
 */
import * as fc from 'fast-check';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { allProbes } from '../../src/agent/probes/probes.js';
import type { KnowledgeProbe } from '../../src/agent/probes/probe.js';
import { LIMITS } from '../../src/base/limits.js';
import type { Point } from '../../src/environment/space.js';
import { PROBE_KINDS } from '../../src/scenario/scenario.js';
import { shardValues } from '../../src/worlds/grid/chunks.js';
import { knowsTile } from '../../src/worlds/grid/knowledge.js';
import { observe } from '../../src/worlds/grid/observe.js';
import { gridRegistry } from '../../src/worlds/grid/registry.js';
import { canSee } from '../../src/worlds/grid/sight.js';
import {
  bodiesAt,
  bodyOf,
  doorAt,
  doorOf,
  appearanceOf,
  terrainAt,
  thingsOn,
} from '../../src/worlds/grid/world.js';
import { AGENT } from '../worlds/grid/hidden-change.js';
import { randomGame } from '../worlds/grid/random-world.js';
import type { Played } from '../worlds/grid/random-world.js';
import { orchestrate } from '../support/captured-io.js';
import { temporaryFolder } from '../support/folder.js';
import { parquetRows } from './hyparquet.js';
import { PYTHON, readByPython } from './readers.js';
import { filesIn, jsonLines, nameRun, playInto } from './runs.js';

function probesIn({ world, state }: Played): readonly KnowledgeProbe[] {
  const observation = observe(world, state, AGENT, gridRegistry(world));
  return PROBE_KINDS.flatMap((kind) => allProbes({ observation, hasPicture: true }, kind));
}

it("what stands in an agent's notes is not asked for as something that is nowhere", () => {
  const [{ world, state }] = fc.sample(randomGame, { numRuns: 1, seed: 1 }) as [Played];
  const observation = observe(world, state, AGENT, gridRegistry(world));
  const asked = (beside?: string) =>
    allProbes(
      { observation, hasPicture: true, ...(beside === undefined ? {} : { extraText: beside }) },
      'named',
    )
      .filter(({ expected }) => expected === 'no')
      .map(({ question }) => question);
  expect(asked().some((question) => question.includes('"rubber duck"'))).toBe(true);
  const noted = asked('Your notes: There is a Rubber Duck.');
  expect(noted).toEqual(asked().filter((question) => !question.includes('"rubber duck"')));
});

/** What is really on a tile: names of what lies and stands there, else the ground. */
function really({ world, state }: Played, tile: Point): readonly string[] {
  const lying = thingsOn(state, tile).map((item) => appearanceOf(world, item).name);
  const standing = bodiesAt(state, tile).map(({ id }) => id);
  if (lying.length + standing.length > 0) return [...lying, ...standing];
  return [doorAt(world, tile) ? 'door' : (terrainAt(world, tile.x, tile.y)?.sprite ?? 'nothing')];
}

function selfIn({ state }: Played): Point {
  const { x = 0, y = 0 } = bodyOf(state, AGENT) ?? {};
  return { x, y };
}

const SIDES: Readonly<Record<string, Point>> = {
  north: { x: 0, y: -1 },
  east: { x: 1, y: 0 },
  south: { x: 0, y: 1 },
  west: { x: -1, y: 0 },
};

/** The tile that a question is about; null for other questions. */
function askedTile(game: Played, question: string): Point | null {
  if (!question.startsWith('What is on the tile')) return null;
  const self = selfIn(game);
  const parts = [...question.matchAll(/(?:(\d+) |directly to the )(north|east|south|west)/g)];
  return parts.reduce((at, [, count = '1', side = '']) => {
    const step = SIDES[side] ?? { x: 0, y: 0 };
    return { x: at.x + Number(count) * step.x, y: at.y + Number(count) * step.y };
  }, self);
}

/** Ids, names and places of everything that lies or stands somewhere, the agent aside. */
function everything({ world, state }: Played): readonly (Point & { name: string })[] {
  const lying = shardValues(state.things).flatMap((item) =>
    item.place.at === 'tile'
      ? [{ name: appearanceOf(world, item).name, x: item.place.x, y: item.place.y }]
      : [],
  );
  const standing = Object.values(state.bodies).flatMap(({ id, x, y }) =>
    id === AGENT ? [] : [{ name: id, x, y }],
  );
  return [...lying, ...standing];
}

/** The right answer by the world itself; null where more than one would be right. */
function rightAnswer(game: Played, { kind, question }: KnowledgeProbe): string | null {
  const { world, state } = game;
  const tile = askedTile(game, question);
  if (tile !== null) {
    if (!knowsTile(state, AGENT, tile)) return 'unknown';
    const there = new Set(really(game, tile));
    return there.size === 1 ? ([...there][0] ?? null) : null;
  }
  const name = /"([^"]*)"/.exec(question)?.[1] ?? '';
  const door = world.definition.doors.find((one) => one.name === name);
  if (door !== undefined && question.includes('open now')) {
    if (!canSee(world, state, AGENT, door)) return 'unknown';
    return doorOf(state, door.id)?.state === 'open' ? 'yes' : 'no';
  }
  const seen = everything(game).filter((one) => canSee(world, state, AGENT, one));
  if (kind === 'count') return String(seen.filter((one) => one.name === name).length);
  if (kind === 'side') return sideOf(selfIn(game), { question, name, seen });
  const things = shardValues(state.things).filter((item) => appearanceOf(world, item).name === name);
  if (kind === 'holds')
    return things.some(({ place }) => place.at === 'held' && place.by === AGENT) ? 'yes' : 'no';
  if (kind === 'unknowable') return things.length === 0 ? 'unknown' : null;
  return null;
}

interface SideAsked {
  question: string;
  name: string;
  seen: readonly (Point & { name: string })[];
}

function sideOf(self: Point, { question, name, seen }: SideAsked): string | null {
  const [one, ...others] = seen.filter((each) => each.name === name);
  if (one === undefined || others.length > 0) return null;
  const isAcross = question.includes('west');
  const offset = isAcross ? one.x - self.x : one.y - self.y;
  if (offset === 0) return 'level';
  if (isAcross) return offset < 0 ? 'west' : 'east';
  return offset < 0 ? 'north' : 'south';
}

/** Near enough to count tiles, nothing but a door in a doorway, nothing counted where more lie on a tile than a picture shows. */
function expectClear(game: Played, { kind, question, expected }: KnowledgeProbe): void {
  const tile = askedTile(game, question);
  if (tile !== null) {
    const self = selfIn(game);
    expect(Math.abs(tile.x - self.x) + Math.abs(tile.y - self.y)).toBeLessThanOrEqual(6);
    if (doorAt(game.world, tile)) expect(['door', 'unknown']).toContain(expected);
  }
  if (kind !== 'count') return;
  const name = /"([^"]*)"/.exec(question)?.[1] ?? '';
  const seen = everything(game).filter((one) => canSee(game.world, game.state, AGENT, one));
  for (const one of seen.filter((each) => each.name === name))
    expect(seen.filter(({ x, y }) => x === one.x && y === one.y).length).toBeLessThanOrEqual(4);
}

describe('an answer', () => {
  it(
    'is right by the world itself, and `unknown` exactly where the agent can not know',
    { tags: ['long'] },
    () => {
      const counts: Record<string, number> = {};
      fc.assert(
        fc.property(randomGame, (game) => {
          for (const probe of probesIn(game)) {
            if (probe.kind === 'named') continue;
            expect([probe.question, rightAnswer(game, probe)]).toEqual([probe.question, probe.expected]);
            if (probe.options !== null) expect(probe.options).toContain(probe.expected);
            expectClear(game, probe);
            counts[probe.kind] = (counts[probe.kind] ?? 0) + 1;
          }
        }),
        { numRuns: 200 },
      );
      expect(Object.keys(counts).sort((a, b) => (a < b ? -1 : 1))).toEqual(
        PROBE_KINDS.filter((kind) => kind !== 'named').toSorted((a, b) => (a < b ? -1 : 1)),
      );
    },
  );

  it('about tiles is given in the same words whether it can be known or not', () => {
    const shapes = { known: new Set<string>(), unknown: new Set<string>() };
    fc.assert(
      fc.property(randomGame, (game) => {
        for (const { kind, question, expected } of probesIn(game)) {
          if (kind !== 'tile' && kind !== 'unknowable') continue;
          const shape = question.replace(/\d+ (?:north|south|east|west)/g, 'N');
          shapes[expected === 'unknown' ? 'unknown' : 'known'].add(shape);
        }
      }),
      { numRuns: 30 },
    );
    for (const shape of shapes.known) expect(shapes.unknown).toContain(shape);
  });
});

const cwd = temporaryFolder();

beforeAll(async () => {
  await playInto(cwd, 'one');
  const ran = await orchestrate(
    ['run', join(process.cwd(), 'scenarios/crypt.yaml'), '--out', 'crypt.sqlite', '--quiet'],
    { cwd },
  );
  expect(ran.code).toBe(0);
  nameRun(join(cwd, 'crypt.sqlite'), 'crypt');
});

interface QaRow {
  id: string;
  kind: string;
  question: string;
  options: readonly string[] | null;
  answer: string;
  certain: boolean;
  step: number;
  prompt: readonly { content: readonly { text: string | null }[] }[];
}

interface LabelLine {
  id: string;
  things: readonly { name: string; in_sight: boolean }[];
}

let outs = 0;

async function asked(log: string, ...words: readonly string[]) {
  const out = `qa-${outs++}`;
  const args = ['export', `${log}.sqlite`, '--format', 'qa', '--out', out, ...words];
  const ran = await orchestrate(args, { cwd });
  expect([ran.code, ran.err]).toEqual([0, '']);
  const files = filesIn(join(cwd, out));
  const rows = (await parquetRows(join(cwd, out))) as unknown as QaRow[];
  return { files, folder: join(cwd, out), rows };
}

describe('rows of questions', () => {
  it(
    'are as many of one kind as of another, and of one answer where it can be had',
    { tags: ['long'] },
    async () => {
      const { rows } = await asked('crypt', '--words', 'keep');
      const count = (is: (row: QaRow) => boolean) => rows.filter(is).length;
      const kinds = PROBE_KINDS.map((kind) => count((row) => row.kind === kind));
      expect(Math.max(...kinds) - Math.min(...kinds)).toBeLessThan(rows.length / 20);
      for (const kind of ['holds', 'named']) {
        const [yes, no] = ['yes', 'no'].map((word) =>
          count((row) => row.kind === kind && row.answer === word),
        );
        expect(Math.abs((yes ?? 0) - (no ?? 0))).toBeLessThan(6);
      }
      expect(count(({ certain }) => !certain)).toBe(count(({ answer }) => answer === 'unknown'));
      expect(count(({ certain }) => !certain)).toBeGreaterThan(rows.length / 10);
      // No form of words has one answer alone.
      const where = rows
        .filter(({ question }) => question.startsWith('Where is'))
        .map(({ answer }) => answer);
      expect([...new Set(where)].toSorted()).toEqual(['here', 'unknown']);
    },
  );

  it(
    'are asked of the picture alone: no word of the turn stands beside them, unless it is kept',
    { tags: ['long'] },
    async () => {
      const { rows, files } = await asked('crypt');
      const kept = await asked('crypt', '--words', 'keep');
      const user = ({ prompt }: QaRow) =>
        prompt
          .at(-1)
          ?.content.map(({ text }) => text ?? '')
          .join('') ?? '';
      expect(rows.length).toBeGreaterThan(50);
      for (const row of rows) {
        expect(user(row).split('\n')[0]).toBe(row.question);
        expect(user(row).split('\n')).toHaveLength(2);
      }
      expect(kept.rows.every((row) => user(row).includes('Turn '))).toBe(true);
      // What is held is in no picture, and which door has a name.
      expect(rows.map(({ kind }) => kind)).not.toContain('holds');
      expect(rows.some(({ question }) => question.includes('open now'))).toBe(false);
      // Each answer of a kind as often as the card says.
      for (const [kind, answer] of [
        ['named', 'yes'],
        ['named', 'no'],
      ]) {
        const count = rows.filter((row) => row.kind === kind && row.answer === answer).length;
        expect(String(files['README.md'])).toContain(`| ${kind}: ${answer} | ${count} |`);
      }
      const [yes = 0, no = 0] = ['yes', 'no'].map(
        (word) => rows.filter((row) => row.kind === 'named' && row.answer === word).length,
      );
      expect(Math.abs(yes - no)).toBeLessThan(Math.max(6, rows.length / 20));
    },
  );

  it('take as known, beside the picture alone, only what that picture shows by its labels', async () => {
    const { rows } = await asked('crypt');
    const args = ['export', 'crypt.sqlite', '--format', 'labels', '--out', 'labels', '--duplicates', 'keep'];
    expect((await orchestrate(args, { cwd })).code).toBe(0);
    const lines = jsonLines(filesIn(join(cwd, 'labels'))['train/labels.jsonl']) as unknown as LabelLine[];
    const drawn = new Map(
      lines.map(({ id, things }) => [id, things.filter((one) => one.in_sight).map(({ name }) => name)]),
    );
    const known = rows.filter(({ kind, answer }) => kind === 'named' && answer !== 'no');
    expect(known.length).toBeGreaterThan(10);
    for (const { id, question } of known) {
      const [, name = ''] = /"([^"]*)"/.exec(question) ?? [];
      expect([question, drawn.get(id.replace(/-\d+$/, ''))]).toEqual([
        question,
        expect.arrayContaining([name]),
      ]);
    }
  });

  it(
    'are the same for the same seed and others for another, as many a moment as are asked for',
    { tags: ['long'] },
    async () => {
      const [one, again, other] = [
        await asked('one', '--seed', 'x'),
        await asked('one', '--seed', 'x'),
        await asked('one', '--seed', 'y'),
      ];
      expect(again.files).toEqual(one.files);
      expect(other.rows.map(({ question }) => question)).not.toEqual(
        one.rows.map(({ question }) => question),
      );
      const single = await asked('one', '--questions', '1');
      expect(new Set(single.rows.map(({ step }) => step)).size).toBe(single.rows.length);
      const many = await asked('one', '--questions', String(LIMITS.probesEach));
      expect(many.rows.length).toBeGreaterThan(4 * single.rows.length);
      expect(new Set(many.rows.map(({ id }) => id)).size).toBe(many.rows.length);
      expect((await asked('one', '--limit', '5')).rows).toHaveLength(5);
      expect((await asked('one', '--limit', '5', '--seed', 'x')).rows).toHaveLength(5);
    },
  );

  it('are no affair of other formats', async () => {
    const ran = await orchestrate('export one.sqlite --format jsonl --out none --questions 2'.split(' '), {
      cwd,
    });
    expect([ran.code, ran.err]).toEqual([2, expect.stringContaining('qa')]);
    const over = String(LIMITS.probesEach + 1);
    const more = ['export', 'one.sqlite', '--format', 'qa', '--out', 'none', '--questions', over];
    expect((await orchestrate(more, { cwd })).code).toBe(2);
  });

  it.skipIf(PYTHON === null)(
    'are read by datasets, with their pictures and the answer as the last thing said',
    { tags: ['long'] },
    async () => {
      const { rows, folder } = await asked('one');
      const found = await readByPython('trl', folder);
      expect(found.map(({ answer }) => answer)).toEqual(rows.map(({ answer }) => answer));
      expect(found.every(({ marks, images }) => marks === 1 && images.length === 1)).toBe(true);
    },
  );
});

/** Labels: the pixels of every thing lie where its box says, nothing is told of what the agent could not know, and other programs read them. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { orchestrate } from '../support/captured-io.js';
import { temporaryFolder } from '../support/folder.js';
import { SIZED, someOf } from '../support/sizes.js';
import { duck, PYTHON, readByPython } from './readers.js';
import { filesIn, jsonLines, playInto } from './runs.js';

const cwd = temporaryFolder();

interface Thing {
  id: string;
  name: string;
  class: string;
  column: number;
  row: number;
  box: readonly [number, number, number, number] | null;
  distance: number;
  in_sight: boolean;
  covered: boolean;
  occluded: boolean;
  self: boolean;
  state: string | null;
}

interface Line {
  id: string;
  image: string | null;
  agent: string;
  step: number;
  grid: { columns: number; rows: number; tile: readonly number[] | null };
  classes: readonly string[];
  tiles: readonly (readonly number[])[];
  visibility: readonly (readonly number[])[];
  things: readonly Thing[];
}

/** A shipped scenario with other settings of its pictures, played by the script. */
async function play(name: string, scenario: string, render: string): Promise<void> {
  const source = readFileSync(`scenarios/${scenario}.yaml`, 'utf8');
  expect(source).not.toMatch(/^render:/m);
  writeFileSync(join(cwd, `${name}.yaml`), `${source}\nrender: ${render}\n`);
  const ran = await orchestrate(['run', `${name}.yaml`, '--out', `${name}.sqlite`, '--quiet'], { cwd });
  expect([ran.err, existsSync(join(cwd, `${name}.sqlite`))]).toEqual([expect.anything(), true]);
}

beforeAll(async () => {
  await play('plain', 'brass-key', '{}');
  await play('ruled', 'lost-ring', '{ ruler: true, tile: 48 }');
  await play('wordy', 'brass-key', '{ channel: text }');
});

let outs = 0;

async function exported(log: string, format: string, ...words: readonly string[]) {
  const out = `labels-${outs++}`;
  const ran = await orchestrate(['export', `${log}.sqlite`, '--format', format, '--out', out, ...words], {
    cwd,
  });
  expect(ran.code).toBe(0);
  return { folder: join(cwd, out), files: filesIn(join(cwd, out)), said: `${ran.out}${ran.err}` };
}

async function labelled(log: string, ...words: readonly string[]) {
  const { files, ...rest } = await exported(log, 'labels', ...words);
  const lines = jsonLines(files['train/labels.jsonl']) as unknown as readonly Line[];
  return { files, lines, ...rest };
}

interface Pixels {
  data: Buffer;
  width: number;
}

async function decoded(file: Uint8Array | undefined): Promise<Pixels> {
  const { data, info } = await sharp(file).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return { data, width: info.width };
}

const ART = JSON.parse(readFileSync('assets/tileset.json', 'utf8')) as {
  tile: number;
  columns: number;
  tiles: Readonly<Record<string, { index: number } | undefined>>;
};

function pixelAt({ data, width }: Pixels, x: number, y: number): readonly number[] {
  const from = (y * width + x) * 4;
  return [...data.subarray(from, from + 4)];
}

/** How many pixels of a tile's art that let nothing through are not where the box says. */
function strangers(picture: Pixels, art: Pixels, thing: Thing): number {
  const [left, top, width, height] = thing.box ?? [0, 0, 0, 0];
  const index = ART.tiles[thing.class]?.index ?? 0;
  const [tileX, tileY] = [index % ART.columns, Math.floor(index / ART.columns)];
  let found = 0;
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const [artX, artY] = [Math.floor((x * ART.tile) / width), Math.floor((y * ART.tile) / height)];
      const drawn = pixelAt(art, tileX * ART.tile + artX, tileY * ART.tile + artY);
      if (drawn[3] !== 255) continue;
      if (pixelAt(picture, left + x, top + y).join() !== drawn.join()) found += 1;
    }
  return found;
}

function isSmall({ box }: Thing, { tile }: Line['grid']): boolean {
  return box !== null && box[2] < (tile?.[0] ?? 0);
}

/** Which part of a box shows colours of the thing's art. */
function ownShare(picture: Pixels, art: Pixels, { class: drawnAs, box }: Thing): number {
  const index = ART.tiles[drawnAs]?.index ?? 0;
  const [tileX, tileY] = [index % ART.columns, Math.floor(index / ART.columns)];
  const colours = new Set<string>();
  for (let i = 0; i < ART.tile ** 2; i++) {
    const at = [tileX * ART.tile + (i % ART.tile), tileY * ART.tile + Math.floor(i / ART.tile)] as const;
    const [r, g, b, a] = pixelAt(art, ...at);
    // Dark outlines are everywhere.
    if (a === 255 && (r ?? 0) + (g ?? 0) + (b ?? 0) > 180) colours.add(`${r},${g},${b}`);
  }
  const [left, top, width, height] = box ?? [0, 0, 0, 0];
  let own = 0;
  for (let i = 0; i < width * height; i++) {
    const pixel = pixelAt(picture, left + (i % width), top + Math.floor(i / width));
    if (colours.has(pixel.slice(0, 3).join())) own += 1;
  }
  return own / (width * height);
}

describe('a box', () => {
  it('of what shares its tile is the corner where its colours are', async () => {
    const { lines, files } = await labelled('plain');
    const art = await decoded(readFileSync('assets/tileset.png'));
    let checked = 0;
    for (const { image, things, grid } of lines) {
      const picture = await decoded(files[image ?? '']);
      for (const thing of things.filter((one) => isSmall(one, grid) && one.in_sight)) {
        const [x, y, width, height] = thing.box ?? [0, 0, 0, 0];
        const elsewhere: Thing = { ...thing, box: [x, y - height, width, height] };
        const here = ownShare(picture, art, thing);
        expect([thing.id, here > 0.2, here > ownShare(picture, art, elsewhere)]).toEqual([
          thing.id,
          true,
          true,
        ]);
        checked += 1;
      }
    }
    expect(checked).toBeGreaterThan(1);
  });

  const WAYS = [
    ['plain', []],
    ['plain', ['--scale', '2', '--image', 'webp']],
    ['plain', ['--scale', '1/2']],
    ['ruled', ['--turns', '..4']],
    ['ruled', ['--scale', '2', '--turns', '2..3']],
  ] as const;

  it.each(someOf(WAYS, 'boxes'))('holds the very pixels of its thing: %s %j', SIZED, async (log, words) => {
    const { lines, files } = await labelled(log, ...words);
    const art = await decoded(readFileSync('assets/tileset.png'));
    let checked = 0;
    for (const { image, things, grid } of lines) {
      const picture = await decoded(files[image ?? '']);
      for (const thing of things) {
        if (!thing.in_sight || thing.covered || ART.tiles[thing.class] === undefined) continue;
        if (isSmall(thing, grid)) continue;
        expect([thing.id, strangers(picture, art, thing)]).toEqual([thing.id, 0]);
        checked += 1;
      }
    }
    expect(checked).toBeGreaterThan(lines.length);
    // Its neighbour's place is wrong, so the check can fail.
    const { image, things } = lines[0] as Line;
    const self = things.find((one) => one.self) as Thing;
    const [x, y, width, height] = self.box ?? [0, 0, 0, 0];
    const moved: Thing = { ...self, box: [x + width, y, width, height] };
    expect(strangers(await decoded(files[image ?? '']), art, moved)).toBeGreaterThan(0);
  });
});

describe('a line', () => {
  it('tells what is known of each tile, and of nothing on an unknown one', async () => {
    const { lines } = await labelled('plain');
    const states = new Set<number>();
    for (const { grid, tiles, visibility, classes, things } of lines) {
      expect([tiles.length, visibility.length]).toEqual([grid.rows, grid.rows]);
      for (const [row, cells] of tiles.entries())
        for (const [column, cell] of cells.entries()) {
          const seen = visibility[row]?.[column] ?? -1;
          states.add(seen);
          expect(cell === -1).toBe(seen === 0);
          if (cell >= 0) expect(classes[cell]).toBeTypeOf('string');
        }
      for (const thing of things) {
        const seen = visibility[thing.row]?.[thing.column];
        expect(seen).toBe(thing.in_sight ? 2 : 1);
      }
    }
    expect([...states].sort((a, b) => a - b)).toEqual([0, 1, 2]);
  });

  it('tells of doors and their state, of distances, and which one is the agent itself', async () => {
    const { lines } = await labelled('plain');
    const doors = lines.flatMap(({ things }) => things.filter(({ class: name }) => name.startsWith('door/')));
    expect(new Set(doors.map(({ state }) => state))).toContain('open');
    for (const { class: name, state } of doors) expect(name).toMatch(new RegExp(`-${state}$`));
    for (const { things, agent } of lines) {
      const [self] = things.filter((one) => one.self);
      expect([self?.id, self?.distance]).toEqual([agent, 0]);
      for (const one of things)
        expect(one.distance).toBe(
          Math.abs(one.column - (self?.column ?? 0)) + Math.abs(one.row - (self?.row ?? 0)),
        );
    }
  });

  it('is told once of a step, however often the agent was asked, and once of a frame', async () => {
    await playInto(cwd, 'asked');
    const { lines, said } = await labelled('asked');
    expect(new Set(lines.map(({ step }) => step)).size).toBe(lines.length);
    expect(lines.every(({ id }) => id.endsWith('-1'))).toBe(true);
    expect(said).toMatch(/\d+ duplicates removed/);
    const kept = await labelled('asked', '--duplicates', 'keep');
    expect(kept.lines.length).toBeGreaterThan(lines.length);
  });

  it('has no boxes where no picture was sent, and there is none where the world has no map', async () => {
    const { lines } = await labelled('wordy');
    expect(lines.length).toBeGreaterThan(0);
    for (const { image, grid, things } of lines) {
      expect([image, grid.tile, ...things.map(({ box }) => box)].filter((one) => one !== null)).toEqual([]);
      expect(things.length).toBeGreaterThan(0);
    }
    const { said } = await exported('wordy', 'coco');
    expect(said).toMatch(/\d+ rows removed, because they have no picture/);
  });

  it('is read by DuckDB', async () => {
    const { folder, lines } = await labelled('plain');
    const [found] = await duck(`SELECT count(*) AS things, count(DISTINCT thing.id) AS ids
      FROM (SELECT unnest(things) AS thing FROM read_json_auto('${folder}/train/labels.jsonl'))`);
    const things = lines.flatMap((line) => line.things);
    expect(found).toEqual({
      things: BigInt(things.length),
      ids: BigInt(new Set(things.map(({ id }) => id)).size),
    });
  });
});

interface Coco {
  categories: readonly { id: number; name: string }[];
}

describe('coco', () => {
  it('numbers categories alike in all splits', { tags: ['long'] }, async () => {
    const ran = await orchestrate(
      'export plain.sqlite ruled.sqlite --format coco --split a=1,b=1 --out two'.split(' '),
      { cwd },
    );
    expect(ran.code).toBe(0);
    const files = filesIn(join(cwd, 'two'));
    const [a, b] = ['a', 'b'].map((name) => JSON.parse(String(files[`${name}/annotations.json`])) as Coco);
    expect(a?.categories.length).toBeGreaterThan(3);
    expect(b?.categories).toEqual(a?.categories);
    expect(a?.categories.map(({ id }) => id)).toEqual(a?.categories.map((_, i) => i + 1));
  });

  it.skipIf(PYTHON === null)(
    'is opened by pycocotools: the same things in the same places as labels.jsonl tells',
    async () => {
      const { folder } = await exported('plain', 'coco');
      const { lines } = await labelled('plain');
      const found = await readByPython('coco', folder);
      expect(found.map(({ answer }) => JSON.parse(answer) as unknown)).toEqual(
        lines.map(({ image, things }) => ({
          image,
          things: things.map((one) => [
            one.class,
            one.id,
            one.box,
            (one.box?.[2] ?? 0) * (one.box?.[3] ?? 0),
          ]),
        })),
      );
      expect(found.every(({ marks, images }) => marks > 0 && images.length === 1)).toBe(true);
    },
  );
});

import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';

const Strings = z.record(z.string(), z.string());
const Manifest = z.strictObject({
  name: z.literal('orchestrate'),
  licence: z.literal('CC0-1.0'),
  image: z.string(),
  tile: z.literal(16),
  columns: z.int().positive(),
  tiles: z.record(z.string(), z.strictObject({ index: z.int().nonnegative(), desc: z.string().min(3) })),
  shadow: z.array(z.int()).length(4),
  fog: z.strictObject({
    unknown: z.array(z.int()).length(3),
    rememberedMixPercent: z.int(),
    rememberedDesaturatePercent: z.int(),
  }),
  classes: z.record(
    z.string(),
    z.strictObject({
      kind: z.enum(['ground', 'liquid', 'pit', 'wall']),
      under: z.string().optional(),
      variants: z.array(z.string()).min(1).optional(),
      rare: z.array(z.string()).min(1).optional(),
      rareOneIn: z.int().min(2).optional(),
      axis: Strings.optional(),
      shores: Strings.optional(),
      shoresAtWalls: z.boolean().optional(),
      join: z.string().optional(),
      top: z.string().optional(),
      front: z.string().optional(),
      edges: Strings.optional(),
      corners: Strings.optional(),
      shadows: Strings.optional(),
    }),
  ),
  doors: z.record(z.string(), Strings),
  skins: z.record(z.string(), z.array(z.string()).min(2)),
  font: z.strictObject({
    image: z.string(),
    cell: z.tuple([z.literal(6), z.literal(8)]),
    lineHeight: z.int(),
    columns: z.int().positive(),
    characters: z.string(),
    missing: z.string().length(1),
  }),
});
const Palette = z.object({
  shadow: z.object({ char: z.string(), rgba: z.array(z.int()) }),
  colours: z.array(z.tuple([z.string().length(1), z.string(), z.string()])),
});

const assets = new URL('../../assets/', import.meta.url);
const read = (name: string): string => readFileSync(new URL(name, assets), 'utf8');
const manifest = Manifest.parse(JSON.parse(read('tileset.json')));
const palette = Palette.parse(JSON.parse(read('palette.json')));
const ids = Object.keys(manifest.tiles);

async function decode(name: string) {
  const { data, info } = await sharp(readFileSync(new URL(name, assets)))
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}

/** The 16×16 RGBA pixels of one cell of the packed picture. */
function cell(picture: { data: Buffer; width: number }, index: number): Buffer {
  const x = (index % manifest.columns) * 16;
  const y = Math.floor(index / manifest.columns) * 16;
  return Buffer.concat(
    Array.from({ length: 16 }, (_, row) => {
      const at = ((y + row) * picture.width + x) * 4;
      return picture.data.subarray(at, at + 64);
    }),
  );
}

describe('tileset', () => {
  let picture: Awaited<ReturnType<typeof decode>>;
  beforeAll(async () => {
    picture = await decode(manifest.image);
  });

  it('has at least 96 tiles and at most 48 colours', () => {
    expect(ids.length).toBeGreaterThanOrEqual(96);
    expect(palette.colours.length).toBeLessThanOrEqual(48);
    expect(new Set(palette.colours.map(([char]) => char)).size).toBe(palette.colours.length);
  });

  it('lists exactly the tiles of the source folder', () => {
    const sources = readdirSync(new URL('tiles/', assets), { recursive: true, encoding: 'utf8' })
      .map((f) => f.replaceAll('\\', '/'))
      .filter((f) => f.endsWith('.txt'))
      .map((f) => f.slice(0, -'.txt'.length));
    expect(ids.toSorted()).toEqual(sources.toSorted());
    expect(ids.map((id) => manifest.tiles[id]?.index).toSorted((a, b) => (a ?? 0) - (b ?? 0))).toEqual(
      ids.map((_, i) => i),
    );
  });

  it('holds the pixels that the sources describe', () => {
    const colours = new Map(
      palette.colours.map(([char, , hex]) => [
        char,
        [...[1, 3, 5].map((i) => Number.parseInt(hex.slice(i, i + 2), 16)), 255],
      ]),
    );
    colours.set(palette.shadow.char, palette.shadow.rgba);
    expect(manifest.shadow).toEqual(palette.shadow.rgba);
    for (const id of ids) {
      const source = read(`tiles/${id}.txt`);
      const [head = '', body = ''] = source.split('\n\n');
      const expected = Array.from(body.replaceAll('\n', '')).flatMap((c) => colours.get(c) ?? [0, 0, 0, 0]);
      expect(cell(picture, manifest.tiles[id]?.index ?? -1).equals(Buffer.from(expected)), id).toBe(true);
      expect(head).toContain(`desc: ${manifest.tiles[id]?.desc}\n`);
    }
  });

  it('has no two tiles that look or read alike', () => {
    const pixels = ids.map((id) => cell(picture, manifest.tiles[id]?.index ?? -1).toString('base64'));
    expect(new Set(pixels).size).toBe(ids.length);
    expect(new Set(ids.map((id) => manifest.tiles[id]?.desc)).size).toBe(ids.length);
  });

  it('names only tiles and classes that exist', () => {
    for (const [name, c] of Object.entries(manifest.classes)) {
      const { kind, under, join, variants = [], rare = [], top, front, ...rest } = c;
      const parts = [rest.axis, rest.shores, rest.edges, rest.corners, rest.shadows];
      const used = [...variants, ...rare, ...parts.flatMap((p) => Object.values(p ?? {}))];
      if (kind === 'wall') {
        expect(join, name).toBe('wall');
        used.push(top ?? '', front ?? '');
        expect(Object.keys(c.edges ?? {}).toSorted(), name).toEqual(['e', 'n', 'w']);
        expect(Object.keys(c.corners ?? {}).toSorted(), name).toEqual(['ne', 'nw', 'se', 'sw']);
      } else {
        expect(variants.length, name).toBeGreaterThan(0);
        if (c.shores) expect(Object.keys(c.shores).toSorted(), name).toEqual(['e', 'n', 's', 'w']);
      }
      expect(rare.length > 0, name).toBe(c.rareOneIn !== undefined);
      if (under !== undefined) expect(manifest.classes, name).toHaveProperty([under]);
      for (const id of used) expect(ids, `${name} uses ${id}`).toContain(id);
    }
    for (const [look, states] of Object.entries(manifest.doors))
      for (const id of Object.values(states)) expect(ids, `door ${look}`).toContain(id);
    for (const look of ['wood', 'iron', 'gate'])
      expect(Object.keys(manifest.doors[look] ?? {}).toSorted()).toEqual(['closed', 'locked', 'open']);
  });

  it('fills every base tile of a floor, wall and door, so that nothing shines through', () => {
    const bases = Object.values(manifest.classes).flatMap((c) =>
      c.under === undefined ? [...(c.variants ?? []), ...(c.rare ?? []), c.top ?? '', c.front ?? ''] : [],
    );
    const doors = ids.filter((id) => id.startsWith('door/'));
    for (const id of [...bases, ...doors].filter((b) => b !== '')) {
      const alpha = cell(picture, manifest.tiles[id]?.index ?? -1).filter((_, i) => i % 4 === 3);
      expect(Math.min(...alpha), id).toBe(255);
    }
  });

  it('has a glyph for every printable ASCII character, each drawn differently', async () => {
    const font = await decode(manifest.font.image);
    const characters = Array.from(manifest.font.characters);
    for (let code = 32; code < 127; code++) expect(characters).toContain(String.fromCodePoint(code));
    for (const c of '…–“”‘’·→←↑↓') expect(characters).toContain(c);
    expect(characters).toContain(manifest.font.missing);
    const [w, h] = manifest.font.cell;
    const looks = characters.map((_, i) => {
      const x = (i % manifest.font.columns) * w;
      const y = Math.floor(i / manifest.font.columns) * h;
      return Array.from({ length: h }, (_row, r) =>
        font.data
          .subarray(((y + r) * font.width + x) * 4, ((y + r) * font.width + x + w) * 4)
          .toString('hex'),
      ).join();
    });
    expect(new Set(looks).size).toBe(characters.length);
  });

  it('passes its own check: sources valid, contrast kept, packed files up to date', () => {
    const script = new URL('../../scripts/pack-tileset.mjs', import.meta.url);
    const out = execFileSync(process.execPath, [fileURLToPath(script), '--check'], { encoding: 'utf8' });
    expect(out).toContain('0 problems');
  });
});

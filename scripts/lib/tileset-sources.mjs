// Reads the art sources under assets/ (palette, tiles, font, classes), checks them and turns them into pixels.
// Shared by pack-tileset.mjs and art-sheet.mjs; nothing in the package itself imports it.
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const ASSETS = fileURLToPath(new URL('../../assets', import.meta.url));
export const TILE = 16;
export const CELL_W = 6;
export const CELL_H = 8;
const INK_W = 5;
const MAX_COLOURS = 48;
export const MISSING = '\u{FFFD}';

/**
 * @typedef {{ id: string, desc: string, px: Uint8ClampedArray, rows: string[] }} Tile
 * @typedef {{ colours: Map<string, number[]>, shadow: number[], unknown: number[], mix: number, desaturate: number,
 *   size: number }} Palette
 * @typedef {{ char: string, rows: string[] }} Glyph
 */

/** @param {string} hex */
const rgb = (hex) => [1, 3, 5].map((i) => Number.parseInt(hex.slice(i, i + 2), 16));

/** Rec. 709 weights on the plain sRGB values, 0..255. @param {ArrayLike<number>} d @param {number} i */
export const luminance = (d, i = 0) =>
  0.2126 * (d[i] ?? 0) + 0.7152 * (d[i + 1] ?? 0) + 0.0722 * (d[i + 2] ?? 0);

/** @returns {Palette} */
export function loadPalette() {
  const json = JSON.parse(fs.readFileSync(path.join(ASSETS, 'palette.json'), 'utf8'));
  const colours = new Map();
  for (const [char, , hex] of json.colours) {
    if (colours.has(char)) throw new Error(`palette: character ${char} is defined twice`);
    colours.set(char, [...rgb(hex), 255]);
  }
  if (colours.size > MAX_COLOURS) throw new Error(`palette: ${colours.size} colours, at most ${MAX_COLOURS}`);
  const size = colours.size;
  colours.set(json.shadow.char, json.shadow.rgba);
  return {
    colours,
    size,
    shadow: json.shadow.rgba,
    unknown: rgb(json.fog.unknown),
    mix: json.fog.rememberedMixPercent,
    desaturate: json.fog.rememberedDesaturatePercent,
  };
}

/** @param {Palette} palette @param {string} id @param {string} text @returns {Tile} */
export function parseTile(palette, id, text) {
  const fail = (/** @type {string} */ why) => {
    throw new Error(`${id}: ${why}`);
  };
  const [head = '', body = '', ...rest] = text.split('\n\n');
  if (rest.length > 0) fail('more than one empty line');
  const header = Object.fromEntries(
    head.split('\n').map((l) => [l.slice(0, l.indexOf(':')), l.slice(l.indexOf(':') + 1).trim()]),
  );
  const rows = body.trimEnd().split('\n');
  if (header.name !== id) fail(`name is ${header.name}, the path says ${id}`);
  if (!header.desc) fail('no description');
  if (rows.length !== TILE || rows.some((r) => r.length !== TILE)) fail('not 16 rows of 16 characters');
  const used = new Set(rows.join('').replaceAll('.', ''));
  for (const c of used) if (!palette.colours.has(c)) fail(`character ${c} is not in the palette`);
  const listed = (header.uses ?? '').split(' ');
  if ([...used].toSorted().join(' ') !== listed.toSorted().join(' '))
    fail(`uses: should be ${[...used].toSorted().join(' ')}`);
  const px = new Uint8ClampedArray(TILE * TILE * 4);
  rows.forEach((row, y) => {
    for (let x = 0; x < TILE; x++) {
      const c = palette.colours.get(row[x] ?? '.');
      if (c) px.set(c, (y * TILE + x) * 4);
    }
  });
  return { id, desc: header.desc ?? '', px, rows };
}

/** All tiles, sorted by name. @param {Palette} palette @returns {Map<string, Tile>} */
export function loadTiles(palette) {
  const root = path.join(ASSETS, 'tiles');
  const ids = fs
    .readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((f) => f.endsWith('.txt'))
    .map((f) => f.slice(0, -4).split(path.sep).join('/'))
    .toSorted((a, b) => (a < b ? -1 : 1));
  const tiles = new Map();
  const descs = new Map();
  const pictures = new Map();
  for (const id of ids) {
    const tile = parseTile(palette, id, fs.readFileSync(path.join(root, `${id}.txt`), 'utf8'));
    const sameDesc = descs.get(tile.desc);
    if (sameDesc) throw new Error(`${id}: same description as ${sameDesc}`);
    descs.set(tile.desc, id);
    const picture = tile.rows.join('');
    const samePicture = pictures.get(picture);
    if (samePicture) throw new Error(`${id}: same picture as ${samePicture}`);
    pictures.set(picture, id);
    tiles.set(id, tile);
  }
  return tiles;
}

/** @returns {Glyph[]} */
export function loadFont() {
  const text = fs.readFileSync(path.join(ASSETS, 'font', 'glyphs.txt'), 'utf8');
  /** @type {Glyph[]} */
  const glyphs = [];
  for (const block of text.trimEnd().split('\n\n').slice(1)) {
    const [head = '', ...rows] = block.split('\n');
    if (!head.startsWith('chars: ')) throw new Error(`font: a band starts with ${head}`);
    const chars = head.slice(7).split(' ');
    if (rows.length !== CELL_H) throw new Error(`font: the band ${head} has ${rows.length} rows`);
    chars.forEach((name, i) => {
      const at = i * (INK_W + 1);
      const ink = rows.map((r) => r.slice(at, at + INK_W));
      if (ink.some((r) => !/^[.#]{5}$/.test(r))) throw new Error(`font: ${name} is not 5 wide`);
      const char = name === 'SP' ? ' ' : name === 'MISSING' ? MISSING : name;
      if (Array.from(char).length !== 1) throw new Error(`font: ${name} is not one character`);
      glyphs.push({ char, rows: ink });
    });
    if (rows.some((r) => r.length !== chars.length * (INK_W + 1) - 1))
      throw new Error(`font: a row of the band ${head} has the wrong width`);
  }
  const seen = new Set(glyphs.map((g) => g.char));
  if (seen.size !== glyphs.length) throw new Error('font: a character is drawn twice');
  for (let c = 32; c < 127; c++)
    if (!seen.has(String.fromCodePoint(c))) throw new Error(`font: ${String.fromCodePoint(c)} is missing`);
  if (!seen.has(MISSING)) throw new Error('font: no MISSING box');
  return glyphs;
}

/** @param {unknown} value @returns {string[]} */
const strings = (value) =>
  typeof value === 'string'
    ? [value]
    : value && typeof value === 'object'
      ? Object.values(value).flatMap((v) => strings(v))
      : [];

/** The terrain classes and doors; every tile they name must exist. @param {Map<string, Tile>} tiles */
export function loadClasses(tiles) {
  const json = JSON.parse(fs.readFileSync(path.join(ASSETS, 'classes.json'), 'utf8'));
  for (const part of ['classes', 'doors'])
    for (const [name, value] of Object.entries(json[part]))
      for (const s of strings(value))
        if (s.includes('/') && !tiles.has(s))
          throw new Error(`classes.json: ${name} names ${s}, which is no tile`);
  for (const [list, names] of Object.entries(json.skins))
    for (const name of names)
      if (!(name in json.classes))
        throw new Error(`classes.json: skins ${list} names ${name}, which is no class`);
  return json;
}

/** Where a tile's opaque pixels start in its data. @param {Tile} t */
function opaque(t) {
  const at = [];
  for (let i = 0; i < t.px.length; i += 4) if (t.px[i + 3] === 255) at.push(i);
  return at;
}

/** @param {number[]} list */
const mean = (list) => list.reduce((a, b) => a + b, 0) / Math.max(1, list.length);

/**
 * The hard contrast rules. A figure must stand out from the stone floor and from every other figure.
 * @param {Map<string, Tile>} tiles
 */
export function contrast(tiles) {
  const floorTile = tiles.get('terrain/floor-1');
  if (!floorTile) throw new Error('no tile terrain/floor-1');
  const floor = mean(opaque(floorTile).map((i) => luminance(floorTile.px, i)));
  const rows = [];
  const problems = [];
  for (const t of tiles.values()) {
    if (!/^(figure|item|furniture)\//.test(t.id)) continue;
    const at = opaque(t);
    const fillAt = at.filter((i) => luminance(t.px, i) > 30);
    const fill = mean(fillAt.map((i) => luminance(t.px, i))) - floor;
    const perPixel = mean(at.map((i) => Math.abs(luminance(t.px, i) - floor)));
    const chroma = mean(
      fillAt.map((i) => {
        const c = [...t.px.subarray(i, i + 3)];
        return Math.max(...c) - Math.min(...c);
      }),
    );
    rows.push({ id: t.id, fill, perPixel, chroma, area: at.length });
    const figure = t.id.startsWith('figure/');
    if (figure && (fill < 50 || perPixel < 50))
      problems.push(
        `${t.id}: fill ${fill.toFixed(0)}, per pixel ${perPixel.toFixed(0)}; a figure needs 50 and 50`,
      );
    if (!figure && fill < 40 && chroma < 70)
      problems.push(
        `${t.id}: fill ${fill.toFixed(0)}, chroma ${chroma.toFixed(0)}; needs fill 40 or chroma 70`,
      );
  }
  const figures = [...tiles.values()].filter((t) => t.id.startsWith('figure/'));
  const masks = new Map(figures.map((t) => [t.id, new Set(opaque(t))]));
  const overlaps = [];
  for (const [i, a] of figures.entries())
    for (const b of figures.slice(i + 1)) {
      const A = masks.get(a.id) ?? new Set();
      const B = masks.get(b.id) ?? new Set();
      const both = [...A].filter((p) => B.has(p)).length;
      const iou = both / (A.size + B.size - both);
      overlaps.push({ a: a.id, b: b.id, iou });
      if (iou > 0.8)
        problems.push(`${a.id} and ${b.id}: silhouettes overlap ${iou.toFixed(2)}, at most 0.80`);
    }
  overlaps.sort((x, y) => y.iou - x.iou);
  return { floor, rows, overlaps, problems };
}

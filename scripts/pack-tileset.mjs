// Packs assets/tiles, the font and the classes into tileset.png, font.png and tileset.json.
//   node scripts/pack-tileset.mjs           check the sources and write the packed files
//   node scripts/pack-tileset.mjs --check   check the sources and that the packed files agree with them
//   node scripts/pack-tileset.mjs --figures print the contrast figures as well
import fs from 'node:fs';
import path from 'node:path';
import sharp from 'sharp';
import {
  ASSETS,
  CELL_H,
  CELL_W,
  MISSING,
  TILE,
  contrast,
  loadClasses,
  loadFont,
  loadPalette,
  loadTiles,
} from './lib/tileset-sources.mjs';

const COLUMNS = 16;
const FONT_COLUMNS = 32;
const say = (/** @type {string} */ line) => process.stdout.write(`${line}\n`);

/** @typedef {{ width: number, height: number, data: Uint8ClampedArray }} Image */

/** @param {number} width @param {number} height @returns {Image} */
const image = (width, height) => ({ width, height, data: new Uint8ClampedArray(width * height * 4) });

/** @param {Iterable<import('./lib/tileset-sources.mjs').Tile>} tiles @param {number} count */
function drawTiles(tiles, count) {
  const out = image(COLUMNS * TILE, Math.ceil(count / COLUMNS) * TILE);
  let index = 0;
  for (const tile of tiles) {
    const X = (index % COLUMNS) * TILE;
    const Y = Math.floor(index / COLUMNS) * TILE;
    for (let y = 0; y < TILE; y++)
      out.data.set(tile.px.subarray(y * TILE * 4, (y + 1) * TILE * 4), ((Y + y) * out.width + X) * 4);
    index++;
  }
  return out;
}

/** @param {import('./lib/tileset-sources.mjs').Glyph[]} glyphs */
function drawFont(glyphs) {
  const out = image(FONT_COLUMNS * CELL_W, Math.ceil(glyphs.length / FONT_COLUMNS) * CELL_H);
  glyphs.forEach((glyph, index) => {
    const X = (index % FONT_COLUMNS) * CELL_W;
    const Y = Math.floor(index / FONT_COLUMNS) * CELL_H;
    glyph.rows.forEach((row, y) => {
      for (const [x, c] of Array.from(row).entries())
        if (c === '#')
          out.data.fill(255, ((Y + y) * out.width + X + x) * 4, ((Y + y) * out.width + X + x) * 4 + 4);
    });
  });
  return out;
}

/** @param {Image} img */
const encode = (img) =>
  sharp(Buffer.from(img.data.buffer), { raw: { width: img.width, height: img.height, channels: 4 } })
    .png({ compressionLevel: 9, palette: false })
    .toBuffer();

/** @param {string} file @param {Image} img */
async function samePixels(file, img) {
  if (!fs.existsSync(file)) return false;
  const { data, info } = await sharp(file).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return info.width === img.width && info.height === img.height && data.equals(Buffer.from(img.data.buffer));
}

const palette = loadPalette();
const tiles = loadTiles(palette);
const glyphs = loadFont();
const { classes, doors, skins } = loadClasses(tiles);
const report = contrast(tiles);

const manifest = {
  name: 'orchestrate',
  licence: 'CC0-1.0',
  image: 'tileset.png',
  tile: TILE,
  columns: COLUMNS,
  tiles: Object.fromEntries([...tiles.values()].map((t, index) => [t.id, { index, desc: t.desc }])),
  shadow: palette.shadow,
  fog: {
    unknown: palette.unknown,
    rememberedMixPercent: palette.mix,
    rememberedDesaturatePercent: palette.desaturate,
  },
  classes,
  doors,
  skins,
  font: {
    image: 'font.png',
    cell: [CELL_W, CELL_H],
    lineHeight: CELL_H + 1,
    columns: FONT_COLUMNS,
    characters: glyphs.map((g) => g.char).join(''),
    missing: MISSING,
  },
};
const json = `${JSON.stringify(manifest, null, 2)}\n`;
const tileImage = drawTiles(tiles.values(), tiles.size);
const fontImage = drawFont(glyphs);
const at = (/** @type {string} */ name) => path.join(ASSETS, name);

if (process.argv.includes('--figures')) {
  for (const r of report.rows)
    say(
      `${r.id.padEnd(26)} fill ${r.fill.toFixed(0).padStart(4)}  per pixel ${r.perPixel.toFixed(0).padStart(3)}  ` +
        `chroma ${r.chroma.toFixed(0).padStart(3)}  area ${r.area}`,
    );
  for (const o of report.overlaps.slice(0, 15)) say(`overlap ${o.iou.toFixed(3)}  ${o.a}  ${o.b}`);
}

const problems = [...report.problems];
if (process.argv.includes('--check')) {
  if (!(await samePixels(at('tileset.png'), tileImage)))
    problems.push('tileset.png differs from the sources');
  if (!(await samePixels(at('font.png'), fontImage))) problems.push('font.png differs from the sources');
  if (!fs.existsSync(at('tileset.json')) || fs.readFileSync(at('tileset.json'), 'utf8') !== json)
    problems.push('tileset.json differs from the sources');
} else {
  fs.writeFileSync(at('tileset.png'), await encode(tileImage));
  fs.writeFileSync(at('font.png'), await encode(fontImage));
  fs.writeFileSync(at('tileset.json'), json);
}
for (const p of problems) say(`problem: ${p}`);
say(`${tiles.size} tiles, ${palette.size} colours, ${glyphs.length} glyphs, ${problems.length} problems`);
if (problems.length > 0) process.exitCode = 1;

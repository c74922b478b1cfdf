// Draws the art for people to judge: tiles.png (every tile, labelled) and scene.png.
//   node scripts/art-sheet.mjs [folder, default docs/pictures]
//   node scripts/art-sheet.mjs folder strip SCALE PART...   an unlabelled strip of the tiles whose names hold a PART
import fs from 'node:fs';
import path from 'node:path';
import sharp from 'sharp';
import {
  CELL_H,
  CELL_W,
  TILE,
  loadClasses,
  loadFont,
  loadPalette,
  loadTiles,
} from './lib/tileset-sources.mjs';
import { blit, dim, drawScene, enlarge, paste, raster } from './lib/tileset-scene.mjs';
import { SCENES } from './lib/tileset-scenes.mjs';

const palette = loadPalette();
const tiles = loadTiles(palette);
const glyphs = new Map(loadFont().map((g) => [g.char, g]));
const { classes } = loadClasses(tiles);
const folder = process.argv[2] ?? 'docs/pictures';
fs.mkdirSync(folder, { recursive: true });

/** @param {string} name @param {import('./lib/tileset-scene.mjs').Raster} r */
const save = (name, r) =>
  sharp(Buffer.from(r.data.buffer), { raw: { width: r.width, height: r.height, channels: 4 } })
    .png({ compressionLevel: 9, palette: true })
    .toFile(path.join(folder, name));

/** What an overlay or a transparent tile lies on. @param {string} id */
function ground(id) {
  if (/^terrain\/(\w+-)?shore/.test(id)) return id.includes('lava') ? 'terrain/lava' : 'terrain/water';
  const edge = /^wall\/(?:(\w+)-)?(edge|corner)-/.exec(id);
  if (edge) return edge[1] ? `wall/${edge[1]}-top` : 'wall/top';
  const rim = /^terrain\/(carpet|chasm)-[nesw]$/.exec(id);
  if (rim) return `terrain/${rim[1]}`;
  return id.startsWith('terrain/bridge') ? 'terrain/water' : 'terrain/floor-1';
}

/** @param {string} id @param {boolean} remembered */
function shown(id, remembered) {
  const r = raster(TILE, TILE, palette.unknown);
  blit(r, tiles, ground(id), 0, 0);
  if (id.startsWith('figure/')) blit(r, tiles, 'fx/shadow', 0, 0);
  blit(r, tiles, id, 0, 0);
  if (remembered) dim(r, palette, 0, 0);
  return r;
}

/** @param {import('./lib/tileset-scene.mjs').Raster} r @param {string} text @param {number} X @param {number} Y */
function write(r, text, X, Y) {
  Array.from(text).forEach((char, i) => {
    const rows = (glyphs.get(char) ?? glyphs.get('?'))?.rows ?? [];
    for (let y = 0; y < CELL_H; y++)
      for (const [x, c] of Array.from(rows[y] ?? '').entries())
        if (c === '#') r.data.set([232, 224, 208, 255], ((Y + y) * r.width + X + i * CELL_W + x) * 4);
  });
}

if (process.argv[3] === 'strip') {
  const scale = Number(process.argv[4]);
  const parts = process.argv.slice(5);
  const ids = parts.flatMap((p) =>
    [...tiles.keys()].filter((id) => id === p || (p.endsWith('*') && id.startsWith(p.slice(0, -1)))),
  );
  const per = Math.floor(1400 / (18 * scale));
  const lines = Math.ceil(ids.length / per);
  const r = raster(Math.min(per, ids.length) * 18, lines * 18, [66, 76, 94]);
  ids.forEach((id, i) => paste(r, shown(id, false), (i % per) * 18 + 1, Math.floor(i / per) * 18 + 1));
  await save('strip.png', enlarge(r, scale));
} else {
  const ids = [...tiles.keys()];
  const PER = 9;
  const CW = 146;
  const CH = 78;
  const sheet = raster(PER * CW + 8, Math.ceil(ids.length / PER) * CH + 8, [29, 26, 38]);
  ids.forEach((id, i) => {
    const X = (i % PER) * CW + 8;
    const Y = Math.floor(i / PER) * CH + 6;
    paste(sheet, enlarge(shown(id, false), 3), X, Y);
    paste(sheet, enlarge(shown(id, false), 2), X + 52, Y);
    paste(sheet, enlarge(shown(id, true), 2), X + 88, Y);
    write(sheet, id, X, Y + 54);
  });
  await save('tiles.png', sheet);
  for (const [name, scene] of Object.entries(SCENES))
    await save(`${name}.png`, enlarge(drawScene({ tiles, palette, classes, ...scene }), 2));
}

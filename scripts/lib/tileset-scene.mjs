// Draws a small hand-made scene from the tile sources by the rules of assets/README.md, for art-sheet.mjs.
import { TILE, luminance } from './tileset-sources.mjs';

/**
 * @typedef {{ width: number, height: number, data: Uint8ClampedArray }} Raster
 * @typedef {Map<string, import('./tileset-sources.mjs').Tile>} Tiles
 */

/** @param {number} width @param {number} height @param {number[]} colour @returns {Raster} */
export function raster(width, height, colour) {
  const data = new Uint8ClampedArray(width * height * 4);
  for (let i = 0; i < data.length; i += 4) data.set([colour[0] ?? 0, colour[1] ?? 0, colour[2] ?? 0, 255], i);
  return { width, height, data };
}

/** @param {Raster} r @param {Tiles} tiles @param {string} id @param {number} X @param {number} Y */
export function blit(r, tiles, id, X, Y) {
  const tile = tiles.get(id);
  if (!tile) throw new Error(`no tile ${id}`);
  for (let y = 0; y < TILE; y++)
    for (let x = 0; x < TILE; x++) {
      const i = (y * TILE + x) * 4;
      const a = (tile.px[i + 3] ?? 0) / 255;
      const o = ((Y + y) * r.width + X + x) * 4;
      if (a === 0) continue;
      for (let k = 0; k < 3; k++)
        r.data[o + k] = Math.round((tile.px[i + k] ?? 0) * a + (r.data[o + k] ?? 0) * (1 - a));
    }
}

/** The remembered look. @param {Raster} r @param {import('./tileset-sources.mjs').Palette} p @param {number} X @param {number} Y */
export function dim(r, p, X, Y) {
  for (let y = 0; y < TILE; y++)
    for (let x = 0; x < TILE; x++) {
      const o = ((Y + y) * r.width + X + x) * 4;
      const l = luminance(r.data, o);
      for (let k = 0; k < 3; k++) {
        const grey = ((r.data[o + k] ?? 0) * (100 - p.desaturate) + l * p.desaturate) / 100;
        r.data[o + k] = Math.round((grey * p.mix + (p.unknown[k] ?? 0) * (100 - p.mix)) / 100);
      }
    }
}

/** @param {Raster} r @param {number} s @returns {Raster} */
export function enlarge(r, s) {
  const out = raster(r.width * s, r.height * s, [0, 0, 0]);
  for (let y = 0; y < out.height; y++)
    for (let x = 0; x < out.width; x++) {
      const i = (Math.floor(y / s) * r.width + Math.floor(x / s)) * 4;
      out.data.set(r.data.subarray(i, i + 4), (y * out.width + x) * 4);
    }
  return out;
}

/** @param {Raster} to @param {Raster} from @param {number} X @param {number} Y */
export function paste(to, from, X, Y) {
  for (let y = 0; y < from.height; y++)
    to.data.set(
      from.data.subarray(y * from.width * 4, (y + 1) * from.width * 4),
      ((Y + y) * to.width + X) * 4,
    );
}

/** @param {number} x @param {number} y */
function hash(x, y) {
  let h = (x * 374761393 + y * 668265263) | 0;
  h = Math.imul(h ^ (h >>> 13), 1274126177);
  return (h ^ (h >>> 16)) >>> 0;
}

/**
 * @param {{ tiles: Tiles, palette: import('./tileset-sources.mjs').Palette, classes: Record<string, any>,
 *   legend: Record<string, string>, map: string[], seen?: string[], things: [string, number, number][] }} scene
 *   legend: map character → class name, or `class=tile` (a tile on a class; a door counts as wall)
 */
export function drawScene({ tiles, palette, classes, legend, map, seen, things }) {
  const H = map.length;
  const W = map[0]?.length ?? 0;
  const r = raster(W * TILE, H * TILE, palette.unknown);
  const fog = (/** @type {number} */ x, /** @type {number} */ y) => seen?.[y]?.[x] ?? 'v';
  const known = (/** @type {number} */ x, /** @type {number} */ y) =>
    x >= 0 && y >= 0 && x < W && y < H && map[y]?.[x] !== ' ' && fog(x, y) !== ' ';
  const spec = (/** @type {number} */ x, /** @type {number} */ y) =>
    known(x, y) ? (legend[map[y]?.[x] ?? ''] ?? '') : '';
  const name = (/** @type {number} */ x, /** @type {number} */ y) => spec(x, y).split('=')[0] ?? '';
  const isDoor = (/** @type {number} */ x, /** @type {number} */ y) => spec(x, y).startsWith('door/');
  const put = (/** @type {string} */ id, /** @type {number} */ x, /** @type {number} */ y) =>
    blit(r, tiles, id, x * TILE, y * TILE);
  // A bridge runs between the sides that are not liquid or pit.
  const bridgeTile = (/** @type {any} */ c, /** @type {number} */ x, /** @type {number} */ y) => {
    const firm = (/** @type {number} */ dx, /** @type {number} */ dy) =>
      isDoor(x + dx, y + dy) || classes[name(x + dx, y + dy)]?.kind === 'ground';
    return (firm(1, 0) || firm(-1, 0)) && !firm(0, 1) && !firm(0, -1) ? c.axis.ew : c.axis.ns;
  };
  for (let y = 0; y < H; y++)
    for (let x = 0; x < W; x++) {
      if (!known(x, y)) {
        put('fx/unknown', x, y);
        continue;
      }
      if (isDoor(x, y)) {
        put(spec(x, y), x, y);
        continue;
      }
      const c = classes[name(x, y)];
      if (!c) throw new Error(`no class ${spec(x, y)}`);
      if (c.kind === 'wall') {
        const on = (/** @type {number} */ dx, /** @type {number} */ dy) =>
          !known(x + dx, y + dy) || isDoor(x + dx, y + dy) || classes[name(x + dx, y + dy)]?.join === c.join;
        put(on(0, 1) ? c.top : c.front, x, y);
        if (!on(0, -1)) put(c.edges.n, x, y);
        if (!on(-1, 0)) put(c.edges.w, x, y);
        if (!on(1, 0)) put(c.edges.e, x, y);
        if (on(0, -1) && on(-1, 0) && !on(-1, -1)) put(c.corners.nw, x, y);
        if (on(0, -1) && on(1, 0) && !on(1, -1)) put(c.corners.ne, x, y);
        if (on(0, 1) && on(-1, 0) && !on(-1, 1) && !isDoor(x - 1, y)) put(c.corners.sw, x, y);
        if (on(0, 1) && on(1, 0) && !on(1, 1) && !isDoor(x + 1, y)) put(c.corners.se, x, y);
        continue;
      }
      for (const g of [classes[c.under], c]) {
        if (!g) continue;
        const h = hash(x, y) >>> 9;
        const rare = g.rare && h % g.rareOneIn === 0;
        const list = rare ? g.rare : g.axis ? [bridgeTile(g, x, y)] : g.variants;
        put(list[(h >>> 7) % list.length], x, y);
      }
      for (const [d, dx, dy] of /** @type {[string, number, number][]} */ ([
        ['e', 1, 0],
        ['s', 0, 1],
        ['w', -1, 0],
        ['n', 0, -1],
      ])) {
        const shore = c.shores?.[d];
        const next = classes[name(x + dx, y + dy)];
        if (!shore || !known(x + dx, y + dy) || next === c || (next && classes[next.under] === c)) continue;
        const wall = isDoor(x + dx, y + dy) || classes[name(x + dx, y + dy)]?.kind === 'wall';
        if (!wall || c.shoresAtWalls) put(shore, x, y);
      }
      const n = classes[name(x, y - 1)];
      if (known(x, y - 1) && (n?.kind === 'wall' || isDoor(x, y - 1)))
        put(n?.shadows?.n ?? 'wall/shadow-n', x, y);
      const w = classes[name(x - 1, y)];
      if (w?.kind === 'wall') put(w.shadows?.w ?? 'wall/shadow-w', x, y);
      const on = spec(x, y).split('=')[1];
      if (on) put(on, x, y);
    }
  for (const [id, x, y] of things) {
    if (!known(x, y) || (fog(x, y) === 'r' && id.startsWith('figure/'))) continue;
    if (id.startsWith('figure/')) put('fx/shadow', x, y);
    put(id, x, y);
  }
  for (let y = 0; y < H; y++)
    for (let x = 0; x < W; x++) if (known(x, y) && fog(x, y) === 'r') dim(r, palette, x * TILE, y * TILE);
  return r;
}

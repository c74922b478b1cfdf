// @ts-check
/**
 * What an image costs on a server, by the model's family, as the families' image processors reckon: resized first, then cut. Written apart from the
 * program's own estimate (`src/model/frame-tokens.ts`), so that a mistake in one of them shows where they are compared.
 */

/**
 * @typedef {{ width: number, height: number }} Size
 * @typedef {(size: Size) => number} Processor
 * @typedef {keyof typeof PROCESSORS} Family
 */

/** Halves go to the even side. @param {number} value */
const rounded = (value) => {
  const [below, above] = [Math.floor(value), Math.ceil(value)];
  if (value - below === above - value) return below % 2 === 0 ? below : above;
  return value - below < above - value ? below : above;
};

/** Resized to multiples of a factor, within a range of areas. @param {number} factor @param {number} least @param {number} most @returns {Processor} */
const smartResize =
  (factor, least, most) =>
  ({ width, height }) => {
    let [w, h] = [rounded(width / factor) * factor, rounded(height / factor) * factor];
    if (w * h > most) {
      const beta = Math.sqrt((width * height) / most);
      w = Math.max(factor, Math.floor(width / beta / factor) * factor);
      h = Math.max(factor, Math.floor(height / beta / factor) * factor);
    } else if (w * h < least) {
      const beta = Math.sqrt(least / (width * height));
      w = Math.ceil((width * beta) / factor) * factor;
      h = Math.ceil((height * beta) / factor) * factor;
    }
    return (w / factor) * (h / factor);
  };

/** Rows of patches, each with a token that ends it. @param {number} patch @param {number} longest @returns {Processor} */
const rowsOfPatches =
  (patch, longest) =>
  ({ width, height }) => {
    const ratio = Math.max(width / longest, height / longest);
    const [w, h] = ratio > 1 ? [Math.round(width / ratio), Math.round(height / ratio)] : [width, height];
    return (Math.floor((w - 1) / patch) + 2) * (Math.floor((h - 1) / patch) + 1);
  };

/** The longest edge enlarged, cut into squares, and the whole once more. @type {Processor} */
const splitAndWhole = ({ width, height }) => {
  const [edge, square, each] = [2048, 512, 64];
  const shorter = Math.floor((edge * Math.min(width, height)) / Math.max(width, height));
  const even = shorter + (shorter % 2);
  const squares = (edge / square) * Math.max(1, Math.ceil(even / square));
  return each * (squares + 1);
};

/** Resized to fill a budget of pooled patches. @type {Processor} */
const budgeted = ({ width, height }) => {
  const [side, budget] = [48, 280];
  const factor = Math.sqrt((budget * side ** 2) / (width * height));
  const along = (/** @type {number} */ pixels) => Math.max(1, Math.floor((factor * pixels) / side));
  return along(width) * along(height);
};

/** Every grid of up to twelve tiles, smaller ones first, and the one of the nearest shape. @type {Processor} */
const nearestGrid = ({ width, height }) => {
  const grids = [];
  for (let columns = 1; columns <= 12; columns++)
    for (let rows = 1; rows * columns <= 12; rows++) grids.push({ columns, rows, tiles: columns * rows });
  grids.sort((a, b) => a.tiles - b.tiles);
  const wanted = width / height;
  let nearest = Number.POSITIVE_INFINITY;
  let chosen = 1;
  for (const { columns, rows, tiles } of grids) {
    const distance = Math.abs(wanted - columns / rows);
    const isLargeEnough = width * height > 0.5 * 448 * 448 * tiles;
    if (distance < nearest || (distance === nearest && isLargeEnough)) chosen = tiles;
    nearest = Math.min(nearest, distance);
  }
  return 256 * (chosen > 1 ? chosen + 1 : 1);
};

const PROCESSORS = {
  'qwen2.5-vl': smartResize(28, 56 * 56, 12_845_056),
  'qwen3-vl': smartResize(32, 65_536, 16_777_216),
  'gemma-3': /** @type {Processor} */ (() => 256),
  'gemma-4': budgeted,
  pixtral: rowsOfPatches(16, 1024),
  'mistral-small': rowsOfPatches(28, 1540),
  internvl: nearestGrid,
  smolvlm: splitAndWhole,
};

export const IMAGE_FAMILIES = /** @type {Family[]} */ (Object.keys(PROCESSORS));

/** @param {Family} family @param {Size} size */
export function imageTokens(family, size) {
  return PROCESSORS[family](size);
}

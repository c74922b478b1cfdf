/**
 * The pixels of the plainest PNG, which our own tilesets are: eight bits for each of red, green, blue and
 * alpha, not interlaced. Every command with pictures starts with one, and should not load a library for it.
 */

const PIXEL_BYTES = 4;

/**
 * Undoes the filters of the PNG specification (section 9): each row is written as differences, after the number
 * of its filter. Null for an unknown filter.
 */
export function rgbaRows(filtered: Uint8Array, width: number, height: number): Uint8Array | null {
  const length = PIXEL_BYTES * width;
  const pixels = new Uint8Array(length * height);
  let above: Uint8Array = new Uint8Array(length);
  for (let y = 0; y < height; y++) {
    const start = y * (length + 1);
    const undo = FILTERS[filtered[start] ?? -1];
    if (undo === undefined) return null;
    const row = pixels.subarray(y * length, (y + 1) * length);
    row.set(filtered.subarray(start + 1, start + 1 + length));
    undo(row, above);
    above = row;
  }
  return pixels;
}

/**
 * Adds to each byte of a row what its filter predicts from the row and the one above; sums are modulo 256.
 */
type UndoFilter = (row: Uint8Array, above: Uint8Array) => void;

const FILTERS: readonly UndoFilter[] = [
  () => undefined,
  unfilter((left) => left),
  unfilter((_left, up) => up),
  unfilter((left, up) => (left + up) >> 1),
  unfilter(paeth),
];

function unfilter(predict: (left: number, up: number, upperLeft: number) => number): UndoFilter {
  return (row, above) => {
    for (let i = 0; i < row.length; i++) {
      const left = row[i - PIXEL_BYTES] ?? 0;
      const upperLeft = above[i - PIXEL_BYTES] ?? 0;
      row[i] = (row[i] ?? 0) + predict(left, above[i] ?? 0, upperLeft);
    }
  };
}

/** Of the three neighbours, the one nearest to their gradient; in a tie, the first. */
function paeth(left: number, up: number, upperLeft: number): number {
  const gradient = left + up - upperLeft;
  const [toLeft, toUp, toUpperLeft] = [
    Math.abs(gradient - left),
    Math.abs(gradient - up),
    Math.abs(gradient - upperLeft),
  ];
  if (toLeft <= toUp && toLeft <= toUpperLeft) return left;
  return toUp <= toUpperLeft ? up : upperLeft;
}

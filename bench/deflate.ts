/**
 * `npm run bench -- deflate [TILE [SET…]]`: the settings of zlib for the picture data of frames, with tiles of
 * so many pixels. Repeated rows are tried as differences from the row above (`up`), as they are written, and
 * in full (`none`).
 */
import { constants, deflateSync, inflateSync } from 'node:zlib';
import { drawFrame } from '../src/render/draw.js';
import { encodePng, pngSize } from '../src/render/png.js';
import { processorUs, scenesOf, tilesetAt } from './colours.js';
import { median, microseconds, table } from './figures.js';

const { Z_DEFAULT_STRATEGY, Z_FILTERED, Z_FIXED, Z_RLE } = constants;
const STRATEGIES = { default: Z_DEFAULT_STRATEGY, filtered: Z_FILTERED, fixed: Z_FIXED, RLE: Z_RLE };
const ROUNDS = 6;

export async function deflateReport(scenario: string, cell: number, set: readonly string[]): Promise<string> {
  const tileset = await tilesetAt('assets/tileset.json');
  const scenes = await scenesOf(scenario, 100, set);
  const files = scenes.map((scene) => encodePng(drawFrame(scene, tileset, { cell, ruler: false })));
  const up = files.map(pictureData);
  const none = up.map((data, i) => withoutDifferences(data, pngSize(files[i] ?? new Uint8Array()).width + 1));
  const cases = Object.entries({ up, none }).flatMap(([rows, data]) => [
    ...[1, 2, 3, 4, 6].map((level) => ({ rows, data, level, strategy: 'default' as const })),
    ...(['filtered', 'fixed', 'RLE'] as const).map((strategy) => ({ rows, data, level: 1, strategy })),
  ]);
  const us = cases.map((): number[] => []);
  const bytes = cases.map((): number[] => []);
  for (let round = 0; round < ROUNDS; round++)
    for (const [i, { data, level, strategy }] of cases.entries())
      for (const one of data) {
        const began = processorUs();
        const { length } = deflateSync(one, { level, memLevel: 7, strategy: STRATEGIES[strategy] });
        const ended = processorUs();
        if (round === 0) continue;
        us[i]?.push(ended - began);
        bytes[i]?.push(length);
      }
  const lines = cases.map(({ rows, level, strategy }, i) => [
    rows,
    String(level),
    strategy,
    microseconds(median(us[i] ?? [])),
    String(median(bytes[i] ?? [])),
  ]);
  const { width, height } = pngSize(files[0] ?? new Uint8Array());
  return `${table(['repeated rows', 'level', 'strategy', 'µs', 'bytes'], lines)}\n\n${files.length} frames of ${width} × ${height} pixels.\n`;
}

/** The inflated rows of a PNG with one IDAT, each after its filter. */
function pictureData(png: Uint8Array): Buffer {
  const file = Buffer.from(png);
  const at = file.indexOf('IDAT');
  return inflateSync(file.subarray(at + 4, at + 4 + file.readUInt32BE(at - 4)));
}

function withoutDifferences(data: Buffer, stride: number): Buffer {
  const rows = Buffer.from(data);
  for (let at = stride; at < rows.length; at += stride)
    if (rows[at] === 2) rows.copyWithin(at, at - stride, at);
  return rows;
}

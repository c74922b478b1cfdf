/**
 * The map: rows of characters become rows of terrain keys, and the positions that the legend gives to agents,
 * creatures, things and doors. A million tiles are read in one pass; a mistake in a row is reported at its
 * character.
 */
import { counted } from '../../../base/counted.js';
import { compareText } from '../../../base/ids.js';
import { LIMITS } from '../../../base/limits.js';
import type { TerrainKind } from '../definition.js';
import { theName } from '../wording.js';
import { suggest } from '../../../scenario/suggest.js';
import type { MistakePlace, MistakeReport } from '../../../scenario/report.js';
import type { GridInput, LegendInput } from './schema-grid.js';
import { BUILT_IN_LEGEND, terrainTable } from './terrain.js';

export type PlacedKind = 'agent' | 'npc' | 'thing' | 'door';

/** A tile that the map assigns, and its position in the file. */
export interface MapSpot {
  readonly x: number;
  readonly y: number;
  readonly at: MistakePlace;
}

export interface GridMap {
  readonly width: number;
  readonly height: number;
  /** Rows of terrain keys; `setTerrain` changes them while doors are set in. */
  readonly rows: string[];
  /** Terrain by its key, in order of first use. */
  readonly terrain: Map<string, TerrainKind>;
  /** Every terrain that the scenario may use, by id. */
  readonly kinds: ReadonlyMap<string, TerrainKind>;
  /** By `kind id`. */
  readonly spots: ReadonlyMap<string, readonly MapSpot[]>;
  /** Characters that already have a meaning, or occur in the map. */
  readonly taken: Set<string>;
  /** Characters of the map without a meaning. */
  readonly idle: Set<string>;
}

/** The meaning of one character of the map. */
interface MapMeaning {
  readonly key: string;
  readonly placed: readonly { readonly kind: PlacedKind; readonly id: string }[];
}

const SPARE_KEYS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789!$%&*+-/;<=>?@^|';
const PLACED: readonly PlacedKind[] = ['agent', 'npc', 'thing', 'door'];

/** The map, or null if it is unusable; every mistake is reported. */
export function readMap(values: GridInput, report: MistakeReport): GridMap | null {
  const drawn = linesOf(values.map ?? '');
  if (isFolded(drawn, values.legend)) {
    report.error(
      ['map'],
      'the lines of the map were joined into one',
      "write 'map: |' and the rows below it",
    );
    return null;
  }
  if (!hasSize(drawn, report)) return null;
  const lines = squared(drawn, values.legend, report);
  if (lines === null) return null;
  const kinds = terrainTable(values.terrain);
  const spots = new Map<string, MapSpot[]>();
  const map: GridMap = {
    width: lines[0]?.length ?? 0,
    height: lines.length,
    rows: [],
    terrain: new Map(),
    kinds,
    spots,
    taken: new Set([...Object.keys(BUILT_IN_LEGEND), ...Object.keys(values.legend)]),
    idle: new Set(),
  };
  const meanings = meaningsOf(values, map, report);
  for (const character of new Set(lines.join(''))) {
    if (!map.taken.has(character)) map.idle.add(character);
    map.taken.add(character);
  }
  lines.forEach((line, y) => map.rows.push(readRow({ line, y, meanings, spots, report })));
  tellUnusedLegend(values, lines, report);
  return map;
}

function linesOf(text: string): readonly string[] {
  const lines = text.split('\n').map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line));
  while (lines.length > 0 && lines.at(-1) === '') lines.pop();
  return lines;
}

/** Without `|` YAML joins lines with spaces, which are rare in maps otherwise. */
function isFolded(lines: readonly string[], legend: GridInput['legend']): boolean {
  return lines.length === 1 && !Object.hasOwn(legend, ' ') && /\S \S/.test(lines[0] ?? '');
}

function hasSize(lines: readonly string[], report: MistakeReport): boolean {
  const max = LIMITS.mapSideTiles;
  const width = longestOf(lines);
  if (width === 0)
    report.error(['map'], 'the map is empty', 'draw it in a block after |, one character per tile');
  else if (lines.length > max || width > max)
    report.error(['map'], `the map is ${width} × ${lines.length} tiles; the maximum is ${max} × ${max}`);
  else return true;
  return false;
}

/**
 * Rows of equal length. Other lengths are reported, and rows are padded with wall or other built-in terrain,
 * so that further mistakes are found too; null if the legend redefines all of those characters.
 */
function squared(
  lines: readonly string[],
  legend: GridInput['legend'],
  report: MistakeReport,
): readonly string[] | null {
  const width = commonLength(lines);
  lines.forEach((line, row) => {
    const message = `row ${row} of the map has ${counted(line.length, 'character')}, but most rows have ${width}`;
    const column = Math.min(line.length, width);
    if (line.length !== width)
      report.error({ block: ['map'], row, column }, message, 'make all rows the same length');
  });
  if (lines.every((line) => line.length === width)) return lines;
  const filler = FILLERS.find((character) => !Object.hasOwn(legend, character));
  if (filler === undefined) return null;
  const longest = longestOf(lines);
  return lines.map((line) => line.padEnd(longest, filler));
}

function longestOf(lines: readonly string[]): number {
  return lines.reduce((most, line) => Math.max(most, line.length), 0);
}

/** Of the built-in legend, obstacles first. */
const FILLERS = ['#', '~', '.', ',', '_', ':'] as const;

/** The length that most rows have; the longer one of equals. */
function commonLength(lines: readonly string[]): number {
  const counts = new Map<number, number>();
  for (const line of lines) counts.set(line.length, (counts.get(line.length) ?? 0) + 1);
  const [best] = [...counts].toSorted(([a, times], [b, more]) => more - times || b - a);
  return best?.[0] ?? 0;
}

function meaningsOf(values: GridInput, map: GridMap, report: MistakeReport): Map<string, MapMeaning> {
  const meanings = new Map<string, MapMeaning>();
  for (const [character, id] of Object.entries(BUILT_IN_LEGEND)) {
    if (!Object.hasOwn(values.legend, character))
      meanings.set(character, { key: keyFor(map, id) ?? '', placed: [] });
  }
  // By terrain, not by spelling: which key a terrain gets must not depend on the order of a file.
  const entries = Object.entries(values.legend).toSorted(([, a], [, b]) =>
    compareText(terrainOf(a), terrainOf(b)),
  );
  for (const [character, entry] of entries) {
    const meaning = legendMeaning(character, entry, map, report);
    if (meaning !== null) meanings.set(character, meaning);
  }
  return meanings;
}

function terrainOf(entry: LegendInput): string {
  return typeof entry === 'string' ? entry : (entry.terrain ?? 'floor');
}

function legendMeaning(
  character: string,
  entry: LegendInput,
  map: GridMap,
  report: MistakeReport,
): MapMeaning | null {
  const path = ['legend', character];
  const isOne = character.length === 1 && /^[^\s\p{C}\p{M}]$|^ $/u.test(character);
  if (!isOne) {
    report.error(
      { key: path },
      `'${character.slice(0, 40)}' is not a single plain character`,
      'a legend key is the single character used in the map',
    );
    return null;
  }
  const terrain = terrainOf(entry);
  const key = keyFor(map, terrain);
  if (key === null) {
    const at = typeof entry === 'string' ? path : [...path, 'terrain'];
    report.error(at, `unknown terrain '${terrain}'`, suggest(terrain, [...map.kinds.keys()]));
  }
  const placed =
    typeof entry === 'string'
      ? []
      : PLACED.flatMap((kind) => (entry[kind] === undefined ? [] : [{ kind, id: entry[kind] }]));
  return { key: key ?? '.', placed };
}

/** The key of a terrain in the rows; null for an unknown terrain. */
export function keyFor(map: GridMap, id: string): string | null {
  const kind = map.kinds.get(id);
  if (kind === undefined) return null;
  for (const [key, used] of map.terrain) if (used.id === id) return key;
  const wanted = Object.entries(BUILT_IN_LEGEND).find(([, terrain]) => terrain === id)?.[0];
  const candidates = `${wanted ?? ''}${SPARE_KEYS}`;
  const key = candidates.split('').find((each) => !map.terrain.has(each)) ?? nextKey(map);
  map.terrain.set(key, kind);
  return key;
}

/** Beyond the spare keys, letters from U+0100 on: scenarios with so many terrains are rare. */
function nextKey(map: GridMap): string {
  return String.fromCharCode(0x100 + map.terrain.size);
}

interface MapRow {
  readonly line: string;
  readonly y: number;
  readonly meanings: ReadonlyMap<string, MapMeaning>;
  readonly spots: Map<string, MapSpot[]>;
  readonly report: MistakeReport;
}

function readRow(row: MapRow): string {
  let keys = '';
  for (let x = 0; x < row.line.length; x++) {
    const character = row.line.charAt(x);
    const meaning = row.meanings.get(character);
    if (meaning === undefined) tellUnknown(row, x);
    else for (const { kind, id } of meaning.placed) place(row, x, `${kind} ${id}`);
    keys += meaning?.key ?? '.';
  }
  return keys;
}

function place(row: MapRow, x: number, key: string): void {
  const list = row.spots.get(key) ?? [];
  list.push({ x, y: row.y, at: { block: ['map'], row: row.y, column: x } });
  row.spots.set(key, list);
}

function tellUnknown(row: MapRow, x: number): void {
  const character = String.fromCodePoint(row.line.codePointAt(x) ?? 0);
  const shown = character === ' ' ? 'a space' : character === '\t' ? 'a tab' : `'${character}'`;
  row.report.error(
    { block: ['map'], row: row.y, column: x },
    `the legend does not define ${shown}`,
    character === ' '
      ? "a map starts with | and has no gaps; ' ' can also be defined in the legend"
      : `define it under legend: '${character}': floor`,
  );
}

function tellUnusedLegend(values: GridInput, lines: readonly string[], report: MistakeReport): void {
  for (const character of Object.keys(values.legend)) {
    const used = lines.some((line) => line.includes(character));
    if (!used) report.warning({ key: ['legend', character] }, `'${character}' does not occur in the map`);
  }
}

export function isInside(map: GridMap, x: number, y: number): boolean {
  return x >= 0 && y >= 0 && x < map.width && y < map.height;
}

/** The terrain of a tile on the map. */
export function terrainAt(map: GridMap, x: number, y: number): TerrainKind | undefined {
  return map.terrain.get((map.rows[y] ?? '').charAt(x));
}

/** The name of a tile's ground in a sentence: "the water", because "a water" would be wrong. */
export function groundName(map: GridMap, x: number, y: number): string {
  return theName(terrainAt(map, x, y)?.name ?? 'nothing');
}

export function isWalkable(map: GridMap, x: number, y: number): boolean {
  return terrainAt(map, x, y)?.walkable ?? false;
}

export function setTerrain(map: GridMap, spot: { readonly x: number; readonly y: number }, id: string): void {
  const key = keyFor(map, id);
  const row = map.rows[spot.y];
  if (key === null || row === undefined) return;
  map.rows[spot.y] = row.slice(0, spot.x) + key + row.slice(spot.x + 1);
}

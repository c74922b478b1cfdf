/**
 * The map: rows of characters become rows of terrain keys, and the positions that the legend gives to agents,
 * creatures, things and doors. The tiles are read in one pass; a mistake in a row is reported at its
 * character.
 */
import { at } from '../../../base/assert.js';
import { counted } from '../../../base/counted.js';
import { compareText } from '../../../base/ids.js';
import { LIMITS } from '../../../base/limits.js';
import type { TerrainKind } from '../definition.js';
import { openDice } from '../generate/dice.js';
import { theName } from '../../../environment/wording.js';
import { suggest } from '../../../scenario/suggest.js';
import type { MistakePlace, MistakeReport } from '../../../scenario/report.js';
import type { GridInput, LegendInput } from './schema-grid.js';
import { BUILT_IN_LEGEND, terrainTable } from './terrain.js';

export type PlacedKind = 'agent' | 'npc' | 'thing' | 'door';

/** A tile that the map or `at` assigns to an agent, creature, thing or door. */
export interface MapSpot {
  x: number;
  y: number;
  /** Where the file says so, for messages. */
  source: MistakePlace;
}

export interface GridMap {
  width: number;
  height: number;
  /** Rows of terrain keys, one character per tile; `setTerrain` changes them when doors are placed. */
  rows: string[];
  /** The terrains in use, by the key that stands for them in `rows`; `registerTerrain` adds one. */
  terrainByKey: Map<string, TerrainKind>;
  /** Every terrain that the scenario may use, built-in or its own, by id. */
  terrainById: ReadonlyMap<string, TerrainKind>;
  /** The tiles of each placed part, by `<kind> <id>`: `door oak-door`; those of a list of things by `things <character>`. */
  spots: ReadonlyMap<string, readonly MapSpot[]>;
  /** Characters that have a meaning or occur in the map: `legendSuggestion` suggests none of them. */
  usedCharacters: Set<string>;
  /** Characters of the map that no legend defines: probably meant for something without a position. */
  undefinedCharacters: Set<string>;
}

/** The meaning of one character of the map. */
interface MapMeaning {
  key: string;
  placed: readonly { kind: PlacedKind | 'things'; id: string }[];
}

const SPARE_KEYS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789!$%&*+-/;<=>?@^|';
const PLACED: readonly PlacedKind[] = ['agent', 'npc', 'thing', 'door'];

/** The map, or null if it is unusable; every mistake is reported. */
export function readMap(values: GridInput, seed: string, report: MistakeReport): GridMap | null {
  const drawnLines = splitLines(values.map ?? '');
  if (isFolded(drawnLines, values.legend)) {
    report.error(
      ['map'],
      'the lines of the map were joined into one',
      "write 'map: |' and the rows below it",
    );
    return null;
  }
  if (!hasSize(drawnLines, report)) return null;
  const lines = padToRectangle(drawnLines, values.legend, report);
  if (lines === null) return null;
  const terrainById = terrainTable(values.terrain);
  const spots = new Map<string, MapSpot[]>();
  const map: GridMap = {
    width: lines[0]?.length ?? 0,
    height: lines.length,
    rows: [],
    terrainByKey: new Map(),
    terrainById,
    spots,
    usedCharacters: new Set([...Object.keys(BUILT_IN_LEGEND), ...Object.keys(values.legend)]),
    undefinedCharacters: new Set(),
  };
  const meaningByCharacter = readLegend(values, map, report);
  for (const character of new Set(lines.flat())) {
    if (!map.usedCharacters.has(character)) map.undefinedCharacters.add(character);
    map.usedCharacters.add(character);
  }
  lines.forEach((line, y) => map.rows.push(readRow({ line, y, meaningByCharacter, spots, report })));
  dealThings(values.legend, spots, { seed, report });
  reportUnusedLegend(values, lines, report);
  return map;
}

/** Puts each thing of a list in the legend on a tile of its own among those with the list's character. */
function dealThings(
  legend: GridInput['legend'],
  spots: Map<string, MapSpot[]>,
  { seed, report }: { seed: string; report: MistakeReport },
): void {
  for (const [character, entry] of Object.entries(legend)) {
    const { things = [] } = typeof entry === 'string' ? {} : entry;
    const tiles = openDice(seed, `legend:${character}`).shuffled(spots.get(`things ${character}`) ?? []);
    if (tiles.length > 0 && tiles.length < things.length)
      report.error(
        ['legend', character, 'things'],
        `${counted(things.length, 'thing')} don't fit on ${counted(tiles.length, 'tile')} with '${character}'`,
        `draw '${character}' on at least ${counted(things.length, 'tile')}`,
      );
    for (const [i, id] of things.entries()) {
      const tile = tiles[i] ?? tiles[0];
      if (tile === undefined) continue;
      // The tile is the seed's choice, so mistakes are reported where the list names the thing.
      const spot = { ...tile, source: ['legend', character, 'things', i] };
      spots.set(`thing ${id}`, [...(spots.get(`thing ${id}`) ?? []), spot]);
    }
  }
}

/** The characters of a row, one per tile. An emoji is one, with or without its variation selector (U+FE0F). */
type MapLine = readonly string[];

const CHARACTER = /.\uFE0F?/gsu;
const LONG_CHARACTER = /[\uD800-\uDFFF]|\uFE0F/;
const LEGEND_CHARACTER = /^(?:[^\s\p{C}\p{M}]\uFE0F?| )$/u;

function splitLines(text: string): readonly MapLine[] {
  const lines = text.split('\n').map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line));
  while (lines.length > 0 && lines.at(-1) === '') lines.pop();
  return lines.map((line) => (LONG_CHARACTER.test(line) ? (line.match(CHARACTER) ?? []) : line.split('')));
}

/** The column of a tile in the file's line, in UTF-16 code units. */
function columnOf(line: MapLine, x: number): number {
  return line.slice(0, x).reduce((sum, character) => sum + character.length, 0);
}

/** Without `|` YAML joins lines with spaces, which are rare in maps otherwise. */
function isFolded(lines: readonly MapLine[], legend: GridInput['legend']): boolean {
  return lines.length === 1 && !Object.hasOwn(legend, ' ') && /\S \S/.test((lines[0] ?? []).join(''));
}

function hasSize(lines: readonly MapLine[], report: MistakeReport): boolean {
  const max = LIMITS.mapSideTiles;
  const width = longestLength(lines);
  if (width === 0)
    report.error(['map'], 'the map is empty', 'draw it in a block after |, one character per tile');
  else if (lines.length > max || width > max)
    report.error(['map'], `the map is ${width} × ${lines.length} tiles; the maximum is ${max} × ${max}`);
  else return true;
  return false;
}

/**
 * Rows of equal length. If their lengths differ, the mistakes are reported, and rows are padded with wall or
 * other built-in terrain, so that further mistakes are found too; null if the legend redefines all of those
 * characters.
 */
function padToRectangle(
  lines: readonly MapLine[],
  legend: GridInput['legend'],
  report: MistakeReport,
): readonly MapLine[] | null {
  const width = commonLength(lines);
  lines.forEach((line, row) => {
    const message = `row ${row} of the map has ${counted(line.length, 'character')}, but most rows have ${width}`;
    const column = columnOf(line, Math.min(line.length, width));
    if (line.length !== width)
      report.error({ block: ['map'], row, column }, message, 'make all rows the same length');
  });
  if (lines.every((line) => line.length === width)) return lines;
  const filler = FILLERS.find((character) => !Object.hasOwn(legend, character));
  if (filler === undefined) return null;
  const longest = longestLength(lines);
  return lines.map((line) => [...line, ...Array<string>(longest - line.length).fill(filler)]);
}

function longestLength(lines: readonly MapLine[]): number {
  return lines.reduce((most, line) => Math.max(most, line.length), 0);
}

/** Characters that pad short rows, if the legend does not redefine them; obstacles first. */
const FILLERS = ['#', '~', '.', ',', '_', ':'] as const;

/** The length that most rows have; of two equally frequent lengths, the longer. */
function commonLength(lines: readonly MapLine[]): number {
  const counts = new Map<number, number>();
  for (const line of lines) counts.set(line.length, (counts.get(line.length) ?? 0) + 1);
  const [best] = [...counts].toSorted(
    ([lengthA, countA], [lengthB, countB]) => countB - countA || lengthB - lengthA,
  );
  return best?.[0] ?? 0;
}

function readLegend(values: GridInput, map: GridMap, report: MistakeReport): Map<string, MapMeaning> {
  const meaningByCharacter = new Map<string, MapMeaning>();
  for (const [character, id] of Object.entries(BUILT_IN_LEGEND)) {
    if (!Object.hasOwn(values.legend, character))
      meaningByCharacter.set(character, { key: registerTerrain(map, id) ?? '', placed: [] });
  }
  // Sorted by terrain, because the key that a terrain gets must not depend on the order of the file.
  const entries = Object.entries(values.legend).toSorted(([, a], [, b]) =>
    compareText(terrainOf(a), terrainOf(b)),
  );
  for (const [character, entry] of entries) {
    const meaning = readLegendEntry(character, entry, map, report);
    if (meaning !== null) meaningByCharacter.set(character, meaning);
  }
  return meaningByCharacter;
}

function terrainOf(entry: LegendInput): string {
  return typeof entry === 'string' ? entry : (entry.terrain ?? 'floor');
}

function readLegendEntry(
  character: string,
  entry: LegendInput,
  map: GridMap,
  report: MistakeReport,
): MapMeaning | null {
  const path = ['legend', character];
  if (!LEGEND_CHARACTER.test(character)) {
    report.error(
      { key: path },
      `'${character.slice(0, 40)}' is not a single plain character`,
      'a legend key is the single character used in the map',
    );
    return null;
  }
  const terrain = terrainOf(entry);
  const key = registerTerrain(map, terrain);
  if (key === null) {
    const place = typeof entry === 'string' ? path : [...path, 'terrain'];
    report.error(place, `unknown terrain '${terrain}'`, suggest(terrain, [...map.terrainById.keys()]));
  }
  const placed =
    typeof entry === 'string'
      ? []
      : PLACED.flatMap((kind) => (entry[kind] === undefined ? [] : [{ kind, id: entry[kind] }]));
  const dealt =
    typeof entry === 'string' || entry.things === undefined
      ? []
      : [{ kind: 'things', id: character } as const];
  return { key: key ?? '.', placed: [...placed, ...dealt] };
}

/**
 * The key that stands for a terrain in the rows. The first use of a terrain adds it to `map.terrainByKey`,
 * with its built-in character as the key if that is free. Null for an unknown terrain.
 */
export function registerTerrain(map: GridMap, id: string): string | null {
  const kind = map.terrainById.get(id);
  if (kind === undefined) return null;
  for (const [key, registered] of map.terrainByKey) if (registered.id === id) return key;
  const legendCharacter = Object.entries(BUILT_IN_LEGEND).find(([, terrain]) => terrain === id)?.[0];
  const candidates = `${legendCharacter ?? ''}${SPARE_KEYS}`;
  const key =
    candidates.split('').find((each) => !map.terrainByKey.has(each)) ??
    // All of them are used: letters from U+0100 on.
    String.fromCharCode(0x100 + map.terrainByKey.size);
  map.terrainByKey.set(key, kind);
  return key;
}

interface MapRow {
  line: MapLine;
  y: number;
  meaningByCharacter: ReadonlyMap<string, MapMeaning>;
  spots: Map<string, MapSpot[]>;
  report: MistakeReport;
}

function readRow(row: MapRow): string {
  let keys = '';
  let column = 0;
  for (let x = 0; x < row.line.length; x++) {
    const character = at(row.line, x);
    const meaning = row.meaningByCharacter.get(character);
    if (meaning === undefined) reportUndefinedCharacter(row, column, character);
    for (const { kind, id } of meaning?.placed ?? []) {
      const key = `${kind} ${id}`;
      const list = row.spots.get(key) ?? [];
      list.push({ x, y: row.y, source: { block: ['map'], row: row.y, column } });
      row.spots.set(key, list);
    }
    keys += meaning?.key ?? '.';
    column += character.length;
  }
  return keys;
}

function reportUndefinedCharacter({ report, y }: MapRow, column: number, character: string): void {
  const shown = character === ' ' ? 'a space' : character === '\t' ? 'a tab' : `'${character}'`;
  report.error(
    { block: ['map'], row: y, column },
    `the legend does not define ${shown}`,
    character === ' '
      ? "start the map with | and leave no gaps, or define ' ' in the legend"
      : `define it under legend: '${character}': floor`,
  );
}

function reportUnusedLegend(values: GridInput, lines: readonly MapLine[], report: MistakeReport): void {
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
  return map.terrainByKey.get((map.rows[y] ?? '').charAt(x));
}

/** The name of a tile's ground in a sentence: "the water", because "a water" would be wrong. */
export function groundName(map: GridMap, x: number, y: number): string {
  return theName(terrainAt(map, x, y)?.name ?? 'nothing');
}

export function isWalkable(map: GridMap, x: number, y: number): boolean {
  return terrainAt(map, x, y)?.walkable ?? false;
}

export function setTerrain(map: GridMap, spot: { x: number; y: number }, id: string): void {
  const key = registerTerrain(map, id);
  const row = map.rows[spot.y];
  if (key === null || row === undefined) return;
  map.rows[spot.y] = row.slice(0, spot.x) + key + row.slice(spot.x + 1);
}

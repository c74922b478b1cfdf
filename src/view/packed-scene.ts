/**
 * Scenes as the page stores them: one character per cell, and everything else in tables that all scenes
 * share, so that two thousand of them stay small. Pure: the program packs, and the browser unpacks.
 */
import { at } from '../base/assert.js';
import { UNKNOWN, type Scene, type SceneMark, type Visibility } from '../environment/scene.js';

/** Id, name, sprite and layer of something in scenes. */
export type PackedThing = readonly [id: string, name: string, sprite: string, layer: number];

export interface PackedScene {
  /** Width and height in tiles, x and y of the window's top left tile. */
  box: readonly [width: number, height: number, x: number, y: number];
  /** Index in the table of texts: the legend's names, one per line. */
  legend: number;
  /** Index in the table of texts: one character per cell. */
  cells: number;
  /** Three numbers for each thing in order: its index in the table of things, x and y in the window. */
  things: readonly number[];
  marks: readonly SceneMark[];
}

/** Returns the index of a value in a table; a new value is added. */
export interface SceneTables {
  text(text: string): number;
  /** Like `text` for the cells of a scene. */
  cells(scene: Scene): number;
  thing(thing: PackedThing): number;
}

/** Character codes begin here: a digit, so that most cells are plain letters. */
const FIRST_CODE = 0x30;
const VISIBILITIES = 3;
/** UTF-16 surrogates are not characters, so codes stay below them. */
const LEGEND_MAX = Math.floor((0xd800 - FIRST_CODE) / VISIBILITIES) - 1;

/** Null for a scene with more kinds of ground than there are characters. */
export function packScene(scene: Scene, tables: SceneTables): PackedScene | null {
  const { width, height, origin, legend, things, marks } = scene;
  if (legend.length > LEGEND_MAX || legend.some((name) => name.includes('\n'))) return null;
  return {
    box: [width, height, origin.x, origin.y],
    legend: tables.text(legend.join('\n')),
    cells: tables.cells(scene),
    things: things.flatMap(({ id, name, sprite, layer, x, y }) => [
      tables.thing([id, name, sprite, layer]),
      x,
      y,
    ]),
    marks,
  };
}

/** One character per cell: its ground and whether it is visible. */
export function packCells({ width, height, ground, visibility }: Scene): string {
  const codes = new Uint16Array(width * height);
  for (let i = 0; i < codes.length; i++)
    codes[i] = FIRST_CODE + (at(ground, i) + 1) * VISIBILITIES + (visibility[i] ?? UNKNOWN);
  return new TextDecoder('utf-16le').decode(codes);
}

export function unpackScene(
  packed: PackedScene,
  tables: { texts: readonly string[]; things: readonly PackedThing[] },
): Scene {
  const [width, height, x, y] = packed.box;
  const text = at(tables.texts, packed.cells);
  const ground: number[] = [];
  const visibility: Visibility[] = [];
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i) - FIRST_CODE;
    ground.push(Math.floor(code / VISIBILITIES) - 1);
    visibility.push((code % VISIBILITIES) as Visibility);
  }
  const legend = at(tables.texts, packed.legend);
  const things: Scene['things'][number][] = [];
  for (let i = 0; i < packed.things.length; i += 3) {
    const [id, name, sprite, layer] = at(tables.things, at(packed.things, i));
    things.push({ id, name, sprite, layer, x: at(packed.things, i + 1), y: at(packed.things, i + 2) });
  }
  return {
    width,
    height,
    origin: { x, y },
    legend: legend === '' ? [] : legend.split('\n'),
    ground,
    visibility,
    things,
    marks: packed.marks,
  };
}

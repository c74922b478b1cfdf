/**
 * A small scenario that tests break in one place at a time, and a loader that answers with what was found. Sprites and actions are
 * those that the shipped scenarios may use.
 */
import { readFileSync } from 'node:fs';
import type { Diagnostic } from '../../src/base/errors.js';
import { ScenarioError } from '../../src/base/errors.js';
import type { LoadOptions, LoadedScenario } from '../../src/scenario/load.js';
import { loadScenario } from '../../src/scenario/load.js';
import type { SpriteNames } from '../../src/scenario/world.js';
import { READERS } from '../../src/worlds/registry.js';

export const BASE = `title: Test
map: |
  #########
  #...#...#
  #.A.+.k.#
  #...#...#
  #########
legend:
  A: { agent: ann }
  +: { door: gate }
  k: { thing: small-key }
rooms:
  west: { area: [1, 1, 3, 3] }
  east: { area: [5, 1, 3, 3] }
doors:
  gate: { key: small-key }
things:
  small-key: { kind: key }
agents:
  - id: ann
    sprite: knight
`;

const ACTIONS = [
  'GO',
  'TAKE',
  'DROP',
  'PUSH',
  'USE',
  'OPEN',
  'CLOSE',
  'LOOK',
  'READ',
  'GIVE',
  'WAIT',
  'SPEAK',
  'ANNOUNCE',
  'DONE',
];

/** Names in the project's tileset. */
export function ownSprites(): SpriteNames {
  const manifest: { tiles: Record<string, { desc: string }>; classes: object } = JSON.parse(
    readFileSync('assets/tileset.json', 'utf8'),
  );
  return {
    tiles: new Set(Object.keys(manifest.tiles)),
    classes: new Set(Object.keys(manifest.classes)),
    descriptions: new Map(Object.entries(manifest.tiles).map(([name, { desc }]) => [name, desc])),
    manifest: null,
  };
}

const CLASSES = ['floor', 'wall', 'water', 'grass', 'wood-floor', 'dirt', 'chasm', 'hedge'];

const TILES = [
  'door/wood-open',
  'door/wood-closed',
  'door/wood-locked',
  'door/iron-open',
  'door/iron-closed',
  'door/iron-locked',
  'door/gate-open',
  'door/gate-closed',
  'door/gate-locked',
  'figure/knight',
  'figure/wizard',
  'figure/rat',
  'figure/guard',
  'item/key-brass',
  'item/scroll',
  'item/chest-open',
  'item/chest-closed',
  'item/bread',
  'furniture/boulder',
  'furniture/table',
  'furniture/lever-off',
  'furniture/notice-board',
];

const DESCRIPTIONS = new Map([
  ['item/key-brass', 'Brass key'],
  ['door/wood-closed', 'Closed wooden door'],
  ['figure/rat', 'Rat: brown fur'],
  ['furniture/lever-off', 'Lever with a red knob'],
]);

export const SPRITES: SpriteNames = {
  tiles: new Set(TILES),
  classes: new Set(CLASSES),
  descriptions: DESCRIPTIONS,
  manifest: null,
};

export interface Setup extends Partial<LoadOptions> {
  variables?: Readonly<Record<string, string>>;
  files?: Readonly<Record<string, string>>;
  path?: string;
  /** Instead of `files`. */
  readFile?: (name: string) => Uint8Array;
}

export function load(
  content: string | Uint8Array,
  { variables = {}, files = {}, path = 'test.yaml', readFile, ...options }: Setup = {},
): LoadedScenario {
  const readGiven = (name: string): Uint8Array => {
    const text = files[name];
    if (text === undefined) throw new Error('there is no such file');
    return new TextEncoder().encode(text);
  };
  return loadScenario({ path, content, readFile: readFile ?? readGiven }, (name) => variables[name], {
    worlds: READERS,
    known: { sprites: SPRITES, actions: ACTIONS },
    ...options,
  });
}

/** What was found, errors and warnings; any other error than ScenarioError is passed on. */
export function diagnose(content: string | Uint8Array, setup: Setup = {}): readonly Diagnostic[] {
  try {
    return load(content, setup).warnings;
  } catch (error) {
    if (error instanceof ScenarioError) return error.diagnostics;
    throw error;
  }
}

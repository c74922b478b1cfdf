/**
 * Names of tiles in a scenario, for every world: a name is looked up in the tileset as written or within the
 * given groups, and an unknown one is reported, with a similar tile as the suggestion.
 */
import { z } from 'zod';
import { compareText } from '../base/ids.js';
import { nearest } from '../base/nearest.js';
import type { MistakePlace, MistakeReport } from './report.js';
import type { KnownNames } from './world.js';

/** What every world's reader needs to look up a tile. */
export interface SpriteReading {
  known: KnownNames;
  report: MistakeReport;
}

/** A syntactically valid name of a tile. */
export const spriteSchema = z.string().regex(/^[a-z0-9][a-z0-9/_.-]{0,63}$/, 'is not the name of a tile');

/** The name of a tile in the tileset: as given, or within one of the groups; an unknown one is reported. */
export function spriteOf(
  reading: SpriteReading,
  name: string,
  options: { groups: readonly string[]; at: MistakePlace },
): string {
  const { sprites } = reading.known;
  const inGroups = options.groups.map((group) => `${group}/${name}`);
  const candidates = name.includes('/') || inGroups.length === 0 ? [name] : inGroups;
  if (sprites === null) return candidates[0] ?? name;
  const found = [...candidates, name].find((each) => sprites.tiles.has(each));
  if (found === undefined) reportSprite(reading, name, { known: [...sprites.tiles], ...options });
  return found ?? name;
}

/**
 * The tile with the name of an id, if no sprite is given; if there is no such tile, the missing sprite is
 * reported.
 */
export function defaultSprite(
  reading: SpriteReading,
  id: string,
  { groups, at }: { groups: readonly string[]; at: MistakePlace },
): string {
  const { sprites } = reading.known;
  const found = groups.map((group) => `${group}/${id}`).find((each) => sprites?.tiles.has(each));
  if (found !== undefined || sprites === null) return found ?? `${groups[0] ?? ''}/${id}`;
  const isThing = groups.includes('item');
  reading.report.error(at, `${id} has no sprite, and the tileset has no tile '${id}'`, () => {
    const similar = nearestTile(id, { known: [...sprites.tiles], groups });
    const write = isThing
      ? "write 'sprite: TILE', or a kind that has one, such as 'kind: key'"
      : `set 'sprite' to one of the figures listed in ${sprites.manifest ?? BUILT_IN_MANIFEST}`;
    return similar === undefined ? write : `${write}; did you mean '${similar}'?`;
  });
  return id;
}

/** The sprite of a ground: a class of the tileset or a tile; an unknown one is reported. */
export function groundOf(reading: SpriteReading, name: string, at: MistakePlace): string {
  const { sprites } = reading.known;
  if (sprites === null || sprites.classes.has(name) || sprites.tiles.has(name)) return name;
  reportSprite(reading, name, { known: [...sprites.classes, ...sprites.tiles], groups: [], at });
  return name;
}

interface NameLookup {
  known: readonly string[];
  /** Groups that fit here: their tiles are suggested first. */
  groups: readonly string[];
  at: MistakePlace;
}

function reportSprite(
  { known: { sprites }, report }: SpriteReading,
  name: string,
  { known, groups, at }: NameLookup,
): void {
  const isClass = sprites?.classes.has(name) === true;
  const message = isClass
    ? `'${name}' is a ground class, but a tile is needed`
    : `the tileset has no tile '${name}'`;
  report.error(at, message, () => {
    const similar = nearestTile(name, { known, groups });
    if (similar !== undefined) return `did you mean '${similar}'?`;
    return listFitting(known, groups) ?? describeManifest(sprites?.manifest ?? null);
  });
}

const BUILT_IN_MANIFEST = 'assets/tileset.json';

function describeManifest(manifest: string | null): string {
  const builtIn = `${BUILT_IN_MANIFEST} lists the tiles, and docs/pictures/tiles.png shows them`;
  return manifest === null ? builtIn : `${manifest} lists the tiles`;
}

/** A hint that lists the tiles of the fitting groups; undefined if there are too many of them. */
function listFitting(known: readonly string[], groups: readonly string[]): string | undefined {
  const fitting = known.filter((tile) => groups.some((group) => tile.startsWith(`${group}/`)));
  const isShort = fitting.length > 0 && fitting.length <= 50;
  if (!isShort) return undefined;
  return `known: ${fitting.map(shortName).toSorted(compareText).join(', ')}`;
}

/**
 * The tile that was probably intended, compared by the part after the group's name: the same word in any
 * group, otherwise a similar word, or one that contains it, in the fitting groups.
 */
function nearestTile(
  name: string,
  { known, groups }: { known: readonly string[]; groups: readonly string[] },
): string | undefined {
  const word = shortName(name);
  const sameWord = known.find((tile) => shortName(tile) === word);
  if (sameWord !== undefined) return sameWord;
  const group = name.slice(0, name.length - word.length);
  const inWrittenGroup = known.filter((tile) => group !== '' && tile.startsWith(group));
  const inFittingGroups = known.filter((tile) => groups.some((one) => tile.startsWith(`${one}/`)));
  // Short words have many neighbours, so a different first letter means another word. Within the right group,
  // two edits may be a typing mistake.
  const startsAlike = (tile: string): boolean => shortName(tile).charAt(0) === word.charAt(0);
  const findSimilar = (tiles: readonly string[], edits?: number): string | undefined => {
    const nearestWord = nearest(word, tiles.map(shortName), edits);
    return tiles.find((tile) => shortName(tile) === nearestWord);
  };
  const candidates =
    inWrittenGroup.length > 0 ? inWrittenGroup : groups.length === 0 ? known : inFittingGroups;
  const containing = candidates.find((tile) => shortName(tile).split('-').includes(word));
  if (word.length >= 5) return findSimilar(candidates) ?? containing;
  const similarStart = findSimilar(candidates.filter(startsAlike)) ?? containing;
  return similarStart ?? (word.length < 4 ? undefined : findSimilar(inWrittenGroup.filter(startsAlike), 2));
}

function shortName(tile: string): string {
  return tile.slice(tile.lastIndexOf('/') + 1);
}

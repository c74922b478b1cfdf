/**
 * A legend entry to suggest for something without a position: an unused character. An undefined character of
 * the map that resembles the missing thing was probably meant. No character is suggested twice, because
 * several things may lack a position.
 */
import type { GridMap, PlacedKind } from './map.js';

const LETTERS = Array.from('abcdefghijklmnopqrstuvwxyz');
const SPARE = Array.from('123456789*!?$&@^;<>');
const DOORS = ['+', '/', '|', '%', '='];

/** `under legend: 'k': {thing: iron-key}`, with a character that is free. */
export function legendSuggestion(map: GridMap, kind: PlacedKind, id: string): string {
  const character = characterFor(map, kind, id);
  map.taken.add(character);
  map.idle.delete(character);
  return `under legend: '${character}': {${kind}: ${id}}`;
}

function characterFor(map: GridMap, kind: PlacedKind, id: string): string {
  const [first, ...rest] = id.replace(/[^a-z]/g, '');
  const initials = first === undefined ? [] : [first, first.toUpperCase()];
  const likely = [
    ...(kind === 'door' ? DOORS : []),
    ...(kind === 'agent' ? initials.toReversed() : initials),
  ];
  const capitals = LETTERS.map((letter) => letter.toUpperCase());
  const all = [...likely, ...rest, ...LETTERS, ...capitals, ...SPARE];
  return (
    likely.find((each) => map.idle.has(each)) ??
    all.find((each) => !map.taken.has(each)) ??
    // A map that uses all of them has room for letters of other scripts.
    String.fromCharCode(0x3b1 + map.taken.size)
  );
}

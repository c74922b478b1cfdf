/**
 * Suggests a legend entry for something without a position. A character of the map that no legend defines and
 * that is the initial of its id is preferred, because it was probably meant for it; otherwise an unused
 * character. No character is suggested twice, because several things may lack a position.
 */
import type { GridMap, PlacedKind } from './map.js';

const LETTERS = Array.from('abcdefghijklmnopqrstuvwxyz');
const SPARE = Array.from('123456789*!?$&@^;<>');
const DOORS = ['+', '/', '|', '%', '='];

/** Such as `under legend: 'k': {thing: iron-key}`; marks the character as used. */
export function legendSuggestion(map: GridMap, kind: PlacedKind, id: string): string {
  const [first, ...otherLetters] = id.replace(/[^a-z]/g, '');
  const initials = first === undefined ? [] : [first, first.toUpperCase()];
  const preferred = [
    ...(kind === 'door' ? DOORS : []),
    ...(kind === 'agent' ? initials.toReversed() : initials),
  ];
  const capitals = LETTERS.map((letter) => letter.toUpperCase());
  const candidates = [...preferred, ...otherLetters, ...LETTERS, ...capitals, ...SPARE];
  const character =
    preferred.find((each) => map.undefinedCharacters.has(each)) ??
    candidates.find((each) => !map.usedCharacters.has(each)) ??
    // All of them are used: Greek letters from alpha on.
    String.fromCharCode(0x3b1 + map.usedCharacters.size);
  map.usedCharacters.add(character);
  map.undefinedCharacters.delete(character);
  return `under legend: '${character}': {${kind}: ${id}}`;
}

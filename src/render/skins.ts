/**
 * Skins: other appearances of the same floors and walls, chosen by a number. A manifest lists ground classes
 * that may replace each other; a skin shifts every class of a list by the same number. So distinct classes
 * stay distinct, and classes in no list stay unchanged. Number 0 is the tileset's own appearance.
 */
import { nearest } from '../base/nearest.js';
import { known } from '../base/assert.js';
import { addMistake, isAbsent, readItems, readMembers, readText } from './checks.js';
import type { CheckedValue } from './checks.js';
import type { ClassEntry } from './classes.js';

/** Lists of names of classes; each name is in at most one list, once. */
export type Skins = readonly (readonly string[])[];

type ClassTable = ReadonlyMap<string, ClassEntry>;

const LENGTH_MAX = 64;

export function readSkins(node: CheckedValue, classes: ClassTable): Skins {
  if (isAbsent(node)) return [];
  const listed = new Set<string>();
  return readMembers(node).map(([, list]) => readList(list, classes, listed));
}

function readList(node: CheckedValue, classes: ClassTable, listed: Set<string>): readonly string[] {
  const names = readItems(node, LENGTH_MAX).map((item) => readName(item, classes, listed));
  const kinds = new Set(names.map((name) => classes.get(name)?.kind).filter((kind) => kind !== undefined));
  if (names.length < 2) addMistake(node, 'a list needs at least two classes that can replace each other');
  if (kinds.size > 1)
    addMistake(node, `only classes of one kind can replace each other, not ${[...kinds].join(' and ')}`);
  return names;
}

function readName(node: CheckedValue, classes: ClassTable, listed: Set<string>): string {
  const name = readText(node, 60);
  if (name === '') return name;
  const entry = classes.get(name);
  if (entry === undefined) {
    const closest = nearest(name, classes.keys());
    const suggestion = closest === undefined ? 'add it under "classes"' : `did you mean "${closest}"?`;
    addMistake(node, `there is no class "${name}"`, suggestion);
  } else if (entry.under !== null)
    addMistake(node, `"${name}" is drawn on top of another class, so it can't replace a class`);
  if (listed.has(name)) addMistake(node, `"${name}" is listed twice`);
  listed.add(name);
  return name;
}

/**
 * The classes as the skin shows them, `number` ≥ 0. The digits of the number, one per list, determine how far
 * each list moves. A list also moves by as much as the previous one, so that small numbers already change all
 * lists and consecutive numbers always look different.
 */
export function skinnedClasses(classes: ClassTable, skins: Skins, number: number): ClassTable {
  const skinned = new Map(classes);
  let remaining = number;
  let offset = 0;
  for (const list of skins) {
    offset += remaining % list.length;
    remaining = Math.floor(remaining / list.length);
    for (const [i, name] of list.entries()) {
      const replacement = known(list[(i + offset) % list.length], 'a class of the list');
      skinned.set(name, known(classes.get(replacement), `class ${replacement}`));
    }
  }
  return skinned;
}

/** The default name of something that has no name in the scenario. */

/** `brass-key` as a name: "brass key". */
export function nameFromId(id: string): string {
  return id.replaceAll(/[-_]+/g, ' ').trim();
}

/** An agent's id as a proper name, which needs no article: `little-john` is "Little John". */
export function properNameFromId(id: string): string {
  return nameFromId(id).replaceAll(/(?<=^| )[a-z]/g, (letter) => letter.toUpperCase());
}

/** The kind of a scenario that names no environment. */
export const DEFAULT_WORLD = 'grid';

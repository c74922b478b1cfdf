/**
 * Templates: text with `{{name}}` places. No logic, no code: a place is filled with a text or list of lines; a line that
 * holds nothing but places that are all empty is left out, and so are blank lines doubled by that. A template may come from a
 * scenario, so it is untrusted: what it names is looked up, what is filled in is not looked at again.
 */
const PLACE = /\{\{([a-z_]+)\}\}/g;

/** Whatever stands in double braces, well written or not. */
const BRACES = /\{\{([^{}\n]*)\}\}/g;

export type Places = Readonly<Record<string, string>>;

/** What stands in double braces, as written, and the offset of the first brace: for checking a template against what exists. */
export interface WrittenPlace {
  readonly name: string;
  readonly offset: number;
}

export function placesIn(template: string): readonly WrittenPlace[] {
  return [...template.matchAll(BRACES)].map(({ 1: name = '', index }) => ({ name, offset: index }));
}

/** A name that `places` lacks is filled with nothing. */
export function fillTemplate(template: string, places: Places): string {
  const lines = template
    .split('\n')
    .filter((line) => !isEmptied(line, places))
    .map((line) => line.replace(PLACE, (_, name: string) => valueOf(places, name)));
  return lines
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

function valueOf(places: Places, name: string): string {
  return Object.hasOwn(places, name) ? (places[name] ?? '') : '';
}

function isEmptied(line: string, places: Places): boolean {
  const names = [...line.matchAll(PLACE)].map((match) => match[1] ?? '');
  const isBare = names.length > 0 && line.replace(PLACE, '').trim() === '';
  return isBare && names.every((name) => valueOf(places, name) === '');
}

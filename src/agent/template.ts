/**
 * Templates: text with `{{name}}` places. No logic, no code: a place is filled with a text or list of lines; a line that
 * holds nothing but places that are all empty is left out, and so are blank lines doubled by that. A template may come from a
 * scenario, so it is untrusted: what it names is looked up, what is filled in is not looked at again.
 */
const PLACE = /\{\{([a-z_]+)\}\}/g;

export type Places = Readonly<Record<string, string>>;

/** The names of places in a template, for checking it against what exists. */
export function placesIn(template: string): readonly string[] {
  return [...new Set([...template.matchAll(PLACE)].map((match) => match[1] ?? ''))];
}

export function fillTemplate(template: string, places: Places): string {
  const lines = template
    .split('\n')
    .filter((line) => !isEmptied(line, places))
    .map((line) => line.replace(PLACE, (_, name: string) => places[name] ?? ''));
  return lines
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

function isEmptied(line: string, places: Places): boolean {
  const names = placesIn(line);
  return names.length > 0 && line.replace(PLACE, '').trim() === '' && names.every((name) => !places[name]);
}

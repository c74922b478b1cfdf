/**
 * Templates: text with `{{name}}` places. No logic, no code: a place is filled with a text or list of lines; a line that
 * holds nothing but places that are all empty is left out, and so are blank lines doubled by that. A template may come from a
 * scenario, so it is untrusted: what it names is looked up, what is filled in is not looked at again.
 */
import { lookUp } from './look-up.js';
const PLACE = /\{\{([a-z_]+)\}\}/g;

/** Any text in double braces, well-formed or not. */
const BRACES = /\{\{([^{}\n]*)\}\}/g;

export type TemplateValues = Readonly<Record<string, string>>;

/**
 * The text in double braces, as written, and the offset of the first brace: for checking a template against
 * the known placeholders.
 */
export interface WrittenPlace {
  readonly name: string;
  readonly offset: number;
}

export function placesIn(text: string): readonly WrittenPlace[] {
  return [...text.matchAll(BRACES)].map(({ 1: name = '', index }) => ({ name, offset: index }));
}

/** A line of a template: texts and names of places by turns, beginning and ending with a text. */
interface TemplateLine {
  readonly pieces: readonly string[];
  /** It holds nothing but places: where all of them are empty it is left out. */
  readonly isBare: boolean;
}

/** A template that is filled time and again: taken apart once. A name that the places lack is filled with nothing. */
export function template(text: string): (places: TemplateValues) => string {
  const lines = text.split('\n').map(lineOf);
  return (places) =>
    lines
      .filter((line) => !isEmptied(line, places))
      .map(({ pieces }) => pieces.map((piece, i) => (i % 2 === 0 ? piece : valueOf(places, piece))).join(''))
      .join('\n')
      .replace(/\n{3,}/g, '\n\n')
      .trim();
}

export function fillTemplate(text: string, places: TemplateValues): string {
  return template(text)(places);
}

function lineOf(line: string): TemplateLine {
  const pieces = line.split(PLACE);
  const isBare = pieces.length > 1 && pieces.every((piece, i) => i % 2 === 1 || piece.trim() === '');
  return { pieces, isBare };
}

function isEmptied({ pieces, isBare }: TemplateLine, places: TemplateValues): boolean {
  return isBare && pieces.every((piece, i) => i % 2 === 0 || valueOf(places, piece) === '');
}

function valueOf(places: TemplateValues, name: string): string {
  return lookUp(places, name) ?? '';
}

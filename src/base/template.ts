/**
 * Templates: text with `{{name}}` placeholders. There is no logic and no code: a placeholder is replaced by a
 * text or a list of lines. A line that contains only empty placeholders is left out, and so are the double
 * blank lines that this would leave. A template may come from a scenario, so it is untrusted: names are
 * looked up safely, and inserted text is not expanded again.
 */
import { lookUp } from './look-up.js';
const PLACEHOLDER = /\{\{([a-z_]+)\}\}/g;

/** Any text in double braces, well-formed or not. */
const BRACES = /\{\{([^{}\n]*)\}\}/g;

export type TemplateValues = Readonly<Record<string, string>>;

/**
 * The text in double braces, as written, and the offset of the first brace: for checking a template against
 * the known placeholders.
 */
export function placeholdersIn(text: string): readonly { name: string; offset: number }[] {
  return [...text.matchAll(BRACES)].map(({ 1: name = '', index }) => ({ name, offset: index }));
}

/** A line of a template: texts and names of placeholders alternate, beginning and ending with a text. */
interface TemplateLine {
  pieces: readonly string[];
  /** Contains only placeholders: if all of them are empty, the line is left out. */
  isBare: boolean;
}

/**
 * A template that is filled repeatedly, so it is parsed once. A name without a value is replaced by nothing.
 */
export function template(text: string): (values: TemplateValues) => string {
  const lines = text.split('\n').map(lineOf);
  return (values) =>
    lines
      .filter((line) => !isEmptied(line, values))
      .map(({ pieces }) => pieces.map((piece, i) => (i % 2 === 0 ? piece : valueOf(values, piece))).join(''))
      .join('\n')
      .replace(/\n{3,}/g, '\n\n')
      .trim();
}

export function fillTemplate(text: string, values: TemplateValues): string {
  return template(text)(values);
}

function lineOf(line: string): TemplateLine {
  const pieces = line.split(PLACEHOLDER);
  const isBare = pieces.length > 1 && pieces.every((piece, i) => i % 2 === 1 || piece.trim() === '');
  return { pieces, isBare };
}

function isEmptied({ pieces, isBare }: TemplateLine, values: TemplateValues): boolean {
  return isBare && pieces.every((piece, i) => i % 2 === 0 || valueOf(values, piece) === '');
}

function valueOf(values: TemplateValues, name: string): string {
  return lookUp(values, name) ?? '';
}

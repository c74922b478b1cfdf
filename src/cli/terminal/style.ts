/**
 * Colour and width for a terminal. Colours are used only if a person is watching and NO_COLOR is not set
 * (FORCE_COLOR enables them); otherwise the same words are plain text. Text that must not break or overflow a
 * line is made one line of limited width; `TextOutput` removes invisible characters.
 */
import { inspect } from 'node:util';
import type { styleText } from 'node:util';
import { cutText, escapeInvisible, oneLine } from '../../base/text.js';
import type { Io } from './io.js';
import { ownCode } from './text-output.js';
import type { TextOutput } from './text-output.js';

export type Paint = (format: Parameters<typeof styleText>[0], text: string) => string;

export function painter(io: Io, output: TextOutput): Paint {
  const forced = io.env['FORCE_COLOR'] !== undefined && io.env['FORCE_COLOR'] !== '0';
  const plain = io.env['NO_COLOR'] !== undefined && io.env['NO_COLOR'] !== '';
  if (plain || !(output.isTerminal || forced)) return (_, text) => text;
  return (format, text) => {
    if (text === '') return '';
    const codes = [format].flat().flatMap((look) => [inspect.colors[look] ?? []]);
    const sgr = (code: number | undefined): string => (code === undefined ? '' : ownCode(`\u001b[${code}m`));
    const begin = codes.map(([on]) => sgr(on));
    const end = codes.toReversed().map(([, off]) => sgr(off));
    return `${begin.join('')}${text}${end.join('')}`;
  };
}

/** One safe line, cut to a width in characters. */
export function fit(text: string, columns: number): string {
  return oneLine(text, Math.max(1, columns));
}

/** What `--json` prints: on one line, and safe in a terminal too. */
export function jsonText(value: unknown): string {
  return escapeInvisible(JSON.stringify(value));
}

/** Display names by id, safe for a line. */
export function displayNames(
  agents: readonly { id: string; name: string }[],
): Readonly<Record<string, string>> {
  return Object.fromEntries(agents.map(({ id, name }) => [id, oneLine(name)]));
}

/** For one line of untrusted text. */
const LINE_CHARACTERS = 4000;

/** Several lines of limited length; line breaks and spaces are kept. */
export function cutLines(text: string): string {
  return text
    .split(/\r\n|\r|\n/)
    .map((line) => cutText(line, LINE_CHARACTERS))
    .join('\n');
}

export function pad(text: string, columns: number): string {
  return text.length >= columns ? text : text + ' '.repeat(columns - text.length);
}

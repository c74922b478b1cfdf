/** Rows of mistakes: a scenario that is wrong in one place, what must be told, and where. */
import { describe, expect, test } from 'vitest';
import { BASE, diagnose } from './support.js';

/** [the scenario, part of the message (or of the suggestion after `→`), line:column] */
export type Row = readonly [text: string, message: string, place: string];

/** Lines after the base, which has 21. */
export const add = (text: string): string => `${BASE}${text}\n`;
export const swap = (from: string, to: string): string => {
  if (!BASE.includes(from)) throw new Error(`the base has no ${from}`);
  return BASE.replace(from, () => to);
};
export const agent = (text: string): string => swap('    sprite: knight', `    sprite: knight\n    ${text}`);
export const thing = (text: string): string =>
  swap('  small-key: { kind: key }', `  small-key: { kind: key }\n  ${text}`);
export const npc = (text: string): string => add(`npcs:\n  rat: { at: [1, 1], ${text} }`);

const SETUP = {
  variables: { WORD: 'word', MY_API_KEY: 'x' },
  env: ['WORD', 'EMPTY', 'UNSET', 'NOWHERE'],
  files: { 'bad.json': '{}', 'big.txt': 'x'.repeat(64_001) },
};

/** One test a row: the message stands at the place. */
export function testRows(tables: Readonly<Record<string, readonly Row[]>>): void {
  describe.each(Object.entries(tables))('%s', (_, rows) => {
    test.each(rows.map(([text, message, place]) => ({ text, message, place })))(
      '$place $message',
      ({ text, message, place }) => {
        const found = diagnose(text, SETUP);
        const told = found.map(
          (each) => `${each.line}:${each.column} ${each.message} → ${each.suggestion ?? ''}`,
        );
        const fitting = told.filter((each) => each.includes(message) && each.startsWith(`${place} `));
        expect(fitting, told.join('\n')).not.toEqual([]);
      },
    );
  });
}

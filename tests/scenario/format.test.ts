/** The format's documents follow from its schemas: the editor's schema, the tables of keys, and examples that load. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { keyRows, schemaText } from '../../src/scenario/schema-document.js';
import { withTables } from '../../src/scenario/schema-tables.js';
import { load } from './support.js';

const DOC = readFileSync('docs/SCENARIO.md', 'utf8');

test('the schema in the repository is the one that follows from the format', () => {
  expect(readFileSync('schema/scenario.schema.json', 'utf8')).toBe(schemaText());
});

test('the tables in docs/SCENARIO.md are those that follow from the format', () => {
  expect(withTables(DOC)).toBe(DOC);
});

test('every key has a meaning and stands in docs/SCENARIO.md', () => {
  const rows = keyRows();
  const listed = rows.filter(({ path }) => !path.startsWith('failure.'));
  expect(rows.length).toBeGreaterThan(140);
  for (const { path, description } of rows) expect(description, path).not.toBe('');
  for (const { path } of listed)
    expect(DOC, path).toMatch(
      new RegExp(
        `\\b${
          path
            .split('.')
            .at(-1)
            ?.replaceAll(/[^a-z_]/g, '') ?? ''
        }\\b`,
      ),
    );
});

const SNIPPETS = [...DOC.matchAll(/```yaml\n([\s\S]*?)```/g)].map((match) => match[1] ?? '');

/** The first example with its keys replaced by those of the fragment. */
function completed(fragment: string): string {
  const [whole = ''] = SNIPPETS;
  if (fragment === whole) return whole;
  const keys = new Set([...fragment.matchAll(/^([a-z]+):/gm)].map((match) => match[1]));
  // A map that is made stands instead of the one that is drawn.
  if (keys.has('generate')) for (const key of ['map', 'legend', 'doors']) keys.add(key);
  const kept = whole.split(/\n(?=[a-z]+:)/).filter((block) => !keys.has(/^([a-z]+):/.exec(block)?.[1] ?? ''));
  return `${kept.join('\n').trimEnd()}\n${fragment}`;
}

describe('examples in docs/SCENARIO.md', () => {
  test.each(SNIPPETS)('%s', (fragment) => {
    expect(load(completed(fragment), { known: {} }).scenario.title).toBe('The Locked Store');
  });
});

/**
 * The format's documents follow from its schemas: the editor's schema, the tables of keys, and examples that
 * load.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  batchKeyRows,
  batchSchemaText,
  scenarioSchemaOf,
  keyRows,
  worldKeyRows,
  schemaText,
} from '../../src/scenario/schema-document.js';
import { withTables } from '../../src/scenario/schema-tables.js';
import { gridWorld } from '../../src/worlds/grid/scenario/grid-world.js';
import { READERS } from '../../src/worlds/registry.js';
import { toolboxWorld } from '../../src/worlds/toolbox/scenario/toolbox-world.js';
import { workcellWorld } from '../../src/worlds/workcell/scenario/workcell-world.js';
import { load } from './support.js';

const DOC = readFileSync('docs/reference/scenario-format.md', 'utf8');

test('the schema in the repository is the one that follows from the format', () => {
  expect(readFileSync('schema/scenario.schema.json', 'utf8')).toBe(schemaText(READERS));
});

test('the same holds of a batch, whose every key has a meaning', () => {
  expect(readFileSync('schema/batch.schema.json', 'utf8')).toBe(batchSchemaText());
  const page = readFileSync('docs/reference/batch-file.md', 'utf8');
  expect(withTables(page, batchKeyRows())).toBe(page);
  for (const { path, description } of batchKeyRows()) expect(description, path).not.toBe('');
});

test('the tables in docs/reference/scenario-format.md are those that follow from the format', () => {
  expect(withTables(DOC, keyRows(gridWorld), gridWorld.tables)).toBe(DOC);
});

test('every key has a meaning and stands in docs/reference/scenario-format.md', () => {
  const rows = keyRows(gridWorld);
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

test('the schema asks for the keys of the world that a scenario names', () => {
  const schema = scenarioSchemaOf(READERS);
  expect(schema).toMatchObject({
    if: { properties: { environment: { const: 'workcell' } }, required: ['environment'] },
    // oxlint-disable-next-line unicorn/no-thenable -- a word of JSON Schema
    then: { properties: { car: {}, faults: {}, spares: {} }, required: ['title', 'agents'] },
    else: {
      if: { properties: { environment: { const: 'toolbox' } } },
      // oxlint-disable-next-line unicorn/no-thenable -- a word of JSON Schema
      then: { properties: { questions: {}, knowledge: {} }, required: ['title', 'agents'] },
      // A map is drawn or made: that it is one of the two, the loader tells.
      else: { properties: { map: {}, generate: {}, rooms: {} }, required: ['title', 'agents'] },
    },
  });
});

describe('docs/reference/workcell.md', () => {
  const page = readFileSync('docs/reference/workcell.md', 'utf8');
  const rows = worldKeyRows(workcellWorld);

  test('lists the keys of the workcell with what they mean', () => {
    expect(withTables(page, rows)).toBe(page);
    for (const { path, description } of rows) expect(description, path).not.toBe('');
    const names = rows.map(({ path }) => path.replace(/^\w+(?:\[\])?\./, ''));
    expect(names.filter((name) => !page.includes(`| \`${name}\` |`))).toEqual([]);
  });

  const [whole = '', ...more] = [...page.matchAll(/```yaml\n([\s\S]*?)```/g)].map((match) => match[1] ?? '');

  test.each([whole, ...more])('has an example that loads: %s', (example) => {
    const keys = /^(\w+):/.exec(example)?.[1] ?? '';
    const text =
      example === whole ? whole : `${whole.replace(new RegExp(`^${keys}:.*\n`, 'm'), '')}${example}`;
    expect(load(text, { known: {} }).scenario.environment).toBe('workcell');
  });
});

test('docs/reference/toolbox.md lists the keys of the toolbox with what they mean', () => {
  const page = readFileSync('docs/reference/toolbox.md', 'utf8');
  const rows = worldKeyRows(toolboxWorld);
  expect(withTables(page, rows)).toBe(page);
  for (const { path, description } of rows) expect(description, path).not.toBe('');
  expect(page).toContain('| `refused` |');
});

describe('examples in docs/reference/scenario-format.md', () => {
  test.each(SNIPPETS)('%s', (fragment) => {
    expect(load(completed(fragment), { known: {} }).scenario.title).toBe('The Locked Store');
  });
});

/** The data card's header: what the hub reads. Each table that it names is there, and has the rows that were written. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { HubConfig } from '../../src/export/card.js';
import { TABLES_FORMAT } from '../../src/export/export.js';
import { FORMATS } from '../../src/export/formats/formats.js';
import { orchestrate } from '../support/captured-io.js';
import { temporaryFolder } from '../support/folder.js';
import { PYTHON, readByPython } from './readers.js';
import { playInto } from './runs.js';

const cwd = temporaryFolder();
const ALL = [...FORMATS.map(({ name }) => name), TABLES_FORMAT.name];

interface Header {
  license: string;
  configs?: readonly HubConfig[];
}

interface Manifest {
  rows: number;
  files: readonly { name: string; rows: number }[];
}

beforeAll(async () => {
  await playInto(cwd, 'one', { seed: '1' });
  // Elsewhere, so that each has pictures that the other one lacks.
  const answers = { ann: ['ACTION: WAIT', 'ACTION: GO EAST', 'ACTION: GO EAST'], bob: ['ACTION: GO WEST'] };
  await playInto(cwd, 'two', { seed: '2', answers });
  // Columns that are empty in the split that is read first, whichever that is, and not in the other.
  const marks = [
    ['one.sqlite', '--correct', 'ACTION: WAIT'],
    ['two.sqlite', '--accept'],
  ] as const;
  for (const words of marks)
    expect((await orchestrate(['mark', ...words, '--step', '1'], { cwd })).code).toBe(0);
  for (const format of ALL) {
    const split = format === TABLES_FORMAT.name ? [] : ['--split', 'one_half=1,rest=1'];
    const args = ['export', 'one.sqlite', 'two.sqlite', '--format', format, '--out', format, ...split];
    expect((await orchestrate(args, { cwd })).code).toBe(0);
  }
});

function cardOf(format: string): { header: Header; body: string } {
  const [, header = '', body = ''] = readFileSync(join(cwd, format, 'README.md'), 'utf8').split(/^---\n/m);
  return { header: parse(header) as Header, body };
}

/** In all, or in one of the files where each is a table. */
function rowsOf(format: string, table: string): number | undefined {
  const { files, rows } = JSON.parse(readFileSync(join(cwd, format, 'export.json'), 'utf8')) as Manifest;
  if (format !== TABLES_FORMAT.name) return rows;
  return files.find(({ name }) => name === `${table}.parquet`)?.rows;
}

describe('a card', () => {
  it.each(ALL)('of %s claims no licence that nobody gave, and tells what is known', (format) => {
    const { header, body } = cardOf(format);
    expect(header.license).toBe('unknown');
    expect(body).toContain('## Licence');
    // Tables show no picture.
    const art = format === TABLES_FORMAT.name ? '' : 'Licence of the art in the pictures: CC0-1.0.';
    expect(body).toContain(art);
    expect(body).not.toMatch(/\| --- \|\n\n|of the pictures: none/);
    expect(body).toContain('`unknown` in the header of this file');
  });

  it('names files that are there, also where splits have names of their own', () => {
    for (const format of ALL)
      for (const { data_files: files } of cardOf(format).header.configs ?? [])
        for (const path of typeof files === 'string' ? [files] : files.map((one) => one.path))
          expect(path.includes('*') || existsSync(join(cwd, format, path)), `${format}: ${path}`).toBe(true);
  });
});

describe.skipIf(PYTHON === null)(
  "the hub's reader (node scripts/python-readers.mjs makes it)",
  { tags: ['long'] },
  () => {
    it.each(ALL)('finds the rows of %s by its card', async (format) => {
      const found = new Map<string, number>();
      for (const { answer } of await readByPython('hub', join(cwd, format))) {
        const [table = ''] = answer.split(' ');
        found.set(table, (found.get(table) ?? 0) + 1);
      }
      const names = (cardOf(format).header.configs ?? []).map((one) => one.config_name);
      expect([...found.keys()]).toEqual(names);
      for (const [table, rows] of found)
        if (table !== 'annotations') expect([table, rows]).toEqual([table, rowsOf(format, table)]);
    });
  },
);

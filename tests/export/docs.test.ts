/** docs/reference/data-sets.md names every column and every format, and every option of the command. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ALL_COLUMNS } from '../../src/export/columns.js';
import { FORMATS } from '../../src/export/formats/formats.js';
import { orchestrate } from '../support/captured-io.js';

const DOC = readFileSync('docs/reference/data-sets.md', 'utf8');

describe('docs/reference/data-sets.md', () => {
  it('tells of every column', () => {
    for (const { name, type, about } of ALL_COLUMNS)
      expect(DOC.replace(/ +/g, ' ')).toContain(`| \`${name}\` | ${type} | ${about} |`);
  });

  it('tells of every format', () => {
    for (const { name } of FORMATS) expect(DOC).toContain(`\n### ${name}\n`);
  });

  it('tells of every option', async () => {
    const { out } = await orchestrate(['export', '--help']);
    const options = [...out.matchAll(/^ +--([a-z-]+)/gm)].map(([, name]) => name ?? '');
    const shared = ['version', 'help', 'json'];
    for (const option of options.filter((name) => !shared.includes(name)))
      expect(DOC).toContain(`--${option}`);
  });
});

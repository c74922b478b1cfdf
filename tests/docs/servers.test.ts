/** The tables of servers in docs/reference/models.md are those of the program. Reads the build, which `npm test` makes first. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { CAPABILITIES, SERVER_KINDS, constraintWays } from '../../src/model/capabilities.js';
import { withServerTables } from '../../src/model/capabilities-doc.js';

const PAGE = readFileSync('docs/reference/models.md', 'utf8');

it('the page is current', () => {
  expect(withServerTables(PAGE)).toBe(PAGE);
  const run = spawnSync(process.execPath, ['scripts/servers-doc.mjs', '--check'], { encoding: 'utf8' });
  expect({ status: run.status, stderr: run.stderr }).toEqual({ status: 0, stderr: '' });
});

it('it has each of its tables once, and tells of every server in each', () => {
  const blocks = [...PAGE.matchAll(/<!-- servers: (\w+) -->([\s\S]*?)<!-- end -->/g)];
  expect(blocks.map(([, name]) => name)).toEqual(['start', 'differ', 'guided']);
  for (const [, , table = ''] of blocks)
    for (const kind of SERVER_KINDS) expect(table).toMatch(new RegExp(`\\| ${kind} \\|`));
  const guided = blocks[2]?.[2] ?? '';
  for (const kind of SERVER_KINDS)
    for (const { name } of constraintWays(kind)) expect(guided).toContain(`\`${name}\``);
  for (const { name } of Object.values(CAPABILITIES)) expect(blocks[1]?.[2]).toContain(`\`${name}\``);
});

it('a table that is not there is no table', () => {
  expect(() => withServerTables('<!-- servers: other -->\n<!-- end -->')).toThrow(/called other/);
  expect(withServerTables('<!-- servers: guided -->\nold\n<!-- end -->')).not.toContain('old');
});

/** What the start page shows is what a user sees. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { orchestrate } from '../support/captured-io.js';
import { temporaryFolder } from '../support/folder.js';

const PAGE = readFileSync('docs/index.md', 'utf8');

it('it shows a run as it is played', async () => {
  const shown =
    /```text\n\$ orchestrate run scenarios\/brass-key\.yaml --out run\.sqlite\n([\s\S]*?)```/.exec(PAGE);
  const cwd = temporaryFolder();
  const scenario = join(process.cwd(), 'scenarios/brass-key.yaml');
  const { code, out } = await orchestrate(['run', scenario, '--out', 'run.sqlite'], { cwd });
  expect(code).toBe(0);
  expect(shown?.[1]?.trimEnd()).toBe(out.trimEnd());
});

it('it shows what the knight is told', async () => {
  const shown = /```text\n(You are in the undercroft[\s\S]*?)```/.exec(PAGE);
  const { out } = await orchestrate(
    ['preview', 'scenarios/crypt.yaml', '--agent', 'knight', '--messages'],
    {},
  );
  expect(out).toContain(shown?.[1]?.trimEnd());
});

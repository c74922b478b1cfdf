/** A shipped scenario is opened by its name alone, in any folder; a file of the user's own comes first. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { orchestrate } from '../support/captured-io.js';
import { temporaryFolder } from '../support/folder.js';
import { corridor } from '../orchestrator/two-agents.js';

const checked = (name: string, cwd: string) => orchestrate(['check', name, '--effort', '0'], { cwd });

it('is found by its name in an empty folder', async () => {
  const { code, out } = await checked('brass-key', temporaryFolder());
  expect(code).toBe(0);
  expect(out).toMatch(/^ok brass-key: The Brass Key /);
});

it('gives way to a file of the same name', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'brass-key'), corridor());
  expect((await checked('brass-key', folder)).out).toMatch(/^ok brass-key: Corridor /);
});

it.each(['brass', '../scenarios/brass-key', 'files/brass-key', '', 'prompts/../brass-key'])(
  'is not found as %j',
  async (name) => {
    const { code, err } = await checked(name, temporaryFolder());
    expect(code).toBe(2);
    expect(err).toContain("can't be read");
  },
);

/** The package as pnpm installs it: every file has a second name, in a store. The shipped scenarios are read, the files of their agents too. */
import { cpSync, linkSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT, startProgram } from '../support/children.js';
import { temporaryFolder } from '../support/folder.js';

it('plays a shipped scenario whose agent reads files', async () => {
  const modules = join(temporaryFolder(), 'node_modules');
  const installed = join(modules, 'orchestrate-vlm');
  const store = join(modules, '.store');
  for (const folder of [installed, store]) mkdirSync(folder, { recursive: true });
  for (const part of ['package.json', 'dist', 'assets', 'scenarios'])
    cpSync(join(ROOT, part), join(installed, part), {
      recursive: true,
      filter: (path) => !path.startsWith(join(ROOT, 'dist', 'modules')),
    });
  const shared = readdirSync(join(installed, 'scenarios'), { recursive: true, withFileTypes: true });
  for (const [i, file] of shared.filter((entry) => entry.isFile()).entries())
    linkSync(join(file.parentPath, file.name), join(store, String(i)));
  for (const name of readdirSync(join(ROOT, 'node_modules')))
    if (!name.startsWith('.')) symlinkSync(join(ROOT, 'node_modules', name), join(modules, name));

  const program = join(installed, 'dist', 'cli', 'main.js');
  const words = ['run', join(installed, 'scenarios', 'files.yaml'), '--out', 'run.sqlite'];
  const { code, out, err } = await startProgram(words, { cwd: temporaryFolder(), program }).ended;
  expect([code, err]).toEqual([0, '']);
  expect(out).toContain('succeeded: the answer is right');
});

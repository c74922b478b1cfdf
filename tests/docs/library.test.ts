/** Every program in docs/LIBRARY.md runs against the built package as it stands, and prints what is written under it. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../support/folder.js';

const PROGRAMS = [
  ...readFileSync('docs/LIBRARY.md', 'utf8').matchAll(
    /^## ([^\n]+)\n(?:(?!^## )[\s\S])*?```js\n([\s\S]*?)```\n\n```text\n([\s\S]*?)```/gm,
  ),
].map(([, title = '', program = '', printed = '']) => ({ title, program, printed }));

const folder = temporaryFolder();
// A scope of its own, so that what lies above the folder does not matter.
writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}');
mkdirSync(join(folder, 'node_modules'));
symlinkSync(process.cwd(), join(folder, 'node_modules', 'orchestrate-vlm'));

it('are all found', () => {
  const blocks = readFileSync('docs/LIBRARY.md', 'utf8').match(/^```js$/gm);
  expect(PROGRAMS).toHaveLength(blocks?.length ?? 0);
});

it.each(PROGRAMS)('$title', ({ program, printed }) => {
  writeFileSync(join(folder, 'program.mjs'), program);
  const out = execFileSync(process.execPath, ['program.mjs'], { cwd: folder, encoding: 'utf8' });
  expect(out).toBe(printed);
});

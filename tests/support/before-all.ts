/**
 * Before the first test: builds dist/ where it is older than its sources and a test that runs needs it, and says which tests this machine skips.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import type { TestProject } from 'vitest/node';

/** Programs that some tests need, and what they test with them. */
const PROGRAMS: Readonly<Record<string, string>> = {
  chromium: 'pages in a browser',
  'redis-server': 'queues',
  tmux: 'a real terminal',
  openssl: 'TLS',
};

/** Starts a process, takes the command line, or serves what was built. */
const NEEDS_DIST = /child_process|\bdist\/|src\/cli\/|src\/view\/|src\/seat|src\/serve|src\/runner/;

export function setup({ vitest }: TestProject): void {
  const files = [...new Set(vitest.state.getPaths())];
  if (files.some((file) => needsDist(file)))
    execFileSync(process.execPath, ['scripts/fresh-build.mjs'], { stdio: 'inherit' });
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/bin'];
  for (const [program, tested] of Object.entries(PROGRAMS)) {
    if (!folders.some((folder) => existsSync(join(folder, program))))
      vitest.logger.log(`${program} is not installed: tests of ${tested} are skipped`);
  }
}

/** Whether a test file, or a module of the tests that it imports, does. */
function needsDist(file: string, seen = new Set<string>()): boolean {
  if (seen.has(file)) return false;
  seen.add(file);
  const text = readFileSync(file, 'utf8');
  if (NEEDS_DIST.test(text)) return true;
  const imported = [...text.matchAll(/ from '(\.\.?\/[^']+)\.js'/g)].map(
    ([, path = '']) => `${join(dirname(file), path)}.ts`,
  );
  return imported.some((path) => path.includes('/tests/') && existsSync(path) && needsDist(path, seen));
}

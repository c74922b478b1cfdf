/** In a run of `sabotage.config.ts`: only the tests whose names are asked for; the first that fails is enough. */
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as fc from 'fast-check';
import { beforeEach } from 'vitest';

const TESTS = fileURLToPath(new URL('..', import.meta.url));
const wantedTests = JSON.parse(process.env['SABOTAGE_TESTS'] ?? '{}') as Readonly<Record<string, string>>;

// Nobody reads the smallest example of a planted bug.
fc.configureGlobal({ ...fc.readConfigureGlobal(), endOnFailure: true });

const failedFiles = new Set<string>();

beforeEach(({ task, skip, onTestFailed }) => {
  const pattern = wantedTests[relative(TESTS, task.file.filepath)];
  if (pattern === undefined) throw new Error(`${task.file.filepath} is not in SABOTAGE_TESTS`);
  const wanted = new RegExp(pattern);
  const names: string[] = [];
  for (let at: { name: string; suite?: unknown } | undefined = task; at !== undefined; at = suiteOf(at)) {
    names.unshift(at.name);
  }
  if (failedFiles.has(task.file.filepath) || !wanted.test(names.join(' '))) skip();
  onTestFailed(() => void failedFiles.add(task.file.filepath));
});

function suiteOf({ suite }: { suite?: unknown }) {
  return suite as { name: string; suite?: unknown } | undefined;
}

/** How a hint calls the program: as the docs do, or by npx where that runs this program and no stranger's; never by a path. */
import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { programName } from '../../src/cli/terminal/io.js';
import { temporaryFolder } from '../support/folder.js';

const root = realpathSync(temporaryFolder());

/** A folder with packages as npm leaves them; how its own command is started. */
function installed(...path: readonly string[]): string {
  const packages = join(root, ...path, 'node_modules');
  const main = join(packages, 'orchestrate-vlm', 'dist', 'cli', 'main.js');
  mkdirSync(join(main, '..'), { recursive: true });
  mkdirSync(join(packages, '.bin'), { recursive: true });
  writeFileSync(main, '');
  const command = join(packages, '.bin', 'orchestrate');
  symlinkSync(main, command);
  return command;
}

function folder(...path: readonly string[]): string {
  mkdirSync(join(root, ...path), { recursive: true });
  return join(root, ...path);
}

const inProject = installed('project');
const fetched = installed('npm', '_npx', '1a2b');

describe('the program is called', () => {
  it.each([
    ['from anywhere, where a shell finds it', '/usr/local/bin/orchestrate', folder('empty'), 'orchestrate'],
    ['fetched by npx', fetched, folder('empty'), 'npx -p orchestrate-vlm orchestrate'],
    [
      'fetched by npx, in a project without it',
      fetched,
      folder('other', 'src'),
      'npx -p orchestrate-vlm orchestrate',
    ],
    ['in the project that has it', inProject, folder('project'), 'npx orchestrate'],
    ['below that project', inProject, folder('project', 'art', 'tiles'), 'npx orchestrate'],
    ['outside of it', inProject, folder('empty'), 'orchestrate'],
    ['in a clone', join(root, 'clone', 'dist', 'cli', 'main.js'), folder('clone'), 'orchestrate'],
  ])('%s', (_, started, cwd, name) => {
    expect(programName(started, cwd)).toBe(name);
  });

  it("without npx where the folder's own `orchestrate` is another program", () => {
    const stranger = folder('stranger');
    installed('stranger');
    expect(programName(inProject, stranger)).toBe('orchestrate');
  });

  it('without npx in a project of its own below the one that has it', () => {
    const inner = folder('project', 'inner');
    writeFileSync(join(inner, 'package.json'), '{}');
    expect(programName(inProject, inner)).toBe('orchestrate');
  });
});

/**
 * `init [folder]`: starts a project: a scenario, an action, its test, and a page that explains them. The
 * files are in `assets/project`, where our own tests run them. Existing files are never touched.
 */
import { closeSync, openSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { ownDependency, PACKAGE_NAME } from '../../assembly/own-package.js';
import type { Dependency } from '../../assembly/own-package.js';
import { StorageError, UsageError } from '../../base/errors.js';
import { systemWords } from '../../base/system-words.js';
import { makeFolder } from '../../log/folder.js';
import { PACKAGE_FOLDER } from '../../package/folders.js';
import { oneLine } from '../../base/text.js';
import { command } from '../options/command-line.js';
import { anyTextOr } from '../options/option.js';
import { fromCwd } from '../options/paths.js';

const TEMPLATES = join(PACKAGE_FOLDER, 'assets', 'project');

export const initCommand = command({
  examples: [['$0 init my-agents', 'creates the folder and prints the next steps']],
  arguments: { folder: anyTextOr('.', 'A new or empty folder') },
  options: {},
  run: async ({ folder }, io) => {
    const dependency = ownDependency();
    const names = createProject(fromCwd(io, folder), dependency);
    const cdLine = folder === '.' ? [] : [`  cd ${oneLine(folder)}`];
    const commands = [...cdLine, '  npm install', '  npm run play', '  npm test'];
    const { spec, reason } = dependency;
    io.out.write(`wrote ${names.join(', ')}\n`);
    io.out.write(`package.json installs ${PACKAGE_NAME} from ${oneLine(spec)}: ${reason}\n\n`);
    io.out.write(`now:\n${commands.join('\n')}\n\n`);
    io.out.write('then edit throw.mjs; README.md explains the files\n');
    return 0;
  },
});

/** The template is not called `package.json`, because that would turn its folder into a package. */
const PACKAGE = 'package.template.json';

/**
 * Writes the project and returns the names of its files. Throws UsageError if the path is not a folder or the
 * folder is not empty, StorageError if it can't be written.
 */
function createProject(folder: string, { spec }: Dependency): readonly string[] {
  const status = statSync(folder, { throwIfNoEntry: false });
  if (status?.isDirectory() === false)
    throw new UsageError(`can't create a project in ${folder}: it is a file`, ['choose another folder']);
  const entries = status === undefined ? [] : readdirSync(folder);
  if (entries.length > 0) {
    const examples = entries.slice(0, 3).join(', ');
    throw new UsageError(
      `${folder} is not empty: it contains ${examples}${entries.length > 3 ? ', …' : ''}`,
      ['choose a new folder, so that nothing is overwritten'],
    );
  }
  const createdPaths: string[] = [];
  try {
    createdPaths.push(...makeFolder(folder));
    const files = readdirSync(TEMPLATES).map((template) => {
      const content = readFileSync(join(TEMPLATES, template), 'utf8');
      if (template !== PACKAGE) return { name: template, content };
      const manifest = JSON.parse(content) as object;
      const dependencies = { [PACKAGE_NAME]: spec };
      const packageJson = { ...manifest, name: packageName(folder), dependencies };
      return { name: 'package.json', content: `${JSON.stringify(packageJson, null, 2)}\n` };
    });
    for (const { name, content } of files) {
      const path = join(folder, name);
      const file = openSync(path, 'wx');
      createdPaths.push(path);
      closeSync(file);
      writeFileSync(path, content);
    }
    return files.map(({ name }) => name);
  } catch (error) {
    for (const path of createdPaths.toReversed()) rmSync(path, { recursive: true, force: true });
    const isFull = error instanceof Error && 'code' in error && error.code === 'ENOSPC';
    throw new StorageError(`can't create a project in ${folder}: ${systemWords(error)}`, [
      isFull ? 'free space on that disk, or choose a folder on another disk' : 'choose another folder',
    ]);
  }
}

/** The folder's name, changed into a valid npm name. */
function packageName(folder: string): string {
  const name = basename(folder)
    .toLowerCase()
    .replace(/[^a-z0-9-]+/g, '-')
    .replace(/^-+|-+$/g, '');
  return name.slice(0, 100) || 'my-agents';
}

// Bundles the program, the package's two entry points and the scripts that run as processes of their own from dist/modules/ to dist/: a few large files load in a fraction of the
// time of a thousand small ones. All entries share their chunks, so that each class exists once in a process, also where a user's module imports the package.
import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const root = fileURLToPath(new URL('..', import.meta.url));

const ENTRIES = [
  'cli/main',
  'index',
  'conformance/index',
  'cli/batch-worker',
  'cli/log-worker',
  'assembly/guard',
];

/** Taken in, with what they import: packages without native parts that most commands need, and that are many files or large ones of which little is used. */
const TAKEN_IN = ['fraction.js', 'openai', 'rot-js', 'yaml', 'yargs', 'zod'];

/** With what it needs, in one file that `cli/main` opens before anything else: a process that may open few files still says so. */
const FIRST = /\/dist\/modules\/cli\/(?:play\/open-files|terminal\/io)\.js$/;

/** They ask for no more than their text beside the code, and a word about changes. */
const LICENCES = ['Apache-2.0', 'BSD-3-Clause', 'ISC', 'MIT'];
const CHANGES =
  'The code of these packages was changed: their files were joined, and what is not used was left out.';

/** The folder of the package that a file belongs to; null for our own. @param {string} file */
const packageOf = (file) =>
  /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file.replaceAll('\\', '/'))?.[0] ?? null;

/** @param {string} id @param {string | undefined} importer */
function isLeftOut(id, importer) {
  if (id.startsWith('node:')) return true;
  const isPath = id.startsWith('.') || id.startsWith(root);
  return !isPath && !TAKEN_IN.includes(id) && packageOf(importer ?? '') === null;
}

/** The name, version and licence of each package whose code is in the bundle. @param {readonly string[]} folders */
function licencesOf(folders) {
  return folders.map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const file = readdirSync(folder).find((one) => /^licen[cs]e/i.test(one));
    if (!LICENCES.includes(license) || file === undefined)
      throw new Error(`${name} can't be taken in: its licence is ${license}, in ${file ?? 'no file'}`);
    return `${name} ${version} (${license})\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`;
  });
}

const bundle = await rolldown({
  cwd: root,
  input: Object.fromEntries(ENTRIES.map((entry) => [entry, join(root, 'dist', 'modules', `${entry}.js`)])),
  platform: 'node',
  external: isLeftOut,
  resolve: {
    alias: {
      // Its files for `require` are one that can't be taken in parts.
      'rot-js': join(root, 'node_modules', 'rot-js', 'lib', 'index.js'),
      'string-width': join(root, 'scripts', 'help-width.mjs'),
    },
  },
  treeshake: { moduleSideEffects: [{ test: /node_modules\/rot-js\//, sideEffects: false }] },
  onLog: (level, log) => {
    if (level === 'warn') throw new Error(log.message);
  },
});
const { output } = await bundle.write({
  dir: join(root, 'dist'),
  format: 'es',
  entryFileNames: '[name].js',
  chunkFileNames: 'chunks/[name].js',
  codeSplitting: { groups: [{ name: 'first', test: FIRST }] },
});
const files = output.flatMap((one) => (one.type === 'chunk' ? one.moduleIds : []));
const packages = new Set(files.map(packageOf).filter((folder) => folder !== null));
const licences = licencesOf([...packages].sort());
const separator = `\n${'-'.repeat(80)}\n\n`;
writeFileSync(join(root, 'dist', 'THIRD-PARTY-LICENCES.txt'), [`${CHANGES}\n`, ...licences].join(separator));
// As npm does only when it installs: projects that take the program from this folder go on running it.
chmodSync(join(root, 'dist', 'cli', 'main.js'), 0o755);

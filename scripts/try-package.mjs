// Checks what the package exports, packs the project, installs the tarball in an empty folder and plays a shipped scenario with `npx orchestrate-vlm`,
// as a user would, looks at the run and makes a data set of it. Then begins a project of one's own, plays and tests that, and compiles a TypeScript consumer
// against the package's types. Exits non-zero, with what went wrong, when any of that fails.
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'orchestrate-package-'));

/** @param {string} command @param {string[]} args @param {string} cwd */
function run(command, args, cwd) {
  return execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
}

/** A strict TypeScript consumer of both doors compiles against the packed types. @param {string} project */
function tryTypes(project) {
  const compilerOptions = {
    module: 'nodenext',
    moduleResolution: 'nodenext',
    target: 'es2023',
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    types: [],
  };
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['consumer.ts'] }));
  copyFileSync(join(root, 'tests', 'fixtures', 'consumer.txt'), join(project, 'consumer.ts'));
  run(process.execPath, [join(root, 'node_modules', 'typescript', 'bin', 'tsc'), '-p', project], project);
}

try {
  // What is exported must be there and be read by others as it is meant; what is only worth a thought fails too.
  run('npx', ['publint', '--strict'], root);
  const packed = JSON.parse(run('npm', ['pack', '--json', '--pack-destination', folder], root));
  const [{ filename }] = packed;
  // The one package with an install script of its own, allowed as a user would have to.
  const manifest = { name: 'try', private: true, allowScripts: { 'better-sqlite3': true } };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  run('npm', ['install', '--no-audit', '--no-fund', `./${filename}`], folder);
  /** By the package's name, which npm turns into the name of its only program; never another package from a registry. @param {string[]} words */
  const npx = (...words) => run('npx', ['--no', '--', 'orchestrate-vlm', ...words], folder);
  if (!npx('--help').includes('run <scenario')) throw new Error('--help does not list the commands');
  const out = JSON.parse(npx('run', 'crypt', '--json', '--out', 'run.sqlite'));
  if (out.status !== 'succeeded') throw new Error(`the packed example ended "${out.status}": ${out.reason}`);
  if (!npx('show', 'run.sqlite').includes('succeeded'))
    throw new Error('show does not tell that the run succeeded');
  npx('view', 'run.sqlite', '--out', 'run.html');
  if (!readFileSync(join(folder, 'run.html'), 'utf8').includes('<html'))
    throw new Error('view did not write a page');
  npx('export', 'run.sqlite', '--format', 'trl', '--out', 'data');
  if (!existsSync(join(folder, 'data', 'README.md'))) throw new Error('export did not write a data set');
  // A harness plays it, by the client that comes with the package, in 30 lines as its user would write them.
  copyFileSync(join(root, 'tests', 'fixtures', 'harness.mjs'), join(folder, 'harness.mjs'));
  const won = run(process.execPath, ['harness.mjs'], folder);
  if (!won.includes('The run is over: succeeded.')) throw new Error(`the harness ended with ${won}`);
  const named = 'mcp:thirty-lines/1.0';
  if (!npx('verify', 'harness.sqlite').startsWith('ok')) throw new Error("the harness's log does not verify");
  for (const words of [['show'], ['report']])
    if (!npx(...words, 'harness.sqlite').includes(named))
      throw new Error(`${words[0]} does not name the harness`);
  npx('export', 'harness.sqlite', '--format', 'atif', '--out', 'traces');
  if (!readFileSync(join(folder, 'traces', 'train-00001-ranger.json'), 'utf8').includes(named))
    throw new Error('the trace does not name the harness');
  // A project of one's own, begun with the packed program: what it depends on is the tarball, since no registry has this version.
  const project = join(folder, 'project');
  npx('init', 'project');
  run('npm', ['install', '--no-audit', '--no-fund'], project);
  const played = run('npm', ['run', '--silent', 'play'], project);
  if (!played.includes('succeeded: Ben has the ball.'))
    throw new Error(`the new project ended with ${played}`);
  run('npm', ['test', '--silent'], project);
  tryTypes(project);
  console.log(`packed package plays: ${out.steps} steps, ${out.status}`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

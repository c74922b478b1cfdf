// Checks what the package exports, packs the project, installs the tarball in an empty folder and plays the example with its `orchestrate`,
// as a user would. Then begins a project of one's own with it, plays and tests that, and compiles a TypeScript consumer against its types.
// Exits non-zero, with what went wrong, when any of that fails.
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
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
  const [{ filename, files }] = packed;
  const stray = files.find(({ path }) =>
    /^(?:src|tests|bench(?!\/results\/)|scripts)\/|^dist\/modules\/.*\.js$|^dist\/compile-cache\//.test(path),
  );
  if (stray !== undefined) throw new Error(`the package holds ${stray.path}, which nobody needs`);
  // Their licences ask for it.
  if (!files.some(({ path }) => path === 'dist/THIRD-PARTY-LICENCES.txt'))
    throw new Error('the package lacks the licences of the packages whose code it holds');
  // What examples/served/conformance/client-grpc.mjs reads where it lies.
  for (const proto of ['orchestrate/world/v1/world.proto', 'grpc/health/v1/health.proto'])
    if (!files.some(({ path }) => path === `proto/${proto}`))
      throw new Error(`the package lacks proto/${proto}`);
  // The one package with an install script of its own, allowed as a user would have to.
  const manifest = { name: 'try', private: true, allowScripts: { 'better-sqlite3': true } };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  run('npm', ['install', '--no-audit', '--no-fund', `./${filename}`], folder);
  const bin = join(folder, 'node_modules', '.bin', 'orchestrate');
  const scenario = join(folder, 'node_modules', 'orchestrate-vlm', 'scenarios', 'crypt.yaml');
  const out = JSON.parse(run(bin, ['run', scenario, '--json', '--out', join(folder, 'run.sqlite')], folder));
  if (out.status !== 'succeeded') throw new Error(`the packed example ended "${out.status}": ${out.reason}`);
  const shown = run(bin, ['show', join(folder, 'run.sqlite')], folder);
  if (!shown.includes('succeeded')) throw new Error('show does not tell that the run succeeded');
  // A project of one's own, begun with the packed program: what it depends on is the tarball, since no registry has this version.
  const project = join(folder, 'project');
  run(bin, ['init', 'project'], folder);
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

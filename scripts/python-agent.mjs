/**
 * The Python package as its users get it: built as a wheel, installed into an empty virtual environment, and its tests run there against a
 * served world, and so do the API's checks. First its wire code is generated again and compared with the committed one.
 */
import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { agentPython, LEARNING, run } from './lib/python-agent.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const program = join(root, 'dist/cli/main.js');
const folder = mkdtempSync(join(tmpdir(), 'orchestrate-python-'));
/** The server that is running, if there is one. @type {import('node:child_process').ChildProcessByStdio<null, import('node:stream').Readable, null> | undefined} */
let server;
try {
  sameWire();
  const python = agentPython();
  const built = ['-m', 'build', '--no-isolation', '--outdir', folder, join(root, 'python')];
  run(python, built, { stdio: 'ignore' });
  const names = readdirSync(folder).filter((name) => /\.(?:whl|tar\.gz)$/.test(name));
  run(python, ['-m', 'twine', 'check', '--strict', ...names.map((name) => join(folder, name))]);
  const wheel = readdirSync(folder).find((name) => name.endsWith('.whl'));
  if (wheel === undefined) throw new Error('the Python package was not built');
  run('python3', ['-m', 'venv', join(folder, 'venv')]);
  const own = join(folder, 'venv/bin/python');
  run(own, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', join(folder, wheel)]);
  const address = await serve('run.sqlite');
  const env = { ...process.env, WORLD_ADDR: address };
  run(own, [join(root, 'python/tests/test_play.py'), '-v'], { env, cwd: folder, timeout: 120_000 });
  await over();
  run(process.execPath, [program, 'verify', join(folder, 'run.sqlite')]);
  const told = { ...process.env, ORCHESTRATE: `${process.execPath} ${program}` };
  run(own, [join(root, 'python/tests/test_errors.py'), '-v'], { env: told, cwd: folder, timeout: 300_000 });
  await playedByRunner();
  await checked(own);
  await berriesEaten();
  trained(own, join(folder, wheel));
  console.log(`python package plays: ${wheel}`);
} finally {
  server?.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
}

function sameWire() {
  const out = join(folder, 'wire');
  run('mkdir', [out]);
  run(process.execPath, [join(root, 'scripts/python-proto.mjs'), out]);
  for (const name of readdirSync(join(out, 'orchestrate_agent/wire'))) {
    const made = readFileSync(join(out, 'orchestrate_agent/wire', name), 'utf8');
    const kept = readFileSync(join(root, 'python/src/orchestrate_agent/wire', name), 'utf8');
    if (made !== kept) throw new Error(`${name} is not what proto/ generates: node scripts/python-proto.mjs`);
  }
}

/** A world in lockstep on a free port; resolves with its address. */
async function serve(log, name = 'crypt', options = ['--max-turns', '4']) {
  const scenario = join(root, `scenarios/${name}.yaml`);
  const words = ['--listen', '127.0.0.1:0', '--pace', 'lockstep', '--out', join(folder, log)];
  const started = spawn(process.execPath, [program, 'serve', scenario, ...words, ...options], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  server = started;
  let said = '';
  return new Promise((resolve, reject) => {
    started.stdout.on('data', (data) => {
      said += data;
      const [, address] = /^serving (\S+),/m.exec(said) ?? [];
      if (address !== undefined) resolve(address);
    });
    started.once('exit', () => reject(new Error(`the server ended: ${said}`)));
  });
}

/** The example of three entities, each kept running by the runner. */
async function playedByRunner() {
  // A program may take longer to start than the others to play the turns.
  const address = await serve('runner.sqlite', 'crypt', ['--max-turns', '4', '--wait', 'all']);
  const explorer = { program: join(root, 'examples/served/agent.py') };
  writeFileSync(join(folder, 'runner.yaml'), JSON.stringify({ world: address, agents: { explorer } }));
  // The program's `python3` is the one that has the package.
  const env = { ...process.env, PATH: `${join(folder, 'venv/bin')}:${process.env.PATH}` };
  run(process.execPath, [program, 'runner', 'runner.yaml', '--json'], { env, cwd: folder, timeout: 120_000 });
  await over();
  run(process.execPath, [program, 'verify', join(folder, 'runner.sqlite')]);
  const said = readFileSync(join(folder, 'agent-logs/knight.log'), 'utf8');
  if (!said.includes('FAILED the 4 turns are over')) throw new Error(`the example did not play: ${said}`);
}

/** The checks of the API by grpcio; the last one ends the run. */
async function checked(python) {
  const words = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check'];
  run(python, [...words, 'grpcio-health-checking==1.62.3']);
  const address = await serve('checks.sqlite', 'two-keepers', []);
  run(python, [join(root, 'examples/served/conformance/client_grpc.py'), address], { timeout: 120_000 });
  await over();
}

/** The eight entities of scenarios/berries.yaml, by the runner's file that ships with it: they win. */
async function berriesEaten() {
  const address = await serve('berries.sqlite', 'berries', ['--wait', 'all']);
  const shipped = readFileSync(join(root, 'examples/served/berries.runner.yaml'), 'utf8');
  writeFileSync(join(folder, 'berries.runner.yaml'), shipped.replace('127.0.0.1:50051', address));
  cpSync(join(root, 'examples/served/berry_eater.py'), join(folder, 'berry_eater.py'));
  const env = { ...process.env, PATH: `${join(folder, 'venv/bin')}:${process.env.PATH}` };
  run(process.execPath, [program, 'runner', 'berries.runner.yaml', '--json'], {
    env,
    cwd: folder,
    timeout: 180_000,
  });
  await over();
  run(process.execPath, [program, 'verify', join(folder, 'berries.sqlite')]);
  const said = readFileSync(join(folder, 'agent-logs/hazel.log'), 'utf8');
  if (!said.includes('SUCCEEDED Eight berries of each kind are eaten.'))
    throw new Error(`the berries were not eaten: ${said}`);
}

/** Training environments: the conformance tests of their libraries, and logs that hold what the learner was paid. */
function trained(python, wheelPath) {
  run(python, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', wheelPath, ...LEARNING]);
  const logs = join(folder, 'logs');
  mkdirSync(logs);
  const env = { ...process.env, LOGS: logs, ORCHESTRATE: `${process.execPath} ${program}` };
  run(python, [join(root, 'python/tests/test_rl.py'), '-v'], { env, cwd: folder, timeout: 300_000 });
  // The other adapters' tests skip themselves here: their packages are large (docs/how-to/train.md has the versions that they were tried with).
  for (const name of ['test_chat', 'test_trl'])
    run(python, [join(root, `python/tests/${name}.py`), '-v'], { env, cwd: folder, timeout: 300_000 });
  run(python, [join(root, 'python/tests/test_docs.py'), '-v'], { env, cwd: folder, timeout: 300_000 });
  const made = readdirSync(logs).filter((name) => name.endsWith('.sqlite'));
  run(process.execPath, [program, 'verify', ...made.map((name) => join(logs, name))], { stdio: 'ignore' });
}

/** Until the server has ended by itself, since its run is over. */
async function over() {
  const ending = server;
  if (ending?.exitCode === null) await new Promise((resolve) => ending.once('exit', resolve));
}

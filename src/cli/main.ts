#!/usr/bin/env node
/**
 * The command `orchestrate`, as Node starts it: loads the program and hands the command line to it. `import` would open all of its files at
 * once, some 300, which a system that allows a process 256 open files refuses; `require` opens one after the other, and is faster. So
 * nothing of ours is imported here but types, and what tells that a system allows too few.
 */
import { realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import type { EnvironmentModule } from '../assembly/environments.js';
import { StorageError } from '../base/errors.js';
import type { ExitCode } from '../base/errors.js';
import { processIo } from './io.js';
import type { Io } from './io.js';
import { requireFilesToStart } from './open-files.js';

/** Runs one command line. Never throws: what went wrong is printed, and told by the exit code. */
export async function main(
  args: readonly string[],
  io: Io,
  modules?: readonly EnvironmentModule[],
): Promise<ExitCode> {
  const { play } = await import('./program.js');
  return play(args, io, modules);
}

/** Whether this file is what Node was started with, also through the link that npm makes. */
function isProgram(): boolean {
  const started = process.argv[1];
  return started !== undefined && import.meta.url === pathToFileURL(realpathSync(started)).href;
}

/** An early Node 22, or one told not to, can't `require` such modules. */
const canRequireModules = process.features.require_module;

async function program(): Promise<typeof import('./program.js')> {
  if (!canRequireModules) return import('./program.js');
  return createRequire(import.meta.url)('./program.js') as typeof import('./program.js');
}

async function start(): Promise<void> {
  try {
    requireFilesToStart({ canRequireModules });
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    processIo().err.write(`error: ${error.message}\n`);
    process.exitCode = error.exitCode;
    return;
  }
  await (await program()).playProcess();
}

if (isProgram()) await start();

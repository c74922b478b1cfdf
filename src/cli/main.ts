#!/usr/bin/env node
/**
 * The command `orchestrate`, as Node starts it: loads the program and hands the command line to it. Nothing of ours is
 * imported here but types and what loads the rest, one file after the other (`load-module.ts`).
 */
import { realpathSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import type { EnvironmentModule } from '../worlds/environment-module.js';
import type { ExitCode } from '../base/errors.js';
import type { Io } from './terminal/io.js';
import { canRequireModules, loadModule as own } from './load-module.js';

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

async function start(): Promise<void> {
  const { requireFilesToStart } = await own<typeof import('./play/open-files.js')>('./play/open-files.js');
  try {
    requireFilesToStart({ canRequireModules });
  } catch (error) {
    const { processIo } = await own<typeof import('./terminal/io.js')>('./terminal/io.js');
    const { StorageError } = await own<typeof import('../base/errors.js')>('../base/errors.js');
    if (!(error instanceof StorageError)) throw error;
    processIo().err.write(`error: ${error.message}\n`);
    process.exitCode = error.exitCode;
    return;
  }
  const { playProcess } = await own<typeof import('./program.js')>('./program.js');
  await playProcess();
}

if (isProgram()) await start();

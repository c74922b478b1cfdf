#!/usr/bin/env node
/**
 * The command `orchestrate`, as Node starts it: loads the program and passes the command line to it. It
 * imports only types and the module that loads everything else, one file after the other (`load-module.ts`).
 */
import { realpathSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import type { EnvironmentModule } from '../worlds/environment-module.js';
import type { ExitCode } from '../base/errors.js';
import type { Io } from './terminal/io.js';
import { canRequireModules, loadModule as own } from './load-module.js';

/** Runs one command line. Never throws: errors are printed and reflected in the exit code. */
export async function main(
  args: readonly string[],
  io: Io,
  modules?: readonly EnvironmentModule[],
): Promise<ExitCode> {
  const { play } = await import('./program.js');
  return play(args, io, modules);
}

/** Whether Node was started with this file, directly or through the link that npm makes. */
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

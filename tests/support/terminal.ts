/** A terminal in a test: keys are typed, the screen is read as a person sees it, escapes and all. */
import { PassThrough } from 'node:stream';
import type { Io } from '../../src/cli/terminal/io.js';
import { main } from '../../src/cli/main.js';
import { capturedIo } from './captured-io.js';
import type { CapturedOptions } from './captured-io.js';

export interface Terminal {
  io: Io;
  /** Types keys, as the bytes that a terminal sends. */
  type: (keys: string) => void;
  /** The rows as they stand, without colours. */
  rows: () => readonly string[];
  /** All that was written. */
  raw: () => string;
  isRaw: () => boolean;
  /** As Ctrl-C from elsewhere. */
  interrupt: () => void;
  /** As a signal that ends the process. */
  end: () => void;
  resize: (columns: number, rows: number) => void;
  /** Listeners that were not taken back. */
  listeners: () => number;
}

export interface TerminalOptions extends CapturedOptions {
  /** Sent to whatever is asked; half blocks by default. */
  answer?: string;
}

export function terminal(options: TerminalOptions = {}): Terminal {
  const { columns = 80, rows = 24, answer = '\u001b[?1;2c' } = options;
  const size = { columns, rows };
  const captured = capturedIo({
    isTerminal: true,
    env: { COLORTERM: 'truecolor', TERM: 'xterm' },
    ...options,
  });
  const keys = new PassThrough();
  const listeners = new Set<() => void>();
  const enders = new Set<() => void>();
  let isRaw = false;
  const stdin: Io['stdin'] = Object.assign(keys, {
    isTTY: true,
    setRawMode: (raw: boolean) => (isRaw = raw),
  });
  const listen = (set: Set<() => void>) => (listener: () => void) => {
    set.add(listener);
    return () => set.delete(listener);
  };
  const out: Io['out'] = {
    ...captured.io.out,
    get columns() {
      return size.columns;
    },
    get rows() {
      return size.rows;
    },
    write: (text) => {
      captured.io.out.write(text);
      if (text.includes('\u001b[c')) keys.write(answer);
    },
  };
  return {
    io: { ...captured.io, out, stdin, onResize: listen(listeners), beforeExit: listen(enders) },
    type: (typed) => void keys.write(typed),
    rows: () => screenOf(captured.out(), size),
    raw: captured.out,
    isRaw: () => isRaw,
    interrupt: captured.interrupt,
    end: () => enders.forEach((listener) => listener()),
    resize: (width, height) => {
      Object.assign(size, { columns: width, rows: height });
      listeners.forEach((listener) => listener());
    },
    listeners: () => captured.listeners() + listeners.size + enders.size,
  };
}

/** What a terminal shows after all this: text at its places; wide characters are none of ours. */
function screenOf(text: string, size: { columns: number; rows: number }): readonly string[] {
  const rows: string[][] = Array.from({ length: 200 }, () => []);
  let [x, y] = [0, 0];
  const plain = text.replace(/\u001b[_\]P][^\u001b\u0007]*(?:\u001b\\|\u0007)/g, '');
  for (const token of plain.matchAll(/\u001b\[([?\d;]*)([A-Za-z])|\n|[^\u001b]/gu)) {
    const [whole, numbers = '', letter] = token;
    const [first = 1, second = 1] = numbers.split(';').map((one) => Number(one === '' ? 1 : one));
    if (letter === 'H') [y, x] = [first - 1, second - 1];
    else if (letter === 'G') x = first - 1;
    else if (letter === 'K') rows[y] = [];
    else if (letter === 'J') rows.splice(y, rows.length, ...rows.slice(y).map((): string[] => []));
    else if (letter === undefined && whole !== '\n') {
      const row = (rows[y] ??= []);
      while (row.length < x) row.push(' ');
      row[x] = whole;
      x += 1;
    }
  }
  return rows.slice(0, size.rows).map((row) => row.join('').trimEnd());
}

/** Starts one command line in it. */
export function inTerminal(args: readonly string[], options: TerminalOptions = {}) {
  const one = terminal(options);
  return { ...one, ended: main(args, one.io) };
}

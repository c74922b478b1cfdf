/**
 * The only place where text is written to a terminal. The program's own codes are marked by `ownCode`.
 * Everything unmarked is sent as printable text in lines, so that untrusted text cannot control a terminal,
 * wherever it was inserted. The mark is random in each process and never leaves it, so no text from outside
 * can contain it.
 */
import { randomBytes } from 'node:crypto';
import { printableText } from '../../base/text.js';

/** An output stream for text from anywhere. */
export interface TextOutput {
  /**
   * Text for people, or a JSON document. Every invisible character is left out, except line ends and
   * `ownCode`.
   */
  write(text: string): void;
  /** A file's bytes, for `--out -`. */
  writeBytes(bytes: Uint8Array): void;
  /** Whether a person is watching: then lines may be redrawn and coloured. */
  isTerminal: boolean;
  columns: number;
  rows: number;
}

/** The destination of the bytes, such as `process.stdout`. */
export interface OutputStream {
  write(bytes: string | Uint8Array): unknown;
  isTTY?: boolean;
  columns?: number;
  rows?: number;
}

const MARK = randomBytes(12).toString('base64url');
const BEGIN = '<';
const END = '>';

/**
 * A terminal code for use within text: colours, cursor moves, pictures. It must be made by the program alone,
 * and never from outside input: `tests/architecture.test.ts` lists the files that may call it.
 */
export function ownCode(code: string): string {
  return `${MARK}${BEGIN}${code}${MARK}${END}`;
}

/** The bytes for a terminal: own codes unchanged, everything else as printable text. */
export function terminalText(text: string): string {
  const [first = '', ...parts] = text.split(MARK);
  const sent = parts.map((part, i) => {
    const rest = part.slice(1);
    // A code whose end was cut off counts as plain text.
    const isCode = part.startsWith(BEGIN) && parts[i + 1]?.startsWith(END) === true;
    return isCode ? rest : printableText(rest);
  });
  return `${printableText(first)}${sent.join('')}`;
}

export function textOutput(stream: OutputStream): TextOutput {
  return {
    write: (text) => void stream.write(terminalText(text)),
    writeBytes: (bytes) => void stream.write(bytes),
    get isTerminal() {
      return stream.isTTY === true;
    },
    get columns() {
      // A terminal that reports 0 columns (some build machines) counts as unknown.
      return stream.columns || 80;
    },
    get rows() {
      return stream.rows || 24;
    },
  };
}

/** An output that discards everything, for runs whose output does not matter. */
export function silentOutput(): TextOutput {
  return textOutput({ write: () => true, isTTY: false, columns: 80, rows: 24 });
}

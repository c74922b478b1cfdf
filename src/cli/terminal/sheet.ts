/**
 * The one place where text leaves for a terminal. In: text from anywhere, and the program's own codes, marked by `ownCode`; out: bytes of a stream.
 * Whatever is not marked is sent as printable text in lines, so that no stranger's words can act on a terminal, wherever they were put in.
 * The mark is drawn anew in each process and never leaves it, so that no text from outside can hold it.
 */
import { randomBytes } from 'node:crypto';
import { printableText } from '../../base/text.js';

export interface Sheet {
  /** Text for people, or a JSON document. Anything in it that can't be seen is left out, except line ends and `ownCode`. */
  write(text: string): void;
  /** A file's bytes, for `--out -`. */
  writeBytes(bytes: Uint8Array): void;
  /** Whether a person watches: then lines may be redrawn and coloured. */
  readonly isTerminal: boolean;
  readonly columns: number;
  readonly rows: number;
}

/** Where a sheet's bytes go, as `process.stdout` has it. */
export interface SheetStream {
  write(bytes: string | Uint8Array): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
}

const MARK = randomBytes(12).toString('base64url');
const BEGIN = '<';
const END = '>';

/**
 * A code for the terminal as it may stand within text: colours, moves of the cursor, pictures. It must be made by the program alone, of
 * nothing that came from outside: `tests/architecture.test.ts` lists the files that may call it.
 */
export function ownCode(code: string): string {
  return `${MARK}${BEGIN}${code}${MARK}${END}`;
}

/** What a terminal is sent: own codes as they are, the rest as printable text. */
export function terminalText(text: string): string {
  const [first = '', ...parts] = text.split(MARK);
  const sent = parts.map((part, i) => {
    const rest = part.slice(1);
    // A code whose end was cut off is text like any other.
    const isCode = part.startsWith(BEGIN) && parts[i + 1]?.startsWith(END) === true;
    return isCode ? rest : printableText(rest);
  });
  return `${printableText(first)}${sent.join('')}`;
}

export function sheetOf(stream: SheetStream): Sheet {
  return {
    write: (text) => void stream.write(terminalText(text)),
    writeBytes: (bytes) => void stream.write(bytes),
    get isTerminal() {
      return stream.isTTY === true;
    },
    get columns() {
      // A terminal that tells 0 columns (some build machines) tells nothing.
      return stream.columns || 80;
    },
    get rows() {
      return stream.rows || 24;
    },
  };
}

/** One on which nothing is kept: for what is played beside the point. */
export function silentSheet(): Sheet {
  return sheetOf({ write: () => true, isTTY: false, columns: 80, rows: 24 });
}

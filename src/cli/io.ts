/**
 * The command line's outside: streams, environment, working folder, terminal size, as one value, so that every command runs in a
 * test as it runs for a user. Human words go to `out`, or to `err` where `--json` wants stdout for one document.
 */
import { basename, dirname, join, relative } from 'node:path';
import type { Readable } from 'node:stream';

export interface Sheet {
  write(text: string): void;
  /** A file's bytes, for `--out -`. */
  writeBytes(bytes: Uint8Array): void;
  /** Whether a person watches: then lines may be redrawn and coloured. */
  readonly isTerminal: boolean;
  readonly columns: number;
}

export interface Io {
  readonly out: Sheet;
  readonly err: Sheet;
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** How this program is called, for hints: `orchestrate`, `npx orchestrate` in a project, or `node dist/cli/main.js` in a clone. */
  readonly program: string;
  /** Called for each Ctrl-C; gives back how to stop listening. */
  onInterrupt(listener: () => void): () => void;
}

export function processIo(): Io {
  return {
    out: sheetOf(process.stdout),
    err: sheetOf(process.stderr),
    stdin: process.stdin,
    env: process.env,
    cwd: process.cwd(),
    program: programName(process.argv[1] ?? ''),
    onInterrupt: (listener) => {
      process.on('SIGINT', listener);
      return () => process.off('SIGINT', listener);
    },
  };
}

/** npm links a project's own commands in a folder that no shell looks into, unless npm itself runs it. */
function programName(started: string): string {
  if (basename(started) !== 'orchestrate') return `node ${relative(process.cwd(), started)}`;
  return dirname(started).endsWith(join('node_modules', '.bin')) ? 'npx orchestrate' : 'orchestrate';
}

function sheetOf(stream: NodeJS.WriteStream): Sheet {
  return {
    write: (text) => void stream.write(text),
    writeBytes: (bytes) => void stream.write(bytes),
    get isTerminal() {
      return stream.isTTY;
    },
    get columns() {
      // A terminal that tells 0 columns (some build machines) tells nothing.
      return stream.columns || 80;
    },
  };
}

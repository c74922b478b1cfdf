/**
 * Queries to the terminal, which it answers as key input: kitty's pictures, the size of a character, and
 * finally the query that every terminal answers (its attributes, including sixels), whose answer ends the
 * wait. Other typed input is returned.
 */
import type { Io } from './io.js';
import { ownCode } from './sheet.js';
import type { Sheet } from './sheet.js';

export interface TerminalAnswers {
  readonly hasKitty: boolean;
  readonly hasSixels: boolean;
  /** Pixels of a character; null if not reported. */
  readonly cell: { readonly width: number; readonly height: number } | null;
}

const NOTHING: TerminalAnswers = { hasKitty: false, hasSixels: false, cell: null };
/** Long enough for a terminal at the other end of the world. */
const PATIENCE_MS = 400;
/** These print unknown queries instead of ignoring them. */
const PRINTS_UNKNOWN = /^Apple_Terminal$/;
const KITTY_QUESTION = '\u001b_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\u001b\\';
const CELL_QUESTION = '\u001b[16t';
const ATTRIBUTES_QUESTION = '\u001b[c';

const KITTY_ANSWER = /\u001b_Gi=31;([^\u001b]*)\u001b\\/;
const CELL_ANSWER = /\u001b\[6;(\d{1,5});(\d{1,5})t/;
const ATTRIBUTES_ANSWER = /\u001b\[\?([\d;]*)c/;
const ANSWERS = [KITTY_ANSWER, CELL_ANSWER, ATTRIBUTES_ANSWER];

/** Nothing is queried if keys don't come from a terminal. Never rejects. */
export async function answersOf(io: Io, sheet: Sheet, patienceMs = PATIENCE_MS): Promise<TerminalAnswers> {
  const { stdin, env } = io;
  const setRawMode = stdin.setRawMode?.bind(stdin);
  if (stdin.isTTY !== true || setRawMode === undefined || PRINTS_UNKNOWN.test(env['TERM_PROGRAM'] ?? ''))
    return NOTHING;
  const wasRaw = stdin.isRaw === true;
  setRawMode(true);
  try {
    const heard = await listen(io, patienceMs, () =>
      sheet.write(ownCode(`${KITTY_QUESTION}${CELL_QUESTION}${ATTRIBUTES_QUESTION}`)),
    );
    const rest = ANSWERS.reduce((text, answer) => text.replace(answer, ''), heard);
    if (rest !== '') stdin.unshift(Buffer.from(rest, 'latin1'));
    return readAnswers(heard);
  } finally {
    setRawMode(wasRaw);
  }
}

function readAnswers(heard: string): TerminalAnswers {
  const [, height, width] = CELL_ANSWER.exec(heard) ?? [];
  const [, attributes = ''] = ATTRIBUTES_ANSWER.exec(heard) ?? [];
  const cell = { width: Number(width ?? 0), height: Number(height ?? 0) };
  return {
    hasKitty: KITTY_ANSWER.exec(heard)?.[1] === 'OK',
    hasSixels: attributes.split(';').includes('4'),
    cell: cell.width > 0 && cell.height > 0 ? cell : null,
  };
}

/** Resolves with everything that arrives until the last answer, the end of input, or the time limit. */
function listen({ stdin }: Io, patienceMs: number, ask: () => void): Promise<string> {
  return new Promise((resolve) => {
    let heard = '';
    const done = (): void => {
      clearTimeout(timer);
      stdin.off('data', hear);
      stdin.off('end', done);
      stdin.pause();
      resolve(heard);
    };
    const hear = (chunk: Buffer | string): void => {
      heard += typeof chunk === 'string' ? chunk : chunk.toString('latin1');
      if (ATTRIBUTES_ANSWER.test(heard)) done();
    };
    const timer = setTimeout(done, patienceMs);
    stdin.on('data', hear);
    stdin.on('end', done);
    ask();
    stdin.resume();
  });
}

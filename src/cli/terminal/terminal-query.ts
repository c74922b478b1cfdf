/**
 * Queries to the terminal, which it answers as key input: kitty's pictures, the size of a character, and
 * finally the query that every terminal answers (its attributes), whose answer ends the wait. Other typed
 * input is returned.
 */
import type { Io } from './io.js';
import { ownCode } from './text-output.js';
import type { TextOutput } from './text-output.js';

export interface TerminalAnswers {
  hasKitty: boolean;
  /** Pixels of a character; null if not reported. */
  cell: { width: number; height: number } | null;
}

const NOTHING: TerminalAnswers = { hasKitty: false, cell: null };
/** Long enough for a terminal on the other side of the world. */
const ANSWER_MS = 400;
/** Terminals that print unknown queries instead of ignoring them. */
const PRINTS_UNKNOWN = /^Apple_Terminal$/;
const KITTY_QUESTION = '\u001b_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\u001b\\';
const CELL_QUESTION = '\u001b[16t';
const ATTRIBUTES_QUESTION = '\u001b[c';

const KITTY_ANSWER = /\u001b_Gi=31;([^\u001b]*)\u001b\\/;
const CELL_ANSWER = /\u001b\[6;(\d{1,5});(\d{1,5})t/;
const ATTRIBUTES_ANSWER = /\u001b\[\?[\d;]*c/;
const ANSWERS = [KITTY_ANSWER, CELL_ANSWER, ATTRIBUTES_ANSWER];

/** Nothing is queried if keys don't come from a terminal. Never rejects. */
export async function queryTerminal(
  io: Io,
  output: TextOutput,
  timeoutMs = ANSWER_MS,
): Promise<TerminalAnswers> {
  const { stdin, env } = io;
  const setRawMode = stdin.setRawMode?.bind(stdin);
  if (stdin.isTTY !== true || setRawMode === undefined || PRINTS_UNKNOWN.test(env['TERM_PROGRAM'] ?? ''))
    return NOTHING;
  const wasRaw = stdin.isRaw === true;
  setRawMode(true);
  try {
    const input = await listen(io, timeoutMs, () =>
      output.write(ownCode(`${KITTY_QUESTION}${CELL_QUESTION}${ATTRIBUTES_QUESTION}`)),
    );
    const otherInput = ANSWERS.reduce((text, answer) => text.replace(answer, ''), input);
    if (otherInput !== '') stdin.unshift(Buffer.from(otherInput, 'latin1'));
    const [, height = 0, width = 0] = CELL_ANSWER.exec(input) ?? [];
    const cell = { width: Number(width), height: Number(height) };
    return {
      hasKitty: KITTY_ANSWER.exec(input)?.[1] === 'OK',
      cell: cell.width > 0 && cell.height > 0 ? cell : null,
    };
  } finally {
    setRawMode(wasRaw);
  }
}

/** Resolves with everything that arrives until the last answer, the end of input, or the time limit. */
function listen({ stdin }: Io, timeoutMs: number, sendQuery: () => void): Promise<string> {
  return new Promise((resolve) => {
    let input = '';
    const done = (): void => {
      clearTimeout(timer);
      stdin.off('data', onData);
      stdin.off('end', done);
      stdin.pause();
      resolve(input);
    };
    const onData = (chunk: Buffer | string): void => {
      input += typeof chunk === 'string' ? chunk : chunk.toString('latin1');
      if (ATTRIBUTES_ANSWER.test(input)) done();
    };
    const timer = setTimeout(done, timeoutMs);
    stdin.on('data', onData);
    stdin.on('end', done);
    sendQuery();
    stdin.resume();
  });
}

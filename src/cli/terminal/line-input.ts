/**
 * Standard input, one line at a time, from a person at the terminal or a file of commands. Nothing is read
 * before a line is requested, and surplus input waits for the next request. A line that is too long is cut,
 * and its rest is discarded.
 */
import { LIMITS } from '../../base/limits.js';
import type { Io } from './io.js';

export class LineInput {
  readonly #stdin: Io['stdin'];
  readonly #decoder = new TextDecoder();
  readonly #lines: string[] = [];
  #partialLine = '';
  #isListening = false;
  #hasEnded = false;
  #wake: () => void = () => undefined;

  constructor(stdin: Io['stdin']) {
    this.#stdin = stdin;
  }

  /** Whether a person types; then the terminal echoes the input. */
  get isTerminal(): boolean {
    return this.#stdin.isTTY === true;
  }

  /**
   * The next line without its end; null if input has ended. Rejects with the signal's reason. One at a time.
   */
  async next(signal: AbortSignal): Promise<string | null> {
    this.#listen();
    const wake = (): void => this.#wake();
    signal.addEventListener('abort', wake);
    try {
      while (this.#lines.length === 0 && !this.#hasEnded && !signal.aborted) {
        const input = new Promise<void>((resolve) => (this.#wake = resolve));
        this.#stdin.resume();
        await input;
      }
      signal.throwIfAborted();
      return this.#lines.shift() ?? null;
    } finally {
      signal.removeEventListener('abort', wake);
      this.#stdin.pause();
    }
  }

  #listen(): void {
    if (this.#isListening) return;
    this.#isListening = true;
    this.#stdin.on('data', (chunk: Buffer | string) => {
      this.#append(typeof chunk === 'string' ? chunk : this.#decoder.decode(chunk, { stream: true }));
    });
    this.#stdin.once('end', () => this.#end());
    this.#stdin.once('error', () => this.#end());
  }

  #append(text: string): void {
    const [first = '', ...others] = text.split('\n');
    const lines = [`${this.#partialLine}${first}`, ...others];
    this.#partialLine = cut(lines.pop() ?? '');
    if (lines.length === 0) return;
    this.#lines.push(...lines.map((line) => cut(line.replace(/\r$/, ''))));
    // A file may be long, so more of it is read only when further lines are requested.
    this.#stdin.pause();
    this.#wake();
  }

  #end(): void {
    if (this.#partialLine !== '') this.#lines.push(this.#partialLine);
    this.#partialLine = '';
    this.#hasEnded = true;
    this.#wake();
  }
}

function cut(line: string): string {
  return line.slice(0, LIMITS.typedLineCharacters).toWellFormed();
}

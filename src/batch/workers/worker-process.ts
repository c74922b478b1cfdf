/**
 * One worker process of this machine, started with Node's IPC: of a batch, or of a command that reads logs. What
 * it prints is not for the user; the end of its standard error is kept for the message about its end.
 */
import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import type { Guard } from '../../assembly/guarded.js';
import { oneLine } from '../../base/text.js';

const LAST_WORDS_BYTES = 4000;
const LAST_WORDS_CHARACTERS = 300;

export class WorkerProcess<To extends object, From extends object> {
  /** How it ended, once it has: completes "the process …". */
  readonly ended: Promise<string>;
  readonly #child: ChildProcess;
  #isGone = false;

  /**
   * With a guard, it has its own process group, so that Ctrl-C reaches only the command, and ends with the
   * command even if it is too busy to notice.
   */
  constructor(script: string, guard: Guard | null, onMessage: (message: From) => void) {
    const detached = guard !== null && process.platform !== 'win32';
    const child = fork(script, [], { serialization: 'advanced', silent: true, detached });
    const { pid } = child;
    this.#child = child;
    if (pid !== undefined) guard?.add(pid);
    child.stdin?.destroy();
    child.stdout?.resume();
    let lastWords = Buffer.alloc(0);
    child.stderr?.on('data', (chunk: Buffer) => {
      lastWords = Buffer.concat([lastWords, chunk]).subarray(-LAST_WORDS_BYTES);
    });
    child.on('message', (message) => onMessage(message as From));
    this.ended = new Promise((resolve) => {
      const end = (outcome: string): void => {
        this.#isGone = true;
        if (pid !== undefined) guard?.remove(pid);
        const words = Array.from(oneLine(lastWords.toString()).trim()).slice(-LAST_WORDS_CHARACTERS).join('');
        resolve(words === '' ? outcome : `${outcome}: ${words}`);
      };
      child.once('error', (error) => end(`can't be started: ${error.message}`));
      // By now, its output has been read too.
      child.once('close', (code, signal) =>
        end(code === null ? `was killed by ${signal ?? 'a signal'}` : `exited with code ${code}`),
      );
    });
  }

  get isGone(): boolean {
    return this.#isGone;
  }

  /** A message to a process that is gone is no error: its end is noticed anyway. */
  send(message: To): void {
    if (this.#child.connected) this.#child.send(message, () => undefined);
  }

  kill(signal: 'SIGTERM' | 'SIGKILL'): void {
    this.#child.kill(signal);
  }
}

/** The parent's end of the guard's pipe (`guard.ts`): which process groups are to end with this process, a runner or a batch. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const GUARD = fileURLToPath(new URL('guard.js', import.meta.url));

export class Guard {
  readonly #child: ChildProcess;

  constructor(script: string = GUARD) {
    this.#child = spawn(process.execPath, [script], {
      stdio: 'pipe',
      detached: true,
      env: {},
    });
    this.#child.stdin?.on('error', () => undefined);
    // It says nothing.
    this.#child.stdout?.destroy();
    this.#child.stderr?.destroy();
    this.#child.unref();
  }

  add(pid: number): void {
    this.#child.stdin?.write(`+${pid}\n`);
  }

  remove(pid: number): void {
    this.#child.stdin?.write(`-${pid}\n`);
  }

  close(): void {
    this.#child.stdin?.end();
  }
}

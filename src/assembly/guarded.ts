/**
 * The parent's end of the guard's pipe (`guard.ts`): which process groups and folders end with this process,
 * a runner or a batch.
 */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PROGRAM_FOLDER } from '../package/folders.js';

const GUARD_SCRIPT = join(PROGRAM_FOLDER, 'assembly', 'guard.js');

/**
 * The beginning of the names of folders that the guard may remove, in the system's folder for temporary
 * files.
 */
const PREFIX = 'orchestrate-agent-';

export class Guard {
  readonly #child: ChildProcess;

  constructor() {
    this.#child = spawn(process.execPath, [GUARD_SCRIPT, tmpdir(), PREFIX], {
      stdio: 'pipe',
      detached: true,
      env: {},
    });
    this.#child.stdin?.on('error', () => undefined);
    // The guard writes no output.
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

  /** A new folder that is removed when this process ends. */
  makeFolder(): string {
    const folder = mkdtempSync(join(tmpdir(), PREFIX));
    this.#child.stdin?.write(`+${folder}\n`);
    return folder;
  }

  /** The folder has been removed. */
  removeFolder(folder: string): void {
    this.#child.stdin?.write(`-${folder}\n`);
  }

  close(): void {
    this.#child.stdin?.end();
  }
}

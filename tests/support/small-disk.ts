/** A small file system of its own, where this process may mount one. */
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';

/** Runs `work` with the folder `disk` on a file system of this size (as `mount` counts: `2m`); null where this process may not mount one. */
export async function withSmallDisk<T>(
  disk: string,
  size: string,
  work: () => Promise<T>,
): Promise<T | null> {
  mkdirSync(disk);
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', disk], { stdio: 'ignore' });
  } catch {
    return null;
  }
  try {
    return await work();
  } finally {
    execFileSync('umount', ['-l', disk]);
  }
}

/**
 * The picture file of `preview`. Without a path, it is named after the scenario, and then only an earlier
 * preview is overwritten, never another file.
 */
import { existsSync, readFileSync } from 'node:fs';
import { UsageError } from '../../base/errors.js';
import { isSignedPng, signedPng } from '../../render/png.js';
import { withStorageErrors, writeAtomically } from '../../log/write-atomically.js';
import type { Io } from '../terminal/io.js';
import { fileFor, fromCwd } from '../options/paths.js';

const PROGRAM = 'orchestrate preview';

/** The picture with the mark that identifies it as a preview. */
export function signedPreview(png: Uint8Array): Uint8Array {
  return signedPng(png, PROGRAM);
}

/**
 * Writes a signed picture. Throws UsageError if the name belongs to a file that is not a preview,
 * StorageError if nothing can be written.
 */
export function writePreview(
  png: Uint8Array,
  { out, name, io }: { out: string | undefined; name: string; io: Io },
): string {
  const shownPath = out === undefined ? `${name}.png` : fileFor(out, `${name}.png`, io);
  const path = fromCwd(io, shownPath);
  withStorageErrors(path, () => {
    if (shownPath !== out && existsSync(path) && !isSignedPng(readFileSync(path), PROGRAM))
      throw new UsageError(`${shownPath} already exists and was not created by preview`, [
        `use --out ${shownPath} to overwrite it, or another name with --out to keep it`,
      ]);
    writeAtomically(path, png);
  });
  return shownPath;
}

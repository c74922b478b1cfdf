/**
 * Opens the user's browser on an address that contains a secret. Other users of the machine can read the
 * command lines of programs, so the browser gets a file that only this user can read, and this file redirects
 * to the address.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const OPENERS: Readonly<Partial<Record<NodeJS.Platform, string>>> = {
  darwin: 'open',
  win32: 'explorer.exe',
};

/**
 * Returns a function that removes the file. If there is no browser, nothing happens, because the address was
 * printed.
 */
export function openInBrowser(address: string): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'orchestrate-view-'));
  const file = join(folder, 'open.html');
  // The address is our own: digits, letters and characters without a meaning in markup.
  writeFileSync(
    file,
    `<!doctype html><meta charset="utf-8"><meta name="referrer" content="no-referrer"><meta http-equiv="refresh" content="0; url=${address}"><title>orchestrate</title>\n`,
    { mode: 0o600, flag: 'wx' },
  );
  const opener = spawn(OPENERS[process.platform] ?? 'xdg-open', [file], { stdio: 'ignore', detached: true });
  opener.on('error', () => undefined);
  opener.unref();
  return () => rmSync(folder, { recursive: true, force: true });
}

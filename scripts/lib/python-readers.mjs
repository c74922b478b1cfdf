/**
 * Where the Python programs live that read data sets or speak protocols with this one: a virtual environment in the user's cache folder, named after the versions in it, so that every checkout shares
 * it and another version is another folder. `scripts/python-readers.mjs` makes it; tests that need it are skipped where it is not there.
 */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

export const PACKAGES = [
  'datasets==5.2.0',
  'mcp==2.3.0',
  'nvidia-nat-atif==1.9.0',
  'pillow==13.0.0',
  'pyarrow==26.0.1',
  'pycocotools==2.0.11',
  'teich==0.3.6',
  'webdataset==1.0.2',
];

export function readersFolder(env = process.env) {
  const cache = env['XDG_CACHE_HOME'] || join(homedir(), '.cache');
  const version = createHash('sha256').update(PACKAGES.join('\n')).digest('hex').slice(0, 12);
  return join(cache, 'orchestrate-vlm', `python-readers-${version}`);
}

/** The program to run; null where it was not made. */
export function readersPython(env = process.env) {
  const folder = readersFolder(env);
  return existsSync(join(folder, 'whole')) ? join(folder, 'bin', 'python') : null;
}

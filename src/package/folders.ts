/**
 * The folders of this package, for what is not a module: its assets, pages and manifest, and the scripts that
 * run as processes of their own. Code runs from three places: bundled from `dist`, as it was compiled from
 * `dist/modules`, and in tests from `src`; no path relative to a module is right in all of them.
 */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const HERE = dirname(fileURLToPath(import.meta.url));

/** The nearest folder, from `folder` up to `last`, that holds `name`; null if none does. */
function holderOf(name: string, folder = HERE, last = '/'): string | null {
  if (existsSync(join(folder, name))) return folder;
  return folder === last || dirname(folder) === folder ? null : holderOf(name, dirname(folder), last);
}

/** With package.json, `assets` and `dist`. */
export const PACKAGE_FOLDER = holderOf('package.json') ?? HERE;

const BUILT = join(PACKAGE_FOLDER, 'dist');

/**
 * With the scripts of the program that runs, bundled or not. Sources use the bundled ones, because Node can't
 * start a source.
 */
export const PROGRAM_FOLDER = holderOf(join('cli', 'main.js'), HERE, PACKAGE_FOLDER) ?? BUILT;

const CODE_URLS = [BUILT, join(PACKAGE_FOLDER, 'src')].map((folder) => pathToFileURL(`${folder}/`).href);

/** Whether the file with this URL is code of this package, and not of a user. */
export function isOurCode(url: string): boolean {
  return CODE_URLS.some((ours) => url.startsWith(ours));
}

/** The scenarios that come with the program. A user without a clone opens them by their names alone. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { PACKAGE_FOLDER } from '../package/folders.js';

const FOLDER = join(PACKAGE_FOLDER, 'scenarios');

/**
 * The path of the shipped scenario that is called `name`; null if there is none, or if `folder`, where names are
 * looked up, has a file of its own that is called so.
 */
export function shippedScenario(name: string, folder: string): string | null {
  // The text is compared with the files that are there, so no path is made of it.
  const file = readdirSync(FOLDER).find((one) => one === `${name}.yaml`);
  return file === undefined || existsSync(join(folder, name)) ? null : join(FOLDER, file);
}

/**
 * How another project can depend on the running program: the entry for its package.json. It is derived from
 * the program's location, because the version may not be published: npm records the origin of each package in
 * the packages' folder.
 */
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { PACKAGE_FOLDER } from '../package/folders.js';
import { PROGRAM_VERSION } from './version.js';

export const PACKAGE_NAME = 'orchestrate-vlm';

/** The entry in `dependencies`, and the reason as text for the user. */
export interface Dependency {
  spec: string;
  reason: string;
}

/**
 * `folder` contains the running program's package.json. Never throws: the folder itself can always be a
 * dependency.
 */
export function ownDependency(folder: string = PACKAGE_FOLDER): Dependency {
  const packages = dirname(folder);
  const origin = basename(packages) === 'node_modules' ? recordedOrigin(packages, basename(folder)) : null;
  if (origin === null) return folderDependency(folder);
  if (!origin.startsWith('file:')) {
    // A registry has a package's files at /-/ below its name; anything else that npm names can be used as a
    // dependency unchanged.
    if (origin.includes('/-/'))
      return { spec: `^${PROGRAM_VERSION}`, reason: 'this program was installed from the registry' };
    return { spec: origin, reason: 'this program was installed from there' };
  }
  const file = resolve(dirname(packages), origin.slice('file:'.length));
  if (!existsSync(file)) return folderDependency(folder);
  return {
    spec: `file:${posixPath(file)}`,
    reason: 'this program was installed from that file, not by its name from npm',
  };
}

function folderDependency(folder: string): Dependency {
  return {
    spec: `file:${posixPath(folder)}`,
    reason: 'this program was started from that folder, not installed from npm',
  };
}

/** As npm writes paths on every system. */
function posixPath(path: string): string {
  return path.split(sep).join('/');
}

/**
 * Where npm got a package, according to its records; null if it was installed another way, or there is no
 * record.
 */
function recordedOrigin(packages: string, name: string): string | null {
  try {
    const lock: unknown = JSON.parse(readFileSync(join(packages, '.package-lock.json'), 'utf8'));
    const { resolved } = (lock as { packages: Record<string, { resolved?: unknown }> }).packages[
      `node_modules/${name}`
    ] ?? { resolved: null };
    return typeof resolved === 'string' ? resolved : null;
  } catch {
    return null;
  }
}

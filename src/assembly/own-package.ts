/**
 * How another project gets the very program that runs: what its package.json must say of it. Found out from where the program lies, since a
 * version may not be published: npm keeps in the folder of the packages where each was got. In: the program's folder; out: a dependency
 * that installs, and why it is this one.
 */
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PROGRAM_VERSION } from './version.js';

export const PACKAGE_NAME = 'orchestrate-vlm';

/** What stands in `dependencies`, and the reason in words for the user. */
export interface Dependency {
  readonly spec: string;
  readonly reason: string;
}

const OWN_FOLDER = fileURLToPath(new URL('../../', import.meta.url)).replace(/[/\\]$/, '');

/** `folder` is where the running program's package.json lies. Never throws: the folder itself can always be depended on. */
export function ownDependency(folder: string = OWN_FOLDER): Dependency {
  const packages = dirname(folder);
  const got = basename(packages) === 'node_modules' ? resolvedIn(packages, basename(folder)) : null;
  if (got === null) return ofFolder(folder);
  if (!got.startsWith('file:')) {
    // A registry keeps a package's files at /-/ below its name; anything else that npm names can be asked for again as it stands.
    if (got.includes('/-/'))
      return { spec: `^${PROGRAM_VERSION}`, reason: 'this program was installed from the registry' };
    return { spec: got, reason: 'this program was installed from there' };
  }
  const file = resolve(dirname(packages), got.slice('file:'.length));
  if (!existsSync(file)) return ofFolder(folder);
  return {
    spec: `file:${plain(file)}`,
    reason: 'this program was installed from that file, not from the registry',
  };
}

function ofFolder(folder: string): Dependency {
  return {
    spec: `file:${plain(folder)}`,
    reason: 'this program runs from that folder, not from the registry',
  };
}

/** As npm writes paths on every system. */
function plain(path: string): string {
  return path.split(sep).join('/');
}

/** Where npm says that it got a package; null where somebody else installed it, or nothing is said. */
function resolvedIn(packages: string, name: string): string | null {
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

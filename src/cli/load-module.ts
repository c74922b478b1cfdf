/**
 * Loads one of our modules on demand. `import` opens all files of a module at once, some 300, which fails on
 * a system that allows a process 256 open files; `require` opens one after the other, and is faster. In: a
 * path below `src/cli`; out: the module.
 */
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/**
 * An early Node 22, one with that option disabled, or a test runner that reads the sources can't `require`
 * such modules.
 */
export const canRequireModules =
  (process.features.require_module as boolean | undefined) === true && import.meta.url.endsWith('.js');

export async function loadModule<Module>(path: string): Promise<Module> {
  return (canRequireModules ? require(path) : await import(path)) as Module;
}

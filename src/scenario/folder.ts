/** A scenario on disk: its bytes, and the files of its folder, links followed only where they stay inside it. */
import { readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { UsageError } from '../base/errors.js';
import { LIMITS } from '../base/limits.js';
import { systemWords } from '../base/system-words.js';
import type { ScenarioFile } from './files.js';

/** Opens a scenario by its path. Throws UsageError where there is no such readable file. */
export function openScenario(path: string): ScenarioFile {
  const folder = dirname(path);
  return { path, content: readWhole(path), folder, readFile: (relative) => readInside(folder, relative) };
}

/** A scenario that another file of this folder names, by its path from there: it may lie below, never elsewhere. Throws UsageError. */
export function fileBelow({ folder, path }: ScenarioFile, relative: string): ScenarioFile {
  const shown = join(dirname(path), relative);
  try {
    const target = targetInside(folder ?? '.', relative);
    return { ...openScenario(target), path: shown };
  } catch (error) {
    throw new UsageError(`The scenario ${shown} can't be read: ${systemWords(error)}`);
  }
}

function readWhole(path: string): Uint8Array {
  try {
    return readRegular(path, LIMITS.scenarioBytes);
  } catch (error) {
    throw new UsageError(`The scenario ${path} can't be read: ${systemWords(error)}`, [
      'Give the path of a .yaml file.',
    ]);
  }
}

function readInside(folder: string, relative: string): Uint8Array {
  return readRegular(targetInside(folder, relative), LIMITS.tilesetBytes);
}

/** Links are followed. */
function targetInside(folder: string, relative: string): string {
  const root = realpathSync(folder);
  const target = realpathSync(join(root, relative));
  if (!target.startsWith(root.endsWith(sep) ? root : root + sep))
    throw new Error('it leads out of the folder of the scenario');
  return target;
}

function readRegular(path: string, bytesMax: number): Uint8Array {
  const stats = statSync(path);
  if (!stats.isFile()) throw new Error('it is not a file');
  if (stats.size > bytesMax) throw new Error(`it has ${stats.size} bytes: at most ${bytesMax}`);
  return readFileSync(path);
}

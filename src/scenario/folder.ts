/** A scenario on disk: its bytes, and the files of its folder, links followed only where they stay inside it. */
import { realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { UsageError } from '../base/errors.js';
import { LIMITS } from '../base/limits.js';
import { systemWords } from '../base/system-words.js';
import type { ScenarioFile } from './files.js';
import { readBelow } from './files-below.js';
import { readRegular } from './regular-file.js';

/** Opens a scenario by its path. Throws UsageError where there is no such readable file. */
export function openScenario(path: string): ScenarioFile {
  return fileIn(path, readWhole(path));
}

function fileIn(path: string, content: Uint8Array): ScenarioFile {
  const folder = dirname(path);
  const root = realpathSync(folder);
  const readFile = (relative: string): Uint8Array => readInside(root, relative, LIMITS.tilesetBytes);
  return { path, content, folder, readFile };
}

/** A scenario that another file of this folder names, by its path from there: it may lie below, never elsewhere. Throws UsageError. */
export function fileBelow({ folder = '.', path }: ScenarioFile, relative: string): ScenarioFile {
  const shown = join(dirname(path), relative);
  try {
    const content = readInside(realpathSync(folder), relative, LIMITS.scenarioBytes);
    return { ...fileIn(join(folder, relative), content), path: shown };
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

/** Links are followed. */
function readInside(root: string, relative: string, bytesMax: number): Uint8Array {
  const parts = relative.split('/').filter((part) => part !== '' && part !== '.');
  if (parts.includes('..') || relative.startsWith('/')) throw new Error('it leads out of the folder');
  return readBelow({ root, followsLinks: true }, parts, bytesMax);
}

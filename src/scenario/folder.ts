/**
 * A scenario on disk: its bytes, and the files of its folder; links are followed only within this folder. A
 * batch is the user's own file, so its scenarios may be anywhere, and each then reads only the files of its
 * own folder.
 */
import { realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { UsageError } from '../base/errors.js';
import type { Json } from '../base/json.js';
import { LIMITS } from '../base/limits.js';
import { systemWords } from '../base/system-words.js';
import type { ScenarioFile } from './files.js';
import { isDotted, readBelow } from './files-below.js';
import { readRegular } from './regular-file.js';

/** The path of a file, its text (it contains line breaks), or its content as data. */
export type ScenarioSource = string | { readonly [key: string]: Json };

/**
 * A scenario for `openScenario`: by its path, as YAML or as data. Throws UsageError if there is no readable
 * file at the path.
 */
export function scenarioFile(source: ScenarioSource): ScenarioFile {
  if (typeof source === 'string' && !source.includes('\n')) return openScenarioFile(source);
  // JSON is YAML, so data is parsed, checked and reported like a file.
  const content = typeof source === 'string' ? source : JSON.stringify(source, null, 2);
  return { path: 'scenario.yaml', content, readFile: refuse };
}

/**
 * Opens a scenario, or another YAML file, by its path. Throws UsageError if there is no such readable file.
 */
export function openScenarioFile(
  path: string,
  what: 'scenario' | 'batch file' | 'runner file' = 'scenario',
): ScenarioFile {
  return fileIn(path, readWhole(path, what));
}

function fileIn(path: string, content: Uint8Array): ScenarioFile {
  const folder = dirname(path);
  const root = realpathSync(folder);
  const readFile = (relative: string): Uint8Array => readInside(root, relative, LIMITS.tilesetBytes);
  return { path, content, folder, readFile };
}

/**
 * Opens a batch by its path, and the scenarios that it names, anywhere. Throws UsageError if there is no such
 * readable file.
 */
export function openBatch(path: string): ScenarioFile {
  const batch = openScenarioFile(path, 'batch file');
  const folder = dirname(path);
  return { ...batch, readFile: (named) => readNamed(folder, named) };
}

/** A folder of scenarios for `scenarioOf`: nothing outside it is read. Throws UsageError. */
export function openScenarioFolder(folder: string): ScenarioFile {
  try {
    const root = realpathSync(folder);
    const readFile = (named: string): Uint8Array => readInside(root, named, LIMITS.scenarioBytes);
    return { path: join(folder, 'scenarios'), content: '', folder, readFile };
  } catch (error) {
    throw new UsageError(`the folder ${folder} can't be read: ${systemWords(error)}`, [
      'give the folder of the scenarios with --scenarios',
    ]);
  }
}

/** A scenario that a batch names, by its path relative to the batch or an absolute one. Throws UsageError. */
export function scenarioOf(batch: ScenarioFile, named: string): ScenarioFile {
  const shown = placeFrom(dirname(batch.path), named);
  try {
    return { ...fileIn(placeFrom(batch.folder ?? '.', named), batch.readFile(named)), path: shown };
  } catch (error) {
    throw new UsageError(`the scenario ${shown} can't be read: ${systemWords(error)}`);
  }
}

function placeFrom(folder: string, named: string): string {
  return isAbsolute(named) ? named : join(folder, named);
}

/** Links are followed inside the batch's folder, and elsewhere inside the scenario's own. */
function readNamed(folder: string, named: string): Uint8Array {
  const parts = named.split('/');
  if (!isAbsolute(named) && !parts.includes('..'))
    return readInside(realpathSync(folder), named, LIMITS.scenarioBytes);
  if (parts.some((part) => isDotted(part) && part !== '.' && part !== '..'))
    throw new Error('files and folders whose names begin with a dot are never read');
  const place = placeFrom(folder, named);
  return readInside(realpathSync(dirname(place)), basename(place), LIMITS.scenarioBytes);
}

function readWhole(path: string, what: string): Uint8Array {
  try {
    return readRegular(path, LIMITS.scenarioBytes);
  } catch (error) {
    throw new UsageError(`the ${what} ${path} can't be read: ${systemWords(error)}`, [
      'pass the path of a .yaml file',
    ]);
  }
}

/** Links are followed. */
function readInside(root: string, relative: string, bytesMax: number): Uint8Array {
  const parts = relative.split('/').filter((part) => part !== '' && part !== '.');
  if (parts.includes('..') || relative.startsWith('/')) throw new Error('the path is outside the folder');
  return readBelow({ root, followsLinks: true }, parts, bytesMax);
}

function refuse(path: string): never {
  throw new Error(`${path} can't be read, because the scenario is not a file and so has no folder`);
}

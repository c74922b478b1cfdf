/**
 * Opens a scenario from disk: its bytes, and access to the files of its folder; links are followed only
 * within this folder. The user controls a batch file, so its scenarios may be anywhere, but each scenario
 * reads only files of its own folder.
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
import { shippedScenario } from './shipped.js';

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
  return { path: 'scenario.yaml', content, readFile: refuseRead };
}

/**
 * Opens a scenario, or another YAML file, by its path. Throws UsageError if there is no such readable file.
 */
export function openScenarioFile(
  path: string,
  fileKind: 'scenario' | 'batch file' | 'runner file' = 'scenario',
): ScenarioFile {
  return fileWithFolder(path, readYamlFile(path, fileKind));
}

function fileWithFolder(path: string, content: Uint8Array): ScenarioFile {
  const folder = dirname(path);
  const root = realpathSync(folder);
  const readFile = (relative: string): Uint8Array => readInside(root, relative, LIMITS.tilesetBytes);
  return { path, content, folder, readFile };
}

/**
 * Opens a batch by its path; its `readFile` reads the scenarios that it names, wherever they are. Throws
 * UsageError if there is no such readable file.
 */
export function openBatch(path: string): ScenarioFile {
  const batch = openScenarioFile(path, 'batch file');
  const folder = dirname(path);
  return { ...batch, readFile: (scenario) => readScenario(folder, scenario) };
}

/** A folder of scenarios for `openNamedScenario`: nothing outside it is read. Throws UsageError. */
export function openScenarioFolder(folder: string): ScenarioFile {
  try {
    const root = realpathSync(folder);
    const readFile = (path: string): Uint8Array => readInside(root, path, LIMITS.scenarioBytes);
    return { path: join(folder, 'scenarios'), content: '', folder, readFile };
  } catch (error) {
    throw new UsageError(`the folder ${folder} can't be read: ${systemWords(error)}`, [
      'give the folder of the scenarios with --scenarios',
    ]);
  }
}

/**
 * A scenario that a batch names, by its path relative to the batch, an absolute one, or the name of a shipped
 * scenario. Throws UsageError.
 */
export function openNamedScenario(batch: ScenarioFile, path: string): ScenarioFile {
  const { folder = '.' } = batch;
  const shipped = shippedScenario(path, folder);
  if (shipped !== null) return { ...openScenarioFile(shipped), path };
  const shownPath = resolvePath(dirname(batch.path), path);
  try {
    return { ...fileWithFolder(resolvePath(folder, path), batch.readFile(path)), path: shownPath };
  } catch (error) {
    throw new UsageError(`the scenario ${shownPath} can't be read: ${systemWords(error)}`);
  }
}

function resolvePath(folder: string, path: string): string {
  return isAbsolute(path) ? path : join(folder, path);
}

/**
 * The bytes of a scenario that a batch names. Links are followed inside the batch's folder; for a scenario
 * elsewhere, inside that scenario's folder.
 */
function readScenario(folder: string, path: string): Uint8Array {
  const shipped = shippedScenario(path, folder);
  if (shipped !== null) return readRegular(shipped, LIMITS.scenarioBytes);
  const parts = path.split('/');
  if (!isAbsolute(path) && !parts.includes('..'))
    return readInside(realpathSync(folder), path, LIMITS.scenarioBytes);
  if (parts.some((part) => isDotted(part) && part !== '.' && part !== '..'))
    throw new Error('files and folders whose names begin with a dot are never read');
  const resolved = resolvePath(folder, path);
  return readInside(realpathSync(dirname(resolved)), basename(resolved), LIMITS.scenarioBytes);
}

function readYamlFile(path: string, fileKind: string): Uint8Array {
  try {
    return readRegular(path, LIMITS.scenarioBytes);
  } catch (error) {
    throw new UsageError(`the ${fileKind} ${path} can't be read: ${systemWords(error)}`, [
      'pass the path of a .yaml file',
    ]);
  }
}

/** The bytes of a file below `root`; links are followed if they lead to a place below it. */
function readInside(root: string, relative: string, bytesMax: number): Uint8Array {
  const parts = relative.split('/').filter((part) => part !== '' && part !== '.');
  if (parts.includes('..') || relative.startsWith('/')) throw new Error('the path is outside the folder');
  return readBelow({ root, followsLinks: true, allowsOwnNames: true }, parts, bytesMax);
}

function refuseRead(path: string): never {
  throw new Error(`${path} can't be read, because the scenario is not a file and so has no folder`);
}

/**
 * Files that a scenario names: templates and a tileset's manifest. Only paths in the scenario's folder or
 * below it are allowed: invalid paths are refused here, and links that lead outside are refused where the
 * disk is read (`folder.ts`).
 */
import { LIMITS } from '../base/limits.js';
import { systemWords } from '../base/system-words.js';
import { isDotted } from './files-below.js';
import type { MistakePlace, MistakeReport } from './report.js';

/** A scenario as the input of the loader. */
export interface ScenarioFile {
  /** The path as the user entered it, for messages; its last part is the name of the scenario. */
  path: string;
  content: Uint8Array | string;
  /** The path of its folder on disk; absent if it has none. */
  folder?: string;
  /**
   * Reads a file below the scenario's folder, by its checked relative path. Throws an Error whose message
   * gives the reason.
   */
  readFile(relative: string): Uint8Array;
}

/** The text of a file that the scenario names; undefined if it can't be read, which is reported at `at`. */
export function readNamedFile(
  file: ScenarioFile,
  path: string,
  {
    at,
    report,
    bytesMax = LIMITS.templateBytes,
  }: { at: MistakePlace; report: MistakeReport; bytesMax?: number },
): string | undefined {
  const problem = pathProblem(path);
  if (problem !== undefined) {
    report.error(
      at,
      `'${path.slice(0, 60)}' ${problem}`,
      'choose a file in the folder of the scenario, such as prompts/system.txt',
    );
    return undefined;
  }
  try {
    const bytes = file.readFile(path);
    if (bytes.length <= bytesMax) return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    report.error(at, `the file ${path} has ${bytes.length} bytes; the maximum is ${bytesMax}`);
  } catch (error) {
    const isText = error instanceof TypeError;
    report.error(
      at,
      isText ? `the file ${path} is not UTF-8 text` : `the file ${path} can't be read: ${systemWords(error)}`,
    );
  }
  return undefined;
}

/** The reason why a path is not allowed in a scenario; undefined if it is allowed. */
export function pathProblem(path: string): string | undefined {
  if (/^[A-Za-z][A-Za-z0-9+.-]*:/.test(path))
    return 'is an address or a drive, not a path relative to the scenario';
  if (path.startsWith('/') || path.startsWith('~')) return 'is not relative';
  if (/[\\\p{C}]/u.test(path)) return 'has a backslash or a control character';
  if (path.split('/').some((part) => part === '..')) return 'is outside the folder of the scenario';
  if (path.split('/').some((part) => part === '' || part === '.')) return "contains an empty part or '.'";
  return path.split('/').some(isDotted)
    ? 'has a name that begins with a dot; such files are never read'
    : undefined;
}

/** A path relative to the scenario as a path that the user can open. */
export function siblingPath(scenario: string, path: string): string {
  return scenario.slice(0, Math.max(scenario.lastIndexOf('/'), scenario.lastIndexOf('\\')) + 1) + path;
}

/**
 * Collects mistakes: every check reports its own, with the path of its value, and all of them are thrown
 * together at the end. Mistakes at paths set by `--set` are reported with the setting itself, because they
 * are in no file.
 */
import type { Diagnostic } from '../base/errors.js';
import { LIMITS } from '../base/limits.js';
import type { SourceFinding, SourcePosition, SourceText } from './source.js';
import { diagnostic, positionAt, scenarioError } from './source.js';
import type { YamlPath, Tree } from './tree.js';
import { positionInBlock, positionOf, existsAt } from './tree.js';

/**
 * A value by its path; a key by its path, which may have no value; a character in a block of text, row and
 * column from 0; or a character of another file that the scenario names.
 */
export type MistakePlace =
  | YamlPath
  | { key: YamlPath; lacks?: string }
  | { block: YamlPath; row: number; column: number }
  | { source: SourceText; offset: number };

/** The path in the scenario's own file; null for a position in another file. */
export function pathAt(at: MistakePlace): YamlPath | null {
  if ('source' in at) return null;
  return 'key' in at ? at.key : 'block' in at ? at.block : at;
}

/**
 * A suggestion, or a function if finding it takes time; the function is called only for mistakes that are
 * printed.
 */
export type Suggestion = string | undefined | (() => string | undefined);

/** Suggestions are searched only for this many mistakes, because a search takes time. */
const SUGGESTIONS_MAX = 40;

export interface MistakeReport {
  error(at: MistakePlace, message: string, suggestion?: Suggestion): void;
  warning(at: MistakePlace, message: string, suggestion?: Suggestion): void;
  /** Warns of words that agents must say and can't know. */
  unknowable(at: MistakePlace, phrase: string, message: string, suggestion: Suggestion): void;
  /** Reports an error on a line with a secret, without repeating the line. */
  secret(at: MistakePlace, message: string, suggestion: string): void;
  /** Whether an error has been found so far. */
  failed(): boolean;
}

/** A `--set` as the user wrote it, with the path that it changed. */
export interface SetOption {
  path: YamlPath;
  text: string;
}

export interface ScenarioFindings extends MistakeReport {
  list: Diagnostic[];
  /** Throws ScenarioError with everything found, in the order of the file, if it contains an error. */
  throwIfFailed(): void;
}

/**
 * An empty report for a file. `earlyFindings` were found while parsing; later mistakes at the same positions
 * only follow from them and are dropped.
 */
export function findingsFor(
  tree: () => Tree,
  settings: readonly SetOption[],
  earlyFindings: readonly Diagnostic[] = [],
): ScenarioFindings {
  const list: Diagnostic[] = [...earlyFindings];
  let errors = 0;
  const add = (
    at: MistakePlace,
    finding: Omit<SourceFinding, 'suggestion'>,
    suggestionOrSearch?: Suggestion,
  ): void => {
    if (finding.severity !== 'warning') errors++;
    if (list.length >= LIMITS.diagnosticsPrinted) return;
    const search = list.length < SUGGESTIONS_MAX ? suggestionOrSearch : undefined;
    const suggestion = typeof search === 'function' ? search() : search;
    const located = locate(tree(), settings, at, { ...finding, suggestion });
    if (!earlyFindings.some((earlier) => isSamePosition(earlier, located))) list.push(located);
  };
  const failed = (): boolean => errors > 0 || list.some((each) => each.severity === 'error');
  return {
    list,
    failed,
    error: (at, message, suggestion) => add(at, { message }, suggestion),
    warning: (at, message, suggestion) => add(at, { severity: 'warning', message }, suggestion),
    unknowable: (at, phrase, message, suggestion) =>
      add(at, { severity: 'warning', message, unknowable: phrase }, suggestion),
    secret: (at, message, suggestion) =>
      add(at, { message, masked: 'key' in at ? 'key' : 'value' }, suggestion),
    throwIfFailed: () => {
      if (failed()) throw scenarioError(sorted(list));
    },
  };
}

function isSamePosition(a: Diagnostic, b: Diagnostic): boolean {
  return a.file === b.file && a.line === b.line && a.column === b.column;
}

/** In the order of the file; other files follow in the order in which they were named. */
export function sorted(list: readonly Diagnostic[]): readonly Diagnostic[] {
  const files = [...new Set(list.map(({ file }) => file))];
  const rank = new Map(files.map((file, i) => [file, i]));
  return list.toSorted(
    (a, b) => (rank.get(a.file) ?? 0) - (rank.get(b.file) ?? 0) || a.line - b.line || a.column - b.column,
  );
}

function locate(
  tree: Tree,
  settings: readonly SetOption[],
  at: MistakePlace,
  finding: SourceFinding,
): Diagnostic {
  if ('source' in at) return diagnostic(at.source, positionAt(at.source, at.offset), finding);
  const setting = settings.findLast((each) => followsFromSetting(each.path, at, tree));
  if (setting !== undefined) return settingDiagnostic(setting, finding);
  return diagnostic(tree.source, positionFor(tree, at), finding);
}

/**
 * Whether a mistake follows from a setting: it set the value or its parent, or created missing parents on the
 * way.
 */
function followsFromSetting(
  settingPath: YamlPath,
  at: Exclude<MistakePlace, { source: SourceText }>,
  tree: Tree,
): boolean {
  const reportedPath = pathAt(at) ?? [];
  const path = 'key' in at && at.lacks !== undefined ? [...reportedPath, at.lacks] : reportedPath;
  return startsWith(path, settingPath) || (startsWith(settingPath, path) && !existsAt(tree, path));
}

function startsWith(path: YamlPath, start: YamlPath): boolean {
  return start.every((step, i) => String(path[i]) === String(step));
}

function positionFor(tree: Tree, at: Exclude<MistakePlace, { source: SourceText }>): SourcePosition {
  if ('key' in at) return positionOf(tree, at.key, { key: true });
  if ('block' in at) return positionInBlock(tree, at.block, at);
  return positionOf(tree, at);
}

/** A mistake in a `--set`, which is in no file: line 1 of the setting. */
export function settingDiagnostic(setting: Pick<SetOption, 'text'>, finding: SourceFinding): Diagnostic {
  const file = '--set';
  const shown: SourceFinding = finding.masked === undefined ? finding : { ...finding, masked: 'key' };
  return diagnostic({ file, text: setting.text, lineStarts: [0] }, { line: 1, column: 1 }, shown);
}

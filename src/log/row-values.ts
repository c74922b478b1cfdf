/**
 * The values of a row: JSON from its columns, parsed and checked against a shape, and the row itself against
 * its hash. In: texts as stored in the log; out: values, or a StorageError that describes the error. In
 * unchecked mode, values of another shape pass, because `verify` reports the consequences.
 */
import { isRecord } from '../base/json.js';
import { isId } from '../base/ids.js';
import { parseJson } from './blobs.js';
import type { CheckMode } from './blobs.js';
import { damaged } from './failures.js';
import { isListOf, isShallow } from './row-shapes.js';

/** What most lists are. */
const EMPTY_LIST_JSON = '[]';
const EMPTY_LIST: readonly never[] = Object.freeze([]);

export class RowValues {
  /** For messages. */
  readonly path: string;
  readonly checking: CheckMode;

  constructor(path: string, checking: CheckMode) {
    this.path = path;
    this.checking = checking;
  }

  /** JSON of a column that contains a list or a record; the wrong one of the two is damage too. */
  json<T>(text: string, label: string, shape: 'list' | 'record' = 'record'): T {
    if (text === EMPTY_LIST_JSON && shape === 'list') return EMPTY_LIST as T;
    const value = parseJson<T>(text, this.path, label);
    const actual = Array.isArray(value) ? 'list' : 'record';
    if (typeof value === 'object' && value !== null && actual === shape) return value;
    throw damaged(this.path, `${label} is not a ${shape}`);
  }

  /** Throws if a row does not match its hash; `isHashed`: also if it has none. */
  checkRow(
    label: string,
    { stored, isHashed }: { readonly stored: string | null | undefined; readonly isHashed: boolean },
    hash: () => string,
  ): void {
    if (this.checking === 'unchecked' || (!isHashed && (stored === null || stored === undefined))) return;
    if (hash() !== stored) throw damaged(this.path, `${label} was altered (hash mismatch)`);
  }

  /** JSON of a column that contains a list of such values. */
  list<T>(text: string, label: string, is: (value: unknown) => boolean): readonly T[] {
    const list = this.json<readonly T[]>(text, label, 'list');
    return list.length === 0 ? list : this.requireShape(list, label, (value) => isListOf(value, is));
  }

  /** JSON of any shape. */
  requireShallow<T>(value: T, label: string): T {
    if (isShallow(value)) return value;
    throw damaged(this.path, `${label} nests too deeply`);
  }

  /** An id becomes part of file names and of lines in a terminal, and a log may be untrusted. */
  agent(id: string, label: string): string {
    if (isId(id)) return id;
    throw damaged(this.path, `the agent of ${label} is not a valid id`);
  }

  /**
   * The value, or a StorageError. `verify` reports the effect of a record of another shape, so it accepts
   * such a value unchanged.
   */
  requireShape<T>(value: T, label: string, is: (value: unknown) => boolean): T {
    if (is(value) || (this.checking === 'unchecked' && isRecord(value))) return value;
    throw damaged(this.path, `the structure of ${label} is wrong`);
  }
}

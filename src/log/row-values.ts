/**
 * The values of a row: JSON from its columns, parsed and checked against a shape, and the row itself against
 * its hash. In: texts as stored in the log; out: values, or a StorageError that describes the error. In
 * unchecked mode, values of another shape pass, because `verify` reports the consequences.
 */
import { isId } from '../base/ids.js';
import { parseJson } from './blobs.js';
import type { CheckMode } from './blobs.js';
import { damaged } from './failures.js';
import { isListOf, isRecord, isShallow } from './row-shapes.js';

/** What most lists are. */
const NO_LIST = '[]';
const NOTHING: readonly never[] = Object.freeze([]);

export class RowValues {
  /** For messages. */
  readonly path: string;
  readonly checking: CheckMode;

  constructor(path: string, checking: CheckMode) {
    this.path = path;
    this.checking = checking;
  }

  /** JSON of a column that contains a list or a record; the wrong one of the two is damage too. */
  json<T>(text: string, what: string, shape: 'list' | 'record' = 'record'): T {
    if (text === NO_LIST && shape === 'list') return NOTHING as T;
    const value = parseJson<T>(text, this.path, what);
    const found = Array.isArray(value) ? 'list' : 'record';
    if (typeof value === 'object' && value !== null && found === shape) return value;
    throw damaged(this.path, `${what} is not a ${shape}`);
  }

  /** Throws if a row does not match its hash; `isHashed`: also if it has none. */
  checkRow(
    what: string,
    { stored, isHashed }: { readonly stored: string | null | undefined; readonly isHashed: boolean },
    hash: () => string,
  ): void {
    if (this.checking === 'unchecked' || (!isHashed && (stored === null || stored === undefined))) return;
    if (hash() !== stored) throw damaged(this.path, `${what} was altered (hash mismatch)`);
  }

  /** JSON of a column that contains a list of such values. */
  list<T>(text: string, what: string, is: (value: unknown) => boolean): readonly T[] {
    const list = this.json<readonly T[]>(text, what, 'list');
    return list.length === 0 ? list : this.shaped(list, what, (value) => isListOf(value, is));
  }

  /** JSON of any shape. */
  shallow<T>(value: T, what: string): T {
    if (isShallow(value)) return value;
    throw damaged(this.path, `${what} nests too deeply`);
  }

  /** An id becomes part of file names and of lines in a terminal, and a log may be untrusted. */
  agent(id: string, what: string): string {
    if (isId(id)) return id;
    throw damaged(this.path, `the agent of ${what} is not a valid id`);
  }

  /**
   * The value, or a StorageError. `verify` reports the effect of a record of another shape, so it accepts
   * such a value unchanged.
   */
  shaped<T>(value: T, what: string, is: (value: unknown) => boolean): T {
    if (is(value) || (this.checking === 'unchecked' && isRecord(value))) return value;
    throw damaged(this.path, `${what} has the wrong structure`);
  }
}

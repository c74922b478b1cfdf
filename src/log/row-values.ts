/**
 * JSON of a log's rows, parsed and checked against its shape, and rows against their hashes. In unchecked mode,
 * records of another shape pass, because `verify` reports the consequences.
 */
import { z } from 'zod';
import { isRecord } from '../base/json.js';
import { parseJson } from './blobs.js';
import type { CheckMode } from './blobs.js';
import { damaged } from './damaged.js';

/** What most lists are. */
const EMPTY_LIST_JSON = '[]';
const EMPTY_LIST: readonly never[] = Object.freeze([]);
/** The maximum depth of JSON in a log, as for canonical JSON: recursive code must not run out of stack. */
const DEPTH_MAX = 100;

export class RowValues {
  /** For messages. */
  readonly path: string;
  readonly checking: CheckMode;

  constructor(path: string, checking: CheckMode) {
    this.path = path;
    this.checking = checking;
  }

  /** The text's own value, never zod's copy, whose keys may have another order. */
  json<T>(text: unknown, label: string, shape: z.ZodType, isReplayed = false): T {
    if (text === EMPTY_LIST_JSON && shape instanceof z.ZodArray) return EMPTY_LIST as T;
    return this.shaped(parseJson<T>(text, this.path, label), label, shape, isReplayed);
  }

  /**
   * The same for JSON that is parsed already. `isReplayed`: in unchecked mode, records of another shape pass
   * in a list as well.
   */
  shaped<T>(value: T, label: string, shape: z.ZodType, isReplayed = false): T {
    if (shape instanceof z.ZodArray && !Array.isArray(value))
      throw damaged(this.path, `${label} is not a list`);
    if (!isShallow(value)) throw damaged(this.path, `${label} nests too deeply`);
    const { error } = shape.safeParse(value);
    if (error === undefined) return value;
    const records: readonly unknown[] = isReplayed && Array.isArray(value) ? value : [value];
    if (this.checking === 'unchecked' && records.every(isRecord)) return value;
    const [issue] = error.issues;
    const words = issue?.message
      .replace('Invalid input: ', '')
      .replace('received undefined', 'but it is missing');
    const problem = [...(issue?.path ?? []), words].join(': ');
    throw damaged(this.path, `the structure of ${label} is wrong: ${problem}`);
  }

  /** Throws if a row does not match its hash; `isHashed`: also if it has none. */
  checkRow(
    label: string,
    { stored, isHashed }: { stored: string | null | undefined; isHashed: boolean },
    hash: () => string,
  ): void {
    if (this.checking === 'unchecked' || (!isHashed && (stored === null || stored === undefined))) return;
    if (hash() !== stored) throw damaged(this.path, `${label} was altered (hash mismatch)`);
  }
}

/** Whether JSON is nested no deeper than anything that the program writes. */
function isShallow(value: unknown, depth = 0): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (depth >= DEPTH_MAX) return false;
  for (const inner of Array.isArray(value) ? (value as readonly unknown[]) : Object.values(value))
    if (typeof inner === 'object' && inner !== null && !isShallow(inner, depth + 1)) return false;
  return true;
}

/**
 * What people think of steps: accepted, rejected, or answered better. Kept beside the log as `<log>.marks.jsonl`, never in it: one line a mark, the last one on a
 * step holds. In: a log's path; out: marks by run and step. A file that holds something else is a StorageError with its line.
 */
import { appendFileSync, existsSync, readFileSync, statSync } from 'node:fs';
import { LIMITS } from '../base/limits.js';
import { StorageError } from '../base/errors.js';
import { systemWords } from '../base/system-words.js';

export const VERDICTS = ['accepted', 'rejected', 'corrected'] as const;
export type Verdict = (typeof VERDICTS)[number];

/** A person's word on one step. */
export interface Mark {
  readonly run: string;
  readonly step: number;
  readonly verdict: Verdict;
  /** Why it was rejected, or what should have been answered; '' where nothing was said. */
  readonly text: string;
}

/** Marks of one log. */
export interface Marks {
  /** The one that holds; null for none. */
  of(run: string, step: number): Mark | null;
  /** Those that hold on a run's steps, in the order of the steps. */
  ofRun(run: string): readonly Mark[];
}

export function marksPath(log: string): string {
  return `${log}.marks.jsonl`;
}

/** None where there is no such file. Throws StorageError for one that can't be read. */
export function readMarks(log: string): Marks {
  const path = marksPath(log);
  const held = new Map<string, Map<number, Mark>>();
  linesOf(path).forEach((line, i) => {
    if (line === '') return;
    const mark = markFrom(line);
    if (mark === null) throw new StorageError(`${path} can't be read: line ${i + 1} is no mark`);
    const steps = held.get(mark.run) ?? new Map<number, Mark>();
    held.set(mark.run, steps.set(mark.step, mark));
  });
  return {
    of: (run, step) => held.get(run)?.get(step) ?? null,
    ofRun: (run) => [...(held.get(run)?.values() ?? [])].sort((a, b) => a.step - b.step),
  };
}

/** Adds a line. Throws StorageError where it can't be written. */
export function addMark(log: string, { run, step, verdict, text }: Mark): void {
  const path = marksPath(log);
  guarded(path, 'written', () => {
    // A line that a full disk cut off ends here.
    const isCut = existsSync(path) && !readFileSync(path, 'utf8').endsWith('\n') && statSync(path).size > 0;
    appendFileSync(path, `${isCut ? '\n' : ''}${JSON.stringify({ run, step, verdict, text })}\n`);
  });
}

function linesOf(path: string): readonly string[] {
  if (!existsSync(path)) return [];
  return guarded(path, 'read', () => {
    if (statSync(path).size > LIMITS.marksBytes)
      throw new StorageError(`${path} can't be read: it is larger than ${LIMITS.marksBytes} bytes`);
    return readFileSync(path, 'utf8').split('\n');
  });
}

function markFrom(line: string): Mark | null {
  const value = parsed(line);
  if (typeof value !== 'object' || value === null) return null;
  const { run, step, verdict, text }: Partial<Record<keyof Mark, unknown>> = value;
  const known = VERDICTS.find((one) => one === verdict);
  if (typeof run !== 'string' || typeof step !== 'number' || !Number.isSafeInteger(step)) return null;
  if (known === undefined || typeof text !== 'string' || text.length > LIMITS.markCharacters) return null;
  return { run, step, verdict: known, text };
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line) as unknown;
  } catch {
    return null;
  }
}

function guarded<T>(path: string, verb: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof StorageError) throw error;
    throw new StorageError(`${path} can't be ${verb}: ${systemWords(error)}`);
  }
}

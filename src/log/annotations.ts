/**
 * People's verdicts on steps: accepted, rejected, or corrected. They are stored next to the log as
 * `<log>.marks.jsonl`, never in it: one line per mark; the last mark on a step counts, and `none` removes it.
 * Any other content of the file is a StorageError with its line.
 */
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  readSync,
  statSync,
  writeSync,
} from 'node:fs';
import { LIMITS } from '../base/limits.js';
import { StorageError } from '../base/errors.js';
import { systemWords } from '../base/system-words.js';
import { wellFormedJson } from '../base/text.js';
import type { ActRecord } from '../trajectory/act.js';
import type { StepRecord } from '../trajectory/records.js';

const VERDICTS = ['accepted', 'rejected', 'corrected'] as const;
export type AnnotationVerdict = (typeof VERDICTS)[number];

/** A person's verdict on one step, or its removal. */
export interface AnnotationEntry {
  run: string;
  step: number;
  verdict: AnnotationVerdict | 'none';
  /** The reason for a rejection, or the correct answer; '' if none was given. */
  text: string;
}

/** A verdict that was not removed. */
export interface Annotation extends AnnotationEntry {
  verdict: AnnotationVerdict;
}

/** Marks of one log. */
export interface AnnotationReader {
  /** The mark that counts; null for none. */
  of(run: string, step: number): Annotation | null;
  /** The marks that count on a run's steps, in the order of the steps. */
  ofRun(run: string): readonly Annotation[];
}

export const NO_MARKS: AnnotationReader = { of: () => null, ofRun: () => [] };

/**
 * The act whose reply a mark on the step judges: the one that settled the step, or the last reply if a forced
 * wait replaced it. Null if no controller answered.
 */
export function judgedAct({ acts }: Pick<StepRecord, 'acts'>): (ActRecord & { call: number }) | null {
  for (const act of acts.toReversed()) if (act.call !== null) return { ...act, call: act.call };
  return null;
}

export function marksPath(log: string): string {
  return `${log}.marks.jsonl`;
}

/** None if the file does not exist. Throws StorageError if it can't be read. */
export function readMarks(log: string): AnnotationReader {
  const path = marksPath(log);
  const marksByRun = new Map<string, Map<number, Annotation>>();
  linesOf(path).forEach((line, i) => {
    if (line === '') return;
    const mark = parseMark(line);
    if (mark === null) throw new StorageError(`${path} can't be read: line ${i + 1} is not a mark`);
    const steps = marksByRun.get(mark.run) ?? new Map<number, Annotation>();
    marksByRun.set(mark.run, steps);
    const { verdict } = mark;
    if (verdict === 'none') steps.delete(mark.step);
    else steps.set(mark.step, { ...mark, verdict });
  });
  return {
    of: (run, step) => marksByRun.get(run)?.get(step) ?? null,
    ofRun: (run) => [...(marksByRun.get(run)?.values() ?? [])].sort((a, b) => a.step - b.step),
  };
}

/**
 * Adds a line, which is on disk when this returns. Throws StorageError if it can't be written; then the file
 * is unchanged.
 */
export function addMark(log: string, { run, step, verdict, text }: AnnotationEntry): void {
  const path = marksPath(log);
  withStorageErrors(path, 'written', () => {
    // A log may come from someone else, so the marks file next to it is written only if it is a plain file
    // and not a link.
    const { O_RDWR, O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK } = constants;
    const file = openSync(path, O_RDWR | O_APPEND | O_CREAT | (O_NOFOLLOW ?? 0) | (O_NONBLOCK ?? 0), 0o666);
    try {
      appendLine(file, path, JSON.stringify({ run, step, verdict, text }));
    } finally {
      closeSync(file);
    }
  });
}

function appendLine(file: number, path: string, line: string): void {
  const stat = fstatSync(file);
  if (!stat.isFile()) throw new StorageError(`${path} can't be written: it is not a plain file`);
  const { size } = stat;
  const last = Buffer.alloc(1);
  const hasPartialLine = size > 0 && readSync(file, last, 0, 1, size - 1) === 1 && last.toString() !== '\n';
  const bytes = Buffer.from(`${hasPartialLine ? '\n' : ''}${line}\n`);
  if (size + bytes.length > LIMITS.marksBytes)
    throw new StorageError(`${path} can't be written: it would be larger than ${LIMITS.marksBytes} bytes`);
  try {
    for (let done = 0; done < bytes.length;) done += writeSync(file, bytes, done);
    fsyncSync(file);
  } catch (error) {
    // Half a line would make the whole file unreadable, so it is removed.
    ftruncateSync(file, size);
    throw error;
  }
}

function linesOf(path: string): readonly string[] {
  if (!existsSync(path)) return [];
  return withStorageErrors(path, 'read', () => {
    const stat = statSync(path);
    // Reading an untrusted pipe or device might block, or never end.
    if (!stat.isFile()) throw new StorageError(`${path} can't be read: it is not a plain file`);
    if (stat.size > LIMITS.marksBytes)
      throw new StorageError(`${path} can't be read: it is larger than ${LIMITS.marksBytes} bytes`);
    // Decoded without the byte order mark that an editor may have added.
    return new TextDecoder().decode(readFileSync(path)).split('\n');
  });
}

/** The verdict in a line; null for any other text. */
export function parseMark(line: string): AnnotationEntry | null {
  const value = parse(line);
  if (typeof value !== 'object' || value === null) return null;
  const { run, step, verdict, text }: Partial<Record<keyof AnnotationEntry, unknown>> = value;
  const knownVerdict = [...VERDICTS, 'none' as const].find((one) => one === verdict);
  if (typeof run !== 'string' || typeof step !== 'number' || !Number.isSafeInteger(step)) return null;
  if (knownVerdict === undefined || typeof text !== 'string' || text.length > LIMITS.markCharacters)
    return null;
  return { run, step, verdict: knownVerdict, text };
}

function parse(line: string): unknown {
  try {
    return JSON.parse(wellFormedJson(line)) as unknown;
  } catch {
    return null;
  }
}

function withStorageErrors<T>(path: string, verb: string, operation: () => T): T {
  try {
    return operation();
  } catch (error) {
    if (error instanceof StorageError) throw error;
    throw new StorageError(`${path} can't be ${verb}: ${systemWords(error)}`);
  }
}

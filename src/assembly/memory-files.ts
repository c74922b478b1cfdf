/**
 * Memories that are kept across runs, as files: one for each agent with a memory of the kind `file`, named by
 * scenario and agent. The content was written by an earlier run or a person, so it is checked when read; it
 * is written completely or not at all. The file name is made here, never taken from the scenario's text.
 */
import { join } from 'node:path';
import { isNoteList } from '../agent/memories/notes.js';
import { AssertionError } from '../base/assert.js';
import { canonicalJson, sha256 } from '../base/canonical.js';
import { errorMessage, StorageError, UsageError } from '../base/errors.js';
import type { Json } from '../base/json.js';
import { LIMITS } from '../base/limits.js';
import { makeFolder } from '../log/folder.js';
import { writeAtomically } from '../log/write-atomically.js';
import { readIfExists } from '../scenario/regular-file.js';

/** The folder of memories that are kept across runs. */
export interface MemoryStore {
  /**
   * What an earlier run stored for an agent; null if there is nothing. Throws UsageError if that can't be
   * used.
   */
  read(agent: string): Json;
  /** Throws StorageError if it can't be written. */
  write(agent: string, kept: Json): void;
}

/**
 * Memories as files in a folder, one for each agent; `scenario` is the scenario's name. The folder is created
 * when something is written.
 */
export function memoryFiles(folder: string, scenario: string): MemoryStore {
  const pathOf = (agent: string): string => join(folder, `${fileName(scenario)}.${fileName(agent)}.json`);
  return {
    read: (agent) => readNotes(pathOf(agent)),
    write: (agent, kept) => writeNotes(folder, pathOf(agent), kept),
  };
}

const DIGITS = 16;

/**
 * Dots separate the parts of the name, so no part contains one, and no part can lead outside the folder. If a
 * part is too long for a file name, its hash replaces the rest; it is then longer than any complete one, so
 * that two scenarios never share a file.
 */
function fileName(name: string): string {
  const encoded = encodeURIComponent(name.toWellFormed()).replaceAll('.', '%2E').replaceAll('*', '%2A');
  if (encoded.length <= LIMITS.fileNameBytes) return encoded;
  return `${encoded.slice(0, LIMITS.fileNameBytes - DIGITS)}~${sha256(encoded).slice(0, DIGITS)}`;
}

function readNotes(path: string): Json {
  const text = readTextIfThere(path);
  if (text === null) return null;
  const notes = parseStorable(text, path);
  if (isNoteList(notes)) return notes;
  throw unusableFile(path, 'it is not a list of notes');
}

function readTextIfThere(path: string): string | null {
  try {
    const bytes = readIfExists(path, LIMITS.keptBytes);
    return bytes === null ? null : new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw unusableFile(path, errorMessage(error));
  }
}

/** A log must be able to hold it exactly. */
function parseStorable(text: string, path: string): Json {
  try {
    const kept = JSON.parse(text) as Json;
    canonicalJson(kept);
    return kept;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof AssertionError)
      throw unusableFile(path, errorMessage(error));
    throw error;
  }
}

function writeNotes(folder: string, path: string, notes: Json): void {
  try {
    makeFolder(folder);
    writeAtomically(path, `${JSON.stringify(notes, null, 2)}\n`);
  } catch (error) {
    throw new StorageError(`the memory file ${path} can't be written: ${errorMessage(error)}`, [
      'the log contains what would have been written',
      'choose another folder with --memories',
    ]);
  }
}

function unusableFile(path: string, reason: string): UsageError {
  return new UsageError(`the memory file ${path} can't be used: ${reason}`, [
    'repair or remove the file, or choose another folder with --memories',
  ]);
}

/**
 * A memory of notes: the agent's NOTE texts come before each turn's text, after the newest turns. Notes may
 * come from an earlier run (`kept`) and be passed on to a later one.
 */
import { quoted } from '../../base/text.js';
import type { Json } from '../../base/json.js';
import { LIMITS } from '../../base/limits.js';
import type { Message } from '../../model/chat.js';
import type { MemoryExchange, Memory } from '../memory.js';
import { toExchange, exchangeMessages, userMessage } from '../memory.js';
import { blockTrim } from './turns.js';

export interface NotesOptions {
  turnsMax: number;
  turnsKept: number;
  /** The number of newest turns that keep their pictures. */
  pictures?: number;
  /** The oldest notes beyond these are forgotten. */
  notesMax: number;
  /** Whether the notes are handed to a later run. */
  lasts: boolean;
}

/** `kept` may be anything: anything but a list of texts counts as no notes. */
export function notesMemory(options: NotesOptions, kept: Json): Memory {
  const texts = Array.isArray(kept) ? kept.filter((note) => typeof note === 'string') : [];
  return memoryOf(limitNotes(texts, options), [], options);
}

/** Whether a value could be the notes of an earlier run. */
export function isNoteList(value: Json): value is readonly string[] {
  return Array.isArray(value) && value.every((note) => typeof note === 'string');
}

function memoryOf(notes: readonly string[], past: readonly MemoryExchange[], options: NotesOptions): Memory {
  const noteMessages = notesMessages(notes);
  const trim = blockTrim(options.turnsMax, options.turnsKept);
  const memory: Memory = {
    messages: () => [...exchangeMessages(past, options.pictures ?? 0), ...noteMessages],
    remember: (turn) =>
      memoryOf(
        turn.notes.length === 0
          ? notes
          : limitNotes([...notes.filter((note) => !turn.notes.includes(note)), ...new Set(turn.notes)], options),
        trim([...past, toExchange(turn)]),
        options,
      ),
    textRequest: () => null,
    withText: () => memory,
    kept: () => (options.lasts ? notes : null),
  };
  return memory;
}

function limitNotes(notes: readonly string[], { notesMax }: NotesOptions): readonly string[] {
  return notes
    .slice(Math.max(0, notes.length - notesMax))
    .map((note) => note.slice(0, LIMITS.noteCharacters));
}

function notesMessages(notes: readonly string[]): readonly Message[] {
  if (notes.length === 0) return [];
  const lines = notes.map((note) => `- ${quoted(note, LIMITS.noteCharacters)}`);
  return [userMessage(['Your notes, oldest first:', ...lines].join('\n'))];
}

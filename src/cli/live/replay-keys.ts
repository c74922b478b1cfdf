/** The keys of `replay` in the terminal, as one table: what each does, and how the help tells it. */
import type { PressedKey } from '../terminal/screen.js';

export type KeyAction =
  | 'play'
  | 'next'
  | 'previous'
  | 'first'
  | 'last'
  | 'go'
  | 'agent'
  | 'view'
  | 'find'
  | 'again'
  | 'back'
  | 'up'
  | 'down'
  | 'page-up'
  | 'page-down'
  | 'faster'
  | 'slower'
  | 'help'
  | 'quit';

interface ReplayKey {
  readonly action: KeyAction;
  /** Node's names of keys, or the character typed. */
  readonly keys: readonly string[];
  readonly shown: string;
  readonly does: string;
}

export const KEYS: readonly ReplayKey[] = [
  { action: 'play', keys: ['space'], shown: 'space', does: 'play, pause' },
  { action: 'next', keys: ['right', 'l'], shown: '→ l', does: 'next step' },
  { action: 'previous', keys: ['left', 'h'], shown: '← h', does: 'step before' },
  { action: 'first', keys: ['home'], shown: 'home', does: 'first step' },
  { action: 'last', keys: ['end', 'G'], shown: 'end G', does: 'last step' },
  { action: 'go', keys: ['g'], shown: 'g', does: 'go to a step' },
  { action: 'agent', keys: ['a'], shown: 'a', does: 'steps of one agent, of the next one, of all' },
  { action: 'view', keys: ['v'], shown: 'v', does: 'what was sent, the whole map, all side by side' },
  { action: 'find', keys: ['/'], shown: '/', does: 'find text from here on' },
  { action: 'again', keys: ['n'], shown: 'n', does: 'find it again' },
  { action: 'back', keys: ['N'], shown: 'N', does: 'find it again, backwards' },
  { action: 'up', keys: ['up', 'k'], shown: '↑ k', does: 'text: a line up' },
  { action: 'down', keys: ['down', 'j'], shown: '↓ j', does: 'text: a line down' },
  { action: 'page-up', keys: ['pageup'], shown: 'page up', does: 'text: a page up' },
  { action: 'page-down', keys: ['pagedown'], shown: 'page down', does: 'text: a page down' },
  { action: 'faster', keys: ['+', '='], shown: '+', does: 'play faster' },
  { action: 'slower', keys: ['-'], shown: '-', does: 'play slower' },
  { action: 'help', keys: ['?'], shown: '?', does: 'this list' },
  { action: 'quit', keys: ['q'], shown: 'q', does: 'quit' },
];

/** Null for keys that mean nothing. */
export function actionOf({ name, sequence, ctrl, meta }: PressedKey): KeyAction | null {
  if (ctrl === true || meta === true) return null;
  // What was typed goes first: capitals have the name of their small letter.
  const row =
    KEYS.find(({ keys }) => sequence !== undefined && keys.includes(sequence)) ??
    (sequence !== undefined && /^[A-Z]$/.test(sequence)
      ? undefined
      : KEYS.find(({ keys }) => name !== undefined && keys.includes(name)));
  return row?.action ?? null;
}

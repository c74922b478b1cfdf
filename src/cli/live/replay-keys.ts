/** The keys of `replay` in the terminal, as one table: what each does, and its help text. */
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
  { action: 'play', keys: ['space'], shown: 'space', does: 'play or pause' },
  { action: 'next', keys: ['right', 'l'], shown: '→ l', does: 'next step' },
  { action: 'previous', keys: ['left', 'h'], shown: '← h', does: 'previous step' },
  { action: 'first', keys: ['home'], shown: 'home', does: 'first step' },
  { action: 'last', keys: ['end', 'G'], shown: 'end G', does: 'last step' },
  { action: 'go', keys: ['g'], shown: 'g', does: 'go to a step' },
  {
    action: 'agent',
    keys: ['a'],
    shown: 'a',
    does: "show one agent's steps; again: the next agent, then all",
  },
  {
    action: 'view',
    keys: ['v'],
    shown: 'v',
    does: 'show the sent picture, the whole map, or all side by side',
  },
  { action: 'find', keys: ['/'], shown: '/', does: 'search for text from this step' },
  { action: 'again', keys: ['n'], shown: 'n', does: 'next search result' },
  { action: 'back', keys: ['N'], shown: 'N', does: 'previous search result' },
  { action: 'up', keys: ['up', 'k'], shown: '↑ k', does: 'scroll the text up one line' },
  { action: 'down', keys: ['down', 'j'], shown: '↓ j', does: 'scroll the text down one line' },
  { action: 'page-up', keys: ['pageup'], shown: 'page up', does: 'scroll the text up one page' },
  { action: 'page-down', keys: ['pagedown'], shown: 'page down', does: 'scroll the text down one page' },
  { action: 'faster', keys: ['+', '='], shown: '+', does: 'play faster' },
  { action: 'slower', keys: ['-'], shown: '-', does: 'play slower' },
  { action: 'help', keys: ['?'], shown: '?', does: 'this list' },
  { action: 'quit', keys: ['q'], shown: 'q', does: 'quit' },
];

/** Null for keys that mean nothing. */
export function actionOf({ name, sequence, ctrl, meta }: PressedKey): KeyAction | null {
  if (ctrl === true || meta === true) return null;
  // The typed character comes first, because Node gives a capital the name of its small letter.
  const row =
    KEYS.find(({ keys }) => sequence !== undefined && keys.includes(sequence)) ??
    (sequence !== undefined && /^[A-Z]$/.test(sequence)
      ? undefined
      : KEYS.find(({ keys }) => name !== undefined && keys.includes(name)));
  return row?.action ?? null;
}

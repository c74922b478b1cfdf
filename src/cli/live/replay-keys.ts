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
  action: KeyAction;
  /** Node's names of keys, or the character typed. */
  keys: readonly string[];
  label: string;
  description: string;
}

export const KEYS: readonly ReplayKey[] = [
  { action: 'play', keys: ['space'], label: 'space', description: 'play or pause' },
  { action: 'next', keys: ['right', 'l'], label: '→ l', description: 'next step' },
  { action: 'previous', keys: ['left', 'h'], label: '← h', description: 'previous step' },
  { action: 'first', keys: ['home'], label: 'home', description: 'first step' },
  { action: 'last', keys: ['end', 'G'], label: 'end G', description: 'last step' },
  { action: 'go', keys: ['g'], label: 'g', description: 'go to a step' },
  {
    action: 'agent',
    keys: ['a'],
    label: 'a',
    description: "show one agent's steps; again: the next agent, then all",
  },
  {
    action: 'view',
    keys: ['v'],
    label: 'v',
    description: 'show the sent picture, the whole map, or all side by side',
  },
  { action: 'find', keys: ['/'], label: '/', description: 'search for text from this step' },
  { action: 'again', keys: ['n'], label: 'n', description: 'next search result' },
  { action: 'back', keys: ['N'], label: 'N', description: 'previous search result' },
  { action: 'up', keys: ['up', 'k'], label: '↑ k', description: 'scroll the text up one line' },
  { action: 'down', keys: ['down', 'j'], label: '↓ j', description: 'scroll the text down one line' },
  { action: 'page-up', keys: ['pageup'], label: 'page up', description: 'scroll the text up one page' },
  {
    action: 'page-down',
    keys: ['pagedown'],
    label: 'page down',
    description: 'scroll the text down one page',
  },
  { action: 'faster', keys: ['+', '='], label: '+', description: 'play faster' },
  { action: 'slower', keys: ['-'], label: '-', description: 'play slower' },
  { action: 'help', keys: ['?'], label: '?', description: 'this list' },
  { action: 'quit', keys: ['q'], label: 'q', description: 'quit' },
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

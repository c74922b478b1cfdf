/** The keys of the page, in the order of its help. Keys typed into a field belong to the field. */

export type PageAction =
  | 'play'
  | 'next'
  | 'back'
  | 'first'
  | 'last'
  | 'go'
  | 'agent'
  | 'view'
  | 'beside'
  | 'find'
  | 'found'
  | 'foundBack'
  | 'problem'
  | 'fork'
  | 'accept'
  | 'reject'
  | 'correct'
  | 'open'
  | 'judged'
  | 'faster'
  | 'slower'
  | 'theme'
  | 'help';

export interface KeyLine {
  keys: readonly string[];
  label: string;
  description: string;
  action: PageAction;
}

export const KEYS: readonly KeyLine[] = [
  { keys: [' '], label: 'space', description: 'play or pause', action: 'play' },
  { keys: ['ArrowRight', 'l'], label: '→ l', description: 'next step', action: 'next' },
  { keys: ['ArrowLeft', 'h'], label: '← h', description: 'previous step', action: 'back' },
  { keys: ['Home'], label: 'home', description: 'before the first step', action: 'first' },
  { keys: ['End', 'G'], label: 'end G', description: 'last step', action: 'last' },
  { keys: ['g'], label: 'g', description: 'go to a step: type its number', action: 'go' },
  {
    keys: ['a'],
    label: 'a',
    description: "one agent's steps; again: the next agent, then all",
    action: 'agent',
  },
  {
    keys: ['v'],
    label: 'v',
    description: 'next view: the map, the view of each agent, the sent picture',
    action: 'view',
  },
  { keys: ['b'], label: 'b', description: 'show or hide a second picture', action: 'beside' },
  {
    keys: ['/'],
    label: '/',
    description: 'find words in prompts, replies, results and speech',
    action: 'find',
  },
  { keys: ['n'], label: 'n', description: 'next search result', action: 'found' },
  { keys: ['N'], label: 'N', description: 'previous search result', action: 'foundBack' },
  { keys: ['p'], label: 'p', description: 'next step with a problem', action: 'problem' },
  { keys: ['f'], label: 'f', description: 'next step where a fork begins', action: 'fork' },
  {
    keys: ['m'],
    label: 'm',
    description: 'next step that was accepted, rejected or corrected',
    action: 'judged',
  },
  { keys: ['+', '='], label: '+', description: 'play faster', action: 'faster' },
  { keys: ['-'], label: '-', description: 'play slower', action: 'slower' },
  { keys: ['t'], label: 't', description: 'colours: system, light or dark', action: 'theme' },
  { keys: ['?'], label: '?', description: 'this list', action: 'help' },
];

/** Further keys of a served page, which can store verdicts on steps. */
export const ANNOTATION_KEYS: readonly KeyLine[] = [
  { keys: ['y'], label: 'y', description: 'accept the step; press again to undo', action: 'accept' },
  { keys: ['x'], label: 'x', description: 'reject the step, with a reason', action: 'reject' },
  { keys: ['c'], label: 'c', description: 'correct the step: enter the right reply', action: 'correct' },
  { keys: ['u'], label: 'u', description: 'next step that has not been judged', action: 'open' },
];

/** The action of a key; null if it has none, or belongs to the focused element. */
export function actionOf(event: KeyboardEvent, keys: readonly KeyLine[]): PageAction | null {
  if (event.ctrlKey || event.metaKey || event.altKey) return null;
  // A dialog that was just closed keeps the focus until the next frame.
  const { target: focused } = event;
  const isShown = focused instanceof Element && focused.closest('dialog:not([open])') === null;
  const target = isShown ? focused : null;
  const has = (selector: string) => (target?.closest(selector) ?? null) !== null;
  if (has('input:not([type=range]), select, textarea, dialog')) return null;
  // The space bar presses a focused button, and arrows move between tabs.
  if (event.key === ' ' && has('button, summary')) return null;
  if (event.key.startsWith('Arrow') && has('[role=tab]')) return null;
  return keys.find((line) => line.keys.includes(event.key))?.action ?? null;
}

/** The keys of the page, in the order of its list. What is typed into a field is the field's. */

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
  readonly keys: readonly string[];
  readonly shown: string;
  readonly does: string;
  readonly deed: PageAction;
}

export const KEYS: readonly KeyLine[] = [
  { keys: [' '], shown: 'space', does: 'play or pause', deed: 'play' },
  { keys: ['ArrowRight', 'l'], shown: '→ l', does: 'next step', deed: 'next' },
  { keys: ['ArrowLeft', 'h'], shown: '← h', does: 'previous step', deed: 'back' },
  { keys: ['Home'], shown: 'home', does: 'before the first step', deed: 'first' },
  { keys: ['End', 'G'], shown: 'end G', does: 'last step', deed: 'last' },
  { keys: ['g'], shown: 'g', does: 'go to a step: type its number', deed: 'go' },
  { keys: ['a'], shown: 'a', does: "one agent's steps; again: the next agent, then all", deed: 'agent' },
  {
    keys: ['v'],
    shown: 'v',
    does: 'next view: the map, the view of each agent, the sent picture',
    deed: 'view',
  },
  { keys: ['b'], shown: 'b', does: 'show or hide a second picture', deed: 'beside' },
  { keys: ['/'], shown: '/', does: 'find words in prompts, replies, results and speech', deed: 'find' },
  { keys: ['n'], shown: 'n', does: 'next search result', deed: 'found' },
  { keys: ['N'], shown: 'N', does: 'previous search result', deed: 'foundBack' },
  { keys: ['p'], shown: 'p', does: 'next step with a problem', deed: 'problem' },
  { keys: ['f'], shown: 'f', does: 'next step where a fork begins', deed: 'fork' },
  {
    keys: ['m'],
    shown: 'm',
    does: 'next step that was accepted, rejected or corrected',
    deed: 'judged',
  },
  { keys: ['+', '='], shown: '+', does: 'play faster', deed: 'faster' },
  { keys: ['-'], shown: '-', does: 'play slower', deed: 'slower' },
  { keys: ['t'], shown: 't', does: 'colours: system, light or dark', deed: 'theme' },
  { keys: ['?'], shown: '?', does: 'this list', deed: 'help' },
];

/** Those of a page that a program serves, which keeps what somebody thinks of a step. */
export const JUDGING_KEYS: readonly KeyLine[] = [
  { keys: ['y'], shown: 'y', does: 'accept the step; press again to undo', deed: 'accept' },
  { keys: ['x'], shown: 'x', does: 'reject the step, with a reason', deed: 'reject' },
  { keys: ['c'], shown: 'c', does: 'correct the step: enter the right reply', deed: 'correct' },
  { keys: ['u'], shown: 'u', does: 'next step that has not been judged', deed: 'open' },
];

/** What a key does here; null if it is none of ours, or belongs to the element that has the focus. */
export function actionOf(event: KeyboardEvent, keys: readonly KeyLine[]): PageAction | null {
  if (event.ctrlKey || event.metaKey || event.altKey) return null;
  // A dialog that was just closed keeps the focus until the next frame.
  const target = event.target instanceof Element && !isClosed(event.target) ? event.target : null;
  const has = (selector: string) => (target?.closest(selector) ?? null) !== null;
  if (has('input:not([type=range]), select, textarea, dialog')) return null;
  // A button is pressed with the space bar, a slider and tabs have arrows of their own.
  if (event.key === ' ' && has('button, summary')) return null;
  if (event.key.startsWith('Arrow') && has('[role=tab]')) return null;
  return keys.find((line) => line.keys.includes(event.key))?.deed ?? null;
}

function isClosed(target: Element): boolean {
  return target.closest('dialog:not([open])') !== null;
}

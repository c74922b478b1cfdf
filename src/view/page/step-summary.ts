/** A step and a run in one line each: for screen readers, the timeline and the head of the page. */
import { counted, loggedSteps } from '../../base/counted.js';
import type { PageRun, PageStep } from '../page-data.js';
import { wordsOf } from './act-words.js';
import { nameOf } from './state.js';
import { annotationText, standInText } from './step-highlights.js';

/** The agent, its action and the result. */
export function summaryOf(run: PageRun, step: PageStep | null): string {
  if (step === null) return 'Before the first step';
  const act = step.acts.at(-1);
  const head = `Step ${step.step} of ${run.steps.length}, turn ${step.turn}, ${nameOf(run, step.agent)}`;
  const mark = run.marks.get(step.step);
  const verdictNote = mark === undefined ? '' : `. Verdict: ${annotationText(mark)}`;
  if (act === undefined) return `${head}: the turn ends${verdictNote}`;
  const standIn = standInText(step);
  if (standIn !== null) return `${head}: ${standIn}${verdictNote}`;
  return `${head}: ${wordsOf(act) || 'not understood'}. ${act.message}${verdictNote}`;
}

/** The maximum number of agents that are named; more are only counted. */
const MAX_NAMED = 6;

/** The run's outcome, length, players and file. */
export function statusOf({ end, hasMore, steps, file, agents }: PageRun): string {
  const outcome = end?.status ?? (hasMore ? 'loading' : 'unfinished');
  return `${outcome} · ${loggedSteps(steps.length)} · ${playersText(agents)} · ${file}`;
}

function playersText(agents: PageRun['agents']): string {
  if (agents.length <= MAX_NAMED)
    return agents.map(({ name, player }) => (player === '' ? name : `${name} (${player})`)).join(', ');
  const players = [...new Set(agents.map(({ player }) => player))].filter((one) => one !== '');
  const playersNote = players.length === 0 ? '' : ` (${players.join(', ')})`;
  return `${counted(agents.length, 'agent')}${playersNote}`;
}

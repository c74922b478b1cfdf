/**
 * A step and a run in one line each: for screen readers, the timeline and the head of the page. In: a run
 * and a step; out: words.
 */
import { counted } from '../../base/counted.js';
import type { PageRun, PageStep } from '../page-data.js';
import { nameOf } from './state.js';
import { saidWords, standInOf } from './step-highlights.js';

/** One line for screen readers: who did what in which step, and the outcome. */
export function summaryOf(run: PageRun, step: PageStep | null): string {
  if (step === null) return 'Before the first step';
  const act = step.acts.at(-1);
  const head = `Step ${step.step} of ${run.steps.length}, turn ${step.turn}, ${nameOf(run, step.agent)}`;
  const mark = run.marks.get(step.step);
  const judged = mark === undefined ? '' : `. Judged: ${saidWords(mark)}`;
  if (act === undefined) return `${head}: the turn ends${judged}`;
  const standIn = standInOf(step);
  if (standIn !== null) return `${head}: ${standIn}${judged}`;
  return `${head}: ${act.words === '' ? 'not understood' : act.words}. ${act.message}${judged}`;
}

/** More agents are counted, not named: the line has to leave room for the page. */
const NAMED = 6;

/** How the run went, who took part, and where it lies, in one line. */
export function statusOf({ end, steps, file, agents }: PageRun): string {
  const how = end === null ? 'unfinished' : end.status;
  return `${how} · ${counted(steps.length, 'step')} · ${whoPlays(agents)} · ${file}`;
}

function whoPlays(agents: PageRun['agents']): string {
  if (agents.length <= NAMED)
    return agents.map(({ name, player }) => (player === '' ? name : `${name} (${player})`)).join(', ');
  const players = [...new Set(agents.map(({ player }) => player))].filter((one) => one !== '');
  const by = players.length === 0 ? '' : ` (${players.join(', ')})`;
  return `${counted(agents.length, 'agent')}${by}`;
}

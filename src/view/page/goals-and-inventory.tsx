/**
 * Who acts in a step, for the reader: its goals and what it held before. In: a run and a step; out: elements
 * that contain only text.
 */
import type { PageRun, PageStep } from '../page-data.js';

/** Nothing for the world's own steps and before the first one. */
export function goalsAndInventory(run: PageRun, step: PageStep | null) {
  const agent = run.agents.find(({ id }) => id === step?.agent);
  if (step === null || agent === undefined) return null;
  const { holds } = step;
  const goals = agent.goals.map((goal) => <li>{goal}</li>);
  const held = holds?.length === 0 ? 'nothing' : holds?.join(', ');
  return [
    holds !== null && [<h3 title="before the step">Held</h3>, <p>{held}</p>],
    goals.length > 0 && [<h3>Goals</h3>, <ul>{goals}</ul>],
  ];
}

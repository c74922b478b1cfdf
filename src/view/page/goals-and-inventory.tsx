/** The goals of a step's agent, and what it held before the step. */
import type { PageRun, PageStep } from '../page-data.js';

/** Null for the world's own steps, and before the first step. */
export function goalsAndInventory(run: PageRun, step: PageStep | null) {
  const agent = run.agents.find(({ id }) => id === step?.agent);
  if (step === null || agent === undefined) return null;
  const { holds } = step;
  const goals = agent.goals.map((goal) => <li>{goal}</li>);
  const held = holds?.length === 0 ? 'nothing' : holds?.join(', ');
  return [
    holds !== null && [<h3 title="before the step">Inventory</h3>, <p>{held}</p>],
    goals.length > 0 && [<h3>Goals</h3>, <ul>{goals}</ul>],
  ];
}

/** Who acts in a step, for whoever looks on: what it is after and what it held before. In: a run and a step; out: elements, made of text alone. */
import type { PageRun, PageStep } from '../page-data.js';
import { element } from './icons.js';

/** Empty for the world's own steps and before the first one. */
export function bearingsOf(run: PageRun, step: PageStep | null): readonly HTMLElement[] {
  const agent = run.agents.find(({ id }) => id === step?.agent);
  if (step === null || agent === undefined) return [];
  const goals = agent.goals.map((goal) => element('li', {}, goal));
  return [
    ...(step.holds === null ? [] : [element('h3', { title: 'before the step' }, 'Held'), heldOf(step.holds)]),
    ...(goals.length === 0 ? [] : [element('h3', {}, 'Goals'), element('ul', {}, ...goals)]),
  ];
}

function heldOf(holds: readonly string[]): HTMLElement {
  return element('p', {}, holds.length === 0 ? 'nothing' : holds.join(', '));
}

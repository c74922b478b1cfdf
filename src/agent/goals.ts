/**
 * Goals as text, each kind under its own heading, most important first. Most scenarios have only tasks; rules
 * restrict how they are pursued, examples illustrate it.
 */
import type { Goal } from '../scenario/scenario.js';

const HEADINGS: readonly (readonly [kind: Goal['kind'], heading: string])[] = [
  ['task', 'Your goals, most important first:'],
  ['rule', 'Rules that you keep to, most important first:'],
  ['example', 'Examples of how it may be done:'],
];

/** Within a kind, by priority; equal priorities keep their order. */
export function goalsText(goals: readonly Goal[]): string {
  return HEADINGS.flatMap(([kind, heading]) => {
    const goalsOfKind = goals.filter((goal) => goal.kind === kind);
    return goalsOfKind.length === 0 ? [] : [goalList(heading, goalsOfKind)];
  }).join('\n\n');
}

function goalList(heading: string, goals: readonly Goal[]): string {
  const lines = goals
    .toSorted((a, b) => a.priority - b.priority)
    .map((goal, i) => `${i + 1}. ${goalText(goal)}`);
  return [heading, ...lines].join('\n');
}

/** One goal in a line. */
export function goalText({ name, description }: Goal): string {
  return description === '' ? name : `${name}: ${description}`;
}

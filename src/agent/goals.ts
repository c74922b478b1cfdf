/** Goals as text, most important first. */
import type { Goal } from '../scenario/scenario.js';

export function goalsText(goals: readonly Goal[]): string {
  if (goals.length === 0) return '';
  const lines = goals.map((goal, i) => {
    const words = goal.description === '' ? goal.name : `${goal.name}: ${goal.description}`;
    return `${i + 1}. ${words}`;
  });
  return ['Your goals, most important first:', ...lines].join('\n');
}

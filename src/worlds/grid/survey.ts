/**
 * What LOOK shows if agents have to ask for what is in sight: everything that is otherwise shown
 * automatically, and how each thing looks from close up.
 */
import { outlookOf } from './perception.js';
import type { GridState } from './state.js';
import { seeLines } from './text.js';
import { proseText } from './wording.js';
import type { GridWorld } from './world.js';
import { thingDefinition, thingOf } from './world.js';

/** In one line, such as an action's message; '' if it is shown automatically. */
export function surveyed(world: GridWorld, state: GridState, agent: string): string {
  const { rules } = world.definition;
  if (rules.observe !== 'ask') return '';
  const { view, label } = outlookOf(world, state, agent);
  const describe = (id: string): string => proseText(descriptionOf(world, state, id));
  return seeLines(view, label, { rules, describe })
    .map((line) => line.replace(/^- /, ''))
    .join('\n');
}

function descriptionOf(world: GridWorld, state: GridState, id: string): string {
  const item = thingOf(state, id);
  return item === undefined
    ? (world.bodies.get(id)?.description ?? '')
    : thingDefinition(world, item).description;
}

/**
 * What a robot is offered: the actions that the scenario lets it use, each with the arguments against which its own `check` has nothing;
 * and `check` says only what the robot knows, so that an offer tells nothing that is hidden.
 */
import type { Action, Args } from '../../environment/action.js';
import type { Grammar, Slot } from '../../environment/grammar.js';
import { slotsOf } from '../../environment/grammar.js';
import type { Noun, OfferedAction } from '../../environment/observation.js';
import { nounsOf } from './nouns.js';
import type { WorkcellRegistry } from './registry.js';
import type { WorkcellState } from './state.js';
import { viewOf } from './view.js';
import type { Workcell } from './world.js';
import { isAllowed } from './world.js';

/** Names of the actions that the scenario lets a robot use, sorted. */
export function scopeOf(world: Workcell, actions: WorkcellRegistry, agent: string): readonly string[] {
  return actions.list().flatMap(({ name }) => (isAllowed(world, agent, name) ? [name] : []));
}

/** The offered actions, sorted by name; none for a robot that acts no more. */
export function offered(
  world: Workcell,
  state: WorkcellState,
  agent: string,
  actions: WorkcellRegistry,
): readonly OfferedAction[] {
  const view = viewOf(world, state, agent);
  if (view.self.status !== 'awake') return [];
  const nouns = nounsOf(world, view);
  return actions
    .list()
    .filter(({ name }) => isAllowed(world, agent, name))
    .flatMap((action) => offerOf(action, { state, agent, nouns }));
}

interface Asked {
  readonly state: WorkcellState;
  readonly agent: string;
  readonly nouns: readonly Noun[];
}

/** Every action here takes one argument at the most. */
function offerOf(action: Action<WorkcellState>, asked: Asked): readonly OfferedAction[] {
  const { grammar } = action;
  const slot = grammar === null ? undefined : slotsOf(grammar)[0]?.slot;
  if (grammar === null || slot === undefined)
    return isFree(action, asked, {}) ? [{ action: action.name, slots: {} }] : [];
  if (slot.kind === 'text') return [{ action: action.name, slots: { [slot.slot]: [] } }];
  const fitting = valuesOf(grammar, slot, asked.nouns).filter(({ value }) =>
    isFree(action, asked, { [slot.slot]: value }),
  );
  if (fitting.length === 0) return [];
  return [{ action: action.name, slots: { [slot.slot]: fitting.map(({ spoken }) => spoken) } }];
}

function isFree(action: Action<WorkcellState>, { state, agent }: Asked, args: Args): boolean {
  return action.check(state, agent, args) === undefined;
}

interface Value {
  readonly value: string;
  /** As it would be said, so that it alone is meant. */
  readonly spoken: string;
}

function valuesOf(grammar: Grammar, slot: Slot, nouns: readonly Noun[]): readonly Value[] {
  if (slot.kind === 'word') return wordsOf(grammar).map((word) => ({ value: word, spoken: word }));
  if (slot.kind !== 'name') return [];
  const fitting = nouns.filter(({ kinds }) => kinds.some((kind) => slot.of.includes(kind)));
  return fitting.map(({ id, name }) => ({
    value: id,
    spoken: fitting.some((other) => other.id !== id && other.name === name) ? id : name,
  }));
}

function wordsOf(grammar: Grammar): readonly string[] {
  if (grammar.kind === 'word') return [grammar.word];
  return grammar.kind === 'choice' || grammar.kind === 'sequence' ? grammar.parts.flatMap(wordsOf) : [];
}

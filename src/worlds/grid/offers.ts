/**
 * What an agent is offered: the actions that the scenario lets it use, each with the arguments that would be accepted now.
 * An argument is offered where the action's own `check` has nothing against it, and `check` says only what the actor could
 * know; so an offer tells nothing that is hidden. GO is worked out from the view instead of planning every way.
 */
import type { Action, ActionRegistry } from '../../environment/action.js';
import { WAIT } from '../../environment/action.js';
import type { Noun, OfferedAction } from '../../environment/observation.js';
import { offerOf } from '../../environment/offered.js';
import { CARDINALS } from '../../environment/space.js';
import { knownExits } from './exits.js';
import { edgeTowards, freeSteps, knownGround } from './ground.js';
import { labeller, nounsOf } from './nouns.js';
import type { GridState } from './state.js';
import type { Item, View } from './view.js';
import { viewOf } from './view.js';
import type { GridWorld } from './world.js';

/** The offered actions, sorted by name; none for an agent that acts no more. */
export function offered(
  world: GridWorld,
  state: GridState,
  agent: string,
  actions: ActionRegistry<GridState>,
): readonly OfferedAction[] {
  const view = viewOf(world, state, agent);
  if (view.self.status !== 'awake') return [];
  const scope = scopeOf(world, actions, agent);
  const nouns = nounsOf(world, state, agent);
  const asked = { view, nouns, spoken: speaker(nouns) };
  return actions
    .list()
    .filter(({ name }) => scope.includes(name))
    .flatMap((action) => offersOf(world, state, asked, action));
}

/** Names of the actions that the scenario lets an agent use; WAIT always. */
export function scopeOf(
  world: GridWorld,
  actions: ActionRegistry<GridState>,
  agent: string,
): readonly string[] {
  const allowed = world.agents.get(agent)?.actions ?? null;
  const names = actions.list().map(({ name }) => name);
  return allowed === null ? names : names.filter((name) => name === WAIT || allowed.includes(name));
}

/** Who is offered something, and what it may name. */
interface Asked {
  readonly view: View;
  readonly nouns: readonly Noun[];
  readonly spoken: (id: string) => string;
}

function offersOf(
  world: GridWorld,
  state: GridState,
  asked: Asked,
  action: Action<GridState>,
): readonly OfferedAction[] {
  const { view, spoken } = asked;
  if (action.name === 'GO') return goOffer(world, state, asked);
  const offer = offerOf(action, {
    nouns: nounsFor(action, asked),
    spoken,
    accepts: (args) => action.check(state, view.self.id, args) === undefined,
  });
  return offer === null ? [] : [offer];
}

/** What is at hand for an action; what is only remembered is far from any hand. */
function nounsFor(action: Action<GridState>, { view, nouns }: Asked): readonly Noun[] {
  // What costs the turn is done with hands, what is free also with the eyes.
  const within = action.cost === 'turn' ? handIds(view) : null;
  return nouns.filter(({ id }) =>
    within === null ? !view.memories.some((memory) => memory.id === id) : within.has(id),
  );
}

/** The two tiles of Manhattan distance hold all eight neighbours: nothing farther can be touched. */
const HAND_TILES = 2;

/** Ids of what hands might touch: what is held, what is near, and what can be seen in either. */
function handIds({ held, things, bodies, doors }: View): ReadonlySet<string> {
  const isNear = ({ distance }: { readonly distance: number }): boolean => distance <= HAND_TILES;
  const items = [...held, ...things.filter(isNear)];
  return new Set([...items.flatMap(idsIn), ...[...bodies, ...doors].filter(isNear).map(({ id }) => id)]);
}

function idsIn({ id, inside }: Item): readonly string[] {
  return [id, ...inside.flatMap(idsIn)];
}

/** How a noun is said so that it alone is meant. */
function speaker(nouns: readonly Noun[]): (id: string) => string {
  const label = labeller(nouns);
  const names = new Map(nouns.map((noun) => [noun.id, label(noun) === noun.name ? noun.name : noun.id]));
  return (id) => names.get(id) ?? id;
}

/** By room the sides of the open exits that it knows, by tile the free tiles beside it; to whatever isn't on its own tile. */
function goOffer(
  world: GridWorld,
  state: GridState,
  { view, nouns, spoken }: Asked,
): readonly OfferedAction[] {
  const direction =
    world.definition.rules.movement === 'tile'
      ? freeSteps(world, view, knownGround(world, state, view))
      : openSides(world, state, view);
  const here = new Set([...view.held, ...placedHere(view)].map(({ id }) => id));
  const isElsewhere = ({ id, kinds }: Noun): boolean =>
    !kinds.includes('held') && !here.has(id) && view.room?.id !== id;
  const target = nouns.filter(isElsewhere).map(({ id }) => spoken(id));
  return direction.length + target.length === 0 ? [] : [{ action: 'GO', slots: { direction, target } }];
}

/** Through open exits, and where there is none to where the room is not known yet. */
function openSides(world: GridWorld, state: GridState, view: View): readonly string[] {
  const exits = knownExits(world, state, view);
  return CARDINALS.filter((side) => {
    const there = exits.filter((exit) => exit.direction === side);
    if (there.length > 0) return there.some((exit) => exit.state === 'open');
    return edgeTowards(world, state, view, side) !== null;
  });
}

function placedHere({ bodies, things, doors }: View): readonly { readonly id: string }[] {
  return [...bodies, ...things, ...doors].filter((each) => each.distance === 0);
}

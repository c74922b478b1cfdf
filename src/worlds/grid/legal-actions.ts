/**
 * The legal actions of an agent: those that the scenario lets it use, each with the arguments that would be accepted now.
 * An argument is offered where the action's own `check` has nothing against it, and `check` says only what the actor could
 * know; so an offer tells nothing that is hidden. GO is worked out by one
 * search for all targets instead of planning every way.
 */
import type { ActionRegistry, Args } from '../../environment/action.js';
import { WAIT } from '../../environment/action.js';
import type { Noun, OfferedAction, LegalArguments } from '../../environment/observation.js';
import { isOpen, offerOf } from '../../environment/legal-action.js';
import { CARDINALS } from '../../environment/space.js';
import type { GridAction } from './actions/grid-action.js';
import { isTileForm } from './actions/tiles.js';
import type { KnownExit } from './exits.js';
import type { FrontierTile } from './known-map.js';
import { edgeTowards, freeSteps, roomEdges } from './known-map.js';
import type { WalkReach } from './journey.js';
import { reachOf } from './journey.js';
import type { Perception } from './perception.js';
import { outlookOf } from './perception.js';
import type { GridState } from './state.js';
import type { NameLabel } from './text.js';
import type { Item, AgentView } from './view.js';
import type { GridWorld } from './world.js';

/** The legal actions, sorted by name; none for an agent that acts no more. */
export function legalActions(
  world: GridWorld,
  state: GridState,
  agent: string,
  actions: ActionRegistry<GridState>,
): readonly OfferedAction[] {
  return offersOf(world, state, outlookOf(world, state, agent), actions);
}

/** As `legalActions`, from what the agent is already known to perceive. */
export function offersOf(
  world: GridWorld,
  state: GridState,
  outlook: Perception,
  actions: ActionRegistry<GridState>,
): readonly OfferedAction[] {
  const { view, nouns } = outlook;
  if (view.self.status !== 'awake') return [];
  const scope = scopeOf(world, actions, view.self.id);
  const near = handIds(view);
  const memories = new Set(view.memories.map(({ id }) => id));
  const asked: LegalActionContext = {
    view,
    ground: outlook.ground,
    nouns,
    label: outlook.label,
    exits: outlook.exits,
    spoken: speaker(nouns, outlook.label),
    touchable: nouns.filter(({ id }) => near.has(id)),
    visible: nouns.filter(({ id }) => !memories.has(id)),
    tilesAtHand: view.things.flatMap(({ x, y, distance }) => (distance <= HAND_TILES ? [{ x, y }] : [])),
  };
  const offers: OfferedAction[] = [];
  for (const action of actions.list()) {
    const offer = scope.includes(action.name) ? ownOffer(world, state, asked, action) : null;
    if (offer !== null) offers.push(offer);
  }
  return offers;
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

/** Who is offered something. */
interface LegalActionContext extends Perception {
  readonly spoken: (id: string) => string;
  /** The nouns that hands might touch. */
  readonly touchable: readonly Noun[];
  /** The nouns that are not merely remembered. */
  readonly visible: readonly Noun[];
  /** The tiles near by on which something lies. */
  readonly tilesAtHand: readonly Args[];
}

function ownOffer(
  world: GridWorld,
  state: GridState,
  asked: LegalActionContext,
  action: GridAction,
): OfferedAction | null {
  if (action.name === 'GO') return goOffer(world, state, asked);
  return offerOf(action, {
    // What costs the turn is done with hands, what is free also with the eyes.
    nouns: action.cost === 'turn' && action.reachesFar !== true ? asked.touchable : asked.visible,
    spoken: asked.spoken,
    accepts: (args) => isOpen(action.check(state, asked.view.self.id, args)),
    numbersFor: (form) => (isTileForm(form) ? asked.tilesAtHand : null),
  });
}

/** The two tiles of Manhattan distance hold all eight neighbours: nothing farther can be touched. */
const HAND_TILES = 2;

/** Ids of what hands might touch: what is held, what is near, and what can be seen in either. */
function handIds({ held, things, bodies, doors }: AgentView): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const item of held) addIds(ids, item);
  for (const thing of things) if (thing.distance <= HAND_TILES) addIds(ids, thing);
  for (const body of bodies) if (body.distance <= HAND_TILES) ids.add(body.id);
  for (const door of doors) if (door.distance <= HAND_TILES) ids.add(door.id);
  return ids;
}

function addIds(ids: Set<string>, { id, inside }: Item): void {
  ids.add(id);
  for (const each of inside) addIds(ids, each);
}

/** How a noun is said so that it alone is meant. */
function speaker(nouns: readonly Noun[], label: NameLabel): (id: string) => string {
  const names = new Map(nouns.map((noun) => [noun.id, label(noun) === noun.name ? noun.name : noun.id]));
  return (id) => names.get(id) ?? id;
}

/** By room the sides of the open exits that it knows, by tile the free tiles beside it; and whatever it knows a way to. */
function goOffer(world: GridWorld, state: GridState, asked: LegalActionContext): OfferedAction | null {
  const { view, ground, nouns, exits, spoken } = asked;
  const reach = reachOf({ world, state, agent: view.self.id });
  const direction =
    world.definition.rules.movement === 'tile'
      ? freeSteps(world, view, ground)
      : openSides(exits, reach, () => roomEdges(world, view, ground));
  const target: string[] = [];
  for (const { id, kinds } of nouns)
    if (!kinds.includes('held') && reach.canGoTo(id)) target.push(spoken(id));
  if (direction.length + target.length === 0) return null;
  if (world.definition.rules.coordinates !== true) return { action: 'GO', slots: { direction, target } };
  const ways: LegalArguments[] = [{ direction }, { target }].filter((way) =>
    Object.values(way).some((all) => all.length > 0),
  );
  return { action: 'GO', slots: { direction, target, x: [], y: [] }, ways: [...ways, tilesOf(reach)] };
}

/** The numbers of the tiles to which a way is known, as far as they go. */
function tilesOf({ extent }: WalkReach): LegalArguments {
  const { x, y, width, height } = extent;
  return { x: [x, x + width - 1], y: [y, y + height - 1] };
}

/** Through open exits, and where there is none to where the room is not known yet. */
function openSides(
  exits: readonly KnownExit[],
  { canLeaveBy, canGoOn }: WalkReach,
  edges: () => readonly FrontierTile[],
): readonly string[] {
  const shown = CARDINALS.filter((side) => exits.some((exit) => exit.direction === side));
  const unknown = shown.length === CARDINALS.length ? [] : edges();
  return CARDINALS.filter((side) => {
    if (shown.includes(side)) return exits.some((exit) => exit.direction === side && canLeaveBy(exit));
    const edge = edgeTowards(unknown, side);
    return edge !== null && canGoOn(edge);
  });
}

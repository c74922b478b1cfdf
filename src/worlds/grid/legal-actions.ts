/**
 * The legal actions of an agent: those that the scenario allows it, each with the arguments that would be
 * accepted now. An argument is offered if the action's own `check` does not refuse it, and `check` uses only
 * what the actor could know; so an offer reveals nothing hidden. GO uses one search for all targets instead
 * of planning every path.
 */
import type { ActionRegistry } from '../../environment/action.js';
import { WAIT } from '../../environment/action.js';
import type { Noun, OfferedAction, LegalArguments } from '../../environment/observation.js';
import { toldName } from '../../environment/observation.js';
import { isOfferable, offerOf } from '../../environment/legal-action.js';
import type { GridAction } from './actions/grid-action.js';
import { isTileForm } from './actions/tiles.js';
import type { Rect } from './definition.js';
import type { Perception } from './perception.js';
import type { GridState } from './state.js';
import type { ReachableThing, AgentView } from './view.js';
import type { WalkReach } from './walk-reach.js';
import { reachOf } from './walk-reach.js';
import { lowerCased } from './wording.js';
import type { GridWorld } from './world.js';
import { isPlain } from './world.js';

/** The legal actions, sorted by name; none for an agent that no longer acts, only WAIT for an incapacitated one. */
export function offersOf(
  world: GridWorld,
  state: GridState,
  perception: Perception,
  actions: ActionRegistry<GridState>,
): readonly OfferedAction[] {
  const { view, nouns } = perception;
  if (view.self.status !== 'awake') return [];
  if (view.self.incapacitated === true) return [{ action: WAIT, slots: {} }];
  const scope = scopeOf(world, actions, view.self.id);
  const handIdSet = handIds(view);
  const memories = new Set(view.memories.map(({ id }) => id));
  const spoken = spokenNameOf(world, nouns);
  const go = scope.includes('GO') ? goOffer(world, reachOf({ world, state, perception }), spoken) : null;
  const touchable = nouns.filter(({ id }) => handIdSet.has(id));
  const visible = nouns.filter(({ id }) => !memories.has(id));
  const tilesAtHand = view.things.flatMap(({ x, y, distance }) => (distance <= HAND_TILES ? [{ x, y }] : []));
  // Actions that cost the turn need hands; free actions also work by sight.
  const needsHands = ({ cost, reachesFar }: GridAction): boolean => cost === 'turn' && reachesFar !== true;
  const offers: OfferedAction[] = [];
  for (const action of actions.list()) {
    if (!scope.includes(action.name)) continue;
    const offer =
      action.name === 'GO'
        ? go
        : offerOf(action, {
            nouns: needsHands(action) ? touchable : visible,
            spoken,
            accepts: (args) => isOfferable(action.check(state, view.self.id, args)),
            numbersFor: (form) => (isTileForm(form) ? tilesAtHand : null),
          });
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

/** All eight neighbours are within this Manhattan distance; nothing farther can be touched. */
const HAND_TILES = 2;

/** Ids of everything that hands might touch: held things, near things, and their visible contents. */
function handIds({ held, things, bodies, doors }: AgentView): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const item of held) addIds(ids, item);
  for (const thing of things) if (thing.distance <= HAND_TILES) addIds(ids, thing);
  for (const body of bodies) if (body.distance <= HAND_TILES) ids.add(body.id);
  for (const door of doors) if (door.distance <= HAND_TILES) ids.add(door.id);
  return ids;
}

function addIds(ids: Set<string>, { id, inside }: ReachableThing): void {
  ids.add(id);
  for (const each of inside) addIds(ids, each);
}

/** How an offer names a noun. Where only the picture tells what is seen, offers are not shown and name ids. */
function spokenNameOf(world: GridWorld, nouns: readonly Noun[]): (id: string) => string {
  if (isPlain(world)) {
    const owners = new Map<string, number>();
    for (const { name } of nouns) owners.set(lowerCased(name), (owners.get(lowerCased(name)) ?? 0) + 1);
    const names = new Map(
      nouns.map(({ id, name }) => [id, owners.get(lowerCased(name)) === 1 ? name : id] as const),
    );
    return (id) => names.get(id) ?? id;
  }
  const names = new Map(nouns.map((noun) => [noun.id, toldName(noun)]));
  return (id) => names.get(id) ?? id;
}

/**
 * The offer of GO: the directions and targets that the agent believes it can go to; null if there are none.
 */
function goOffer(
  world: GridWorld,
  { directions: direction, targets, extent }: WalkReach,
  spoken: (id: string) => string,
): OfferedAction | null {
  const target = targets.map(spoken);
  if (direction.length + target.length === 0) return null;
  if (world.definition.rules.goTo === false) return { action: 'GO', slots: { direction } };
  if (extent === null) return { action: 'GO', slots: { direction, target } };
  const wayOptions: LegalArguments[] = [{ direction }, { target }].filter((way) =>
    Object.values(way).some((values) => values.length > 0),
  );
  return { action: 'GO', slots: { direction, target, x: [], y: [] }, ways: [...wayOptions, tilesOf(extent)] };
}

function tilesOf({ x, y, width, height }: Rect): LegalArguments {
  return { x: [x, x + width - 1], y: [y, y + height - 1] };
}

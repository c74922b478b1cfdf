/**
 * What an agent is offered: the actions that the scenario lets it use, each with the arguments that would be accepted now.
 * An argument is offered where the action's own `check` has nothing against it, and `check` says only what the actor could
 * know; so an offer tells nothing that is hidden. GO is worked out from the view instead of planning every way.
 */
import type { Action, ActionRegistry, Args } from '../../environment/action.js';
import { WAIT } from '../../environment/action.js';
import type { Grammar, Slot } from '../../environment/grammar.js';
import { slotsOf } from '../../environment/grammar.js';
import type { Noun, OfferedAction } from '../../environment/observation.js';
import { CARDINALS, DIRECTIONS } from '../../environment/space.js';
import type { KnownExit } from './exits.js';
import type { FrontierTile } from './ground.js';
import { edgeTowards, freeSteps, roomEdges } from './ground.js';
import type { Outlook } from './outlook.js';
import { outlookOf } from './outlook.js';
import type { GridState } from './state.js';
import type { Label } from './text.js';
import type { Item, View } from './view.js';
import type { GridWorld } from './world.js';

/** More ways to fill an action's slots than this are not tried; what was found until then is offered. */
const TRIES_MAX = 1000;

/** The offered actions, sorted by name; none for an agent that acts no more. */
export function offered(
  world: GridWorld,
  state: GridState,
  agent: string,
  actions: ActionRegistry<GridState>,
): readonly OfferedAction[] {
  return offersOf(world, state, outlookOf(world, state, agent), actions);
}

/** As `offered`, by whoever has worked out already what the agent perceives. */
export function offersOf(
  world: GridWorld,
  state: GridState,
  outlook: Outlook,
  actions: ActionRegistry<GridState>,
): readonly OfferedAction[] {
  const { view, nouns } = outlook;
  if (view.self.status !== 'awake') return [];
  const scope = scopeOf(world, actions, view.self.id);
  const near = handIds(view);
  const memories = new Set(view.memories.map(({ id }) => id));
  const asked = {
    ...outlook,
    spoken: speaker(nouns, outlook.label),
    touchable: nouns.filter(({ id }) => near.has(id)),
    visible: nouns.filter(({ id }) => !memories.has(id)),
  };
  return actions
    .list()
    .filter(({ name }) => scope.includes(name))
    .flatMap((action) => offerOf(world, state, asked, action));
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
interface Asked extends Outlook {
  readonly spoken: (id: string) => string;
  /** The nouns that hands might touch. */
  readonly touchable: readonly Noun[];
  /** The nouns that are not merely remembered. */
  readonly visible: readonly Noun[];
}

function offerOf(
  world: GridWorld,
  state: GridState,
  asked: Asked,
  action: Action<GridState>,
): readonly OfferedAction[] {
  const { view, spoken } = asked;
  if (action.name === 'GO') return goOffer(world, asked);
  const accepted = fillingsOf(action, asked).filter(
    (args) => action.check(state, view.self.id, args) === undefined,
  );
  if (accepted.length === 0) return [];
  const options = formsOf(action.grammar).slots.map((slot) => [slot.slot, optionsOf(slot, accepted, spoken)]);
  return [{ action: action.name, slots: Object.fromEntries(options) }];
}

/** Every way to fill the slots of an action with what is at hand; what is only remembered is far from any hand. */
function fillingsOf(action: Action<GridState>, { touchable, visible }: Asked): readonly Args[] {
  if (action.grammar === null) return [{}];
  // What costs the turn is done with hands, what is free also with the eyes.
  const atHand = action.cost === 'turn' ? touchable : visible;
  return formsOf(action.grammar)
    .forms.flatMap((slots) => fillings(slots, atHand))
    .slice(0, TRIES_MAX);
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
function speaker(nouns: readonly Noun[], label: Label): (id: string) => string {
  const names = new Map(nouns.map((noun) => [noun.id, label(noun) === noun.name ? noun.name : noun.id]));
  return (id) => names.get(id) ?? id;
}

/** The different values that a slot has in the accepted arguments, as spoken; none for free text and numbers. */
function optionsOf(slot: Slot, accepted: readonly Args[], spoken: (id: string) => string): readonly string[] {
  if (slot.kind === 'text' || slot.kind === 'integer') return [];
  const values = new Set(
    accepted.map((args) => args[slot.slot]).filter((value) => typeof value === 'string'),
  );
  return [...values].map((value) => (slot.kind === 'name' ? spoken(value) : value));
}

/** How an action can be said. */
interface Forms {
  /** Every slot of the grammar once. */
  readonly slots: readonly Slot[];
  /** The slots of each form. What may be left out and is free is left out. */
  readonly forms: readonly (readonly Slot[])[];
}

/** By grammar: a constant of its action, so its forms are as well. */
const formsByGrammar = new WeakMap<Grammar, Forms>();

function formsOf(grammar: Grammar | null): Forms {
  if (grammar === null) return { slots: [], forms: [[]] };
  const before = formsByGrammar.get(grammar);
  if (before !== undefined) return before;
  const made = { slots: slotsOf(grammar).map(({ slot }) => slot), forms: listForms(grammar) };
  formsByGrammar.set(grammar, made);
  return made;
}

function listForms(grammar: Grammar): readonly (readonly Slot[])[] {
  if (grammar.kind === 'choice') return grammar.parts.flatMap(listForms);
  if (grammar.kind === 'sequence') {
    return grammar.parts.reduce<readonly (readonly Slot[])[]>(
      (forms, part) => forms.flatMap((form) => listForms(part).map((rest) => [...form, ...rest])),
      [[]],
    );
  }
  if (grammar.kind === 'optional') {
    const isFree = slotsOf(grammar.part).every(({ slot }) => slot.kind === 'text' || slot.kind === 'integer');
    return isFree ? [[]] : [[], ...listForms(grammar.part)];
  }
  const slot = slotsOf(grammar)[0]?.slot;
  return slot === undefined ? [[]] : [[slot]];
}

/** Every way to give the slots values; a text or number is only stood in for. */
function fillings(slots: readonly Slot[], nouns: readonly Noun[]): readonly Args[] {
  let found: readonly Args[] = [{}];
  for (const slot of slots) {
    const values = valuesOf(slot, nouns);
    found = found
      .flatMap((args) => values.map((value) => ({ ...args, [slot.slot]: value })))
      .slice(0, TRIES_MAX);
  }
  return found;
}

function valuesOf(slot: Slot, nouns: readonly Noun[]): readonly (string | number)[] {
  if (slot.kind === 'word') return [slot.word];
  if (slot.kind === 'text') return ['a'];
  if (slot.kind === 'integer') return [slot.min];
  if (slot.kind === 'direction') return slot.diagonals ? DIRECTIONS : CARDINALS;
  return nouns.filter(({ kinds }) => kinds.some((kind) => slot.of.includes(kind))).map(({ id }) => id);
}

/** By room the sides of the open exits that it knows, by tile the free tiles beside it; to whatever isn't on its own tile. */
function goOffer(world: GridWorld, { view, ground, nouns, exits, spoken }: Asked): readonly OfferedAction[] {
  const direction =
    world.definition.rules.movement === 'tile'
      ? freeSteps(world, view, ground)
      : openSides(exits, () => roomEdges(world, view, ground));
  const here = new Set([...view.held, ...placedHere(view)].map(({ id }) => id));
  const isElsewhere = ({ id, kinds }: Noun): boolean =>
    !kinds.includes('held') && !here.has(id) && view.room?.id !== id;
  const target = nouns.filter(isElsewhere).map(({ id }) => spoken(id));
  return direction.length + target.length === 0 ? [] : [{ action: 'GO', slots: { direction, target } }];
}

/** Through open exits, and where there is none to where the room is not known yet. */
function openSides(exits: readonly KnownExit[], edges: () => readonly FrontierTile[]): readonly string[] {
  const shown = CARDINALS.filter((side) => exits.some((exit) => exit.direction === side));
  const unknown = shown.length === CARDINALS.length ? [] : edges();
  return CARDINALS.filter((side) =>
    shown.includes(side)
      ? exits.some((exit) => exit.direction === side && exit.state === 'open')
      : edgeTowards(unknown, side) !== null,
  );
}

function placedHere({ bodies, things, doors }: View): readonly { readonly id: string }[] {
  return [...bodies, ...things, ...doors].filter((each) => each.distance === 0);
}

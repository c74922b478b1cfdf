/**
 * The workcell as an environment: robots around a car that must be repaired. Implements the contract with the
 * functions of the other files; opening a definition builds its tables and actions once, and everything after
 * that is a function of the state.
 */
import { assert } from '../../base/assert.js';
import { hashOf, hashOfParts, hashJson } from '../../base/canonical.js';
import type { Json } from '../../base/json.js';
import type { Environment, EnvironmentKind, Outcome, InventoryItem } from '../../environment/environment.js';
import { advanceState, checkIntent } from './advance.js';
import { createState } from './create.js';
import type { WorkcellDefinition } from './definition.js';
import { learn } from './knowledge.js';
import { workcellRegistry } from './registry.js';
import { sceneOf } from './scene.js';
import type { WorkcellState, WorkcellMindState, ItemState } from './state.js';
import { activeRobots, openWorld, isAllowed, carOf, inPlace, itemName, itemOf } from './world.js';
import type { Observation, Section, OfferedAction } from '../../environment/observation.js';
import { factsOf } from './facts.js';
import { nounsOf } from './nouns.js';
import type { WorkcellRegistry } from './registry.js';
import { SECTIONS } from './sections.js';
import { holdLines, placeLines, seeLines, shelfLines } from './text.js';
import type { RobotView } from './view.js';
import { viewOf } from './view.js';
import { heardByAll, proseText, joinList, nameText } from './wording.js';
import type { Workcell } from './world.js';
import { offerOf } from '../../environment/legal-action.js';

/**
 * The key of a state in the search for solutions: equal only for states from which the same actions lead to
 * the same end. The turn and messages are left out, because they affect no rule.
 */
function searchKey({ turn: _turn, minds, ...state }: WorkcellState): string {
  const knowledgeByRobot = Object.entries(minds).map(([robot, mind]) => [robot, knowledgeOf(mind)]);
  return hashJson('search', { ...state, minds: Object.fromEntries(knowledgeByRobot) });
}

function knowledgeOf({ scanned, places, findings, shelf }: WorkcellMindState) {
  const seen = Object.entries(places).map(([place, { item }]) => [place, item]);
  return { scanned, findings, shelf, places: Object.fromEntries(seen) };
}

/** Tenths of a turn for taking a part out, carrying it away, and putting another in. */
const STAGE_TENTHS = 20;

/**
 * The estimated distance to success, in tenths of a turn: each place without a sound part and each faulty
 * part that is not burnt adds a number of actions.
 */
function estimate(world: Workcell, state: WorkcellState): number {
  const held = Object.values(state.robots).flatMap(({ holds }) =>
    holds === null ? [] : [itemOf(state, holds)],
  );
  const places = carOf(world, state).parts.map(({ id }) => {
    const item = inPlace(state, id);
    if (item !== null) return itemOf(state, item).fault === null ? 0 : 2 * STAGE_TENTHS;
    return held.some(({ part, fault }) => part === id && fault === null) ? STAGE_TENTHS : 2 * STAGE_TENTHS;
  });
  const faulty = Object.values(state.items).filter(
    ({ id, fault }) => fault !== null && !state.burnt.includes(id),
  );
  const unburnt = faulty.map(({ id }) =>
    held.some((item) => item.id === id) ? STAGE_TENTHS : 2 * STAGE_TENTHS,
  );
  return [...places, ...unburnt].reduce((sum, each) => sum + each, 0);
}

const RUNNING: Outcome = { status: 'running', reason: '' };

/**
 * The outcome of the run. Success: every place has a sound part, and every faulty part is burnt. Failure: a
 * sound part was burnt although the scenario forbids it, or no sound part is left for one of the places.
 */
function outcomeOf(world: Workcell, state: WorkcellState): Outcome {
  const burntSound = state.burnt.find((id) => itemOf(state, id).fault === null);
  if (world.definition.rules.isBurningSoundFatal && burntSound !== undefined)
    return failed(`The ${itemName(world, state, burntSound)} was burnt, and nothing was wrong with it.`);
  const items = Object.values(state.items);
  const { parts } = carOf(world, state);
  const irreplaceable = parts.find(
    ({ id }) => !items.some((item) => isAvailable(state, item) && item.part === id),
  );
  if (irreplaceable !== undefined)
    return failed(`No sound part is left for the place of the ${nameText(irreplaceable.name)}.`);
  const isComplete = parts.every(({ id }) => isSound(state, inPlace(state, id)));
  const faulty = items.filter(({ fault }) => fault !== null);
  if (!isComplete || !faulty.every(({ id }) => state.burnt.includes(id))) return RUNNING;
  const names = joinList(faulty.map(({ id }) => itemName(world, state, id)));
  return {
    status: 'succeeded',
    reason: `The faulty ${names} was burnt, and every part of the car is sound.`,
  };
}

function failed(reason: string): Outcome {
  return { status: 'failed', reason };
}

function isAvailable(state: WorkcellState, { id, fault }: ItemState): boolean {
  return fault === null && !state.burnt.includes(id);
}

function isSound(state: WorkcellState, item: string | null): boolean {
  return item !== null && itemOf(state, item).fault === null;
}

/** Raised whenever the same log would play differently. */
const RULES_VERSION = 2;

const PICTURE_GUIDE =
  'The picture shows the workshop from above: the car in the middle, its front up; the shelf with spares on the left, the incinerator on the right. Yellow numbers are the angles of the sides. Clear parts are what you see now, dim ones are remembered and may have changed, a question mark stands where you have not looked. A green tick marks what you found sound, a red cross what is faulty, a dashed yellow frame an empty place. What a robot holds lies behind it.';

/** The smallest possible workcell, from which the names of all actions and their docs are read. */
export const EMPTY_WORKCELL: WorkcellDefinition = {
  window: { columns: 15, rows: 15 },
  cars: [],
  faults: [],
  stock: { kind: 'listed', parts: [] },
  robots: [],
  rules: { sight: 'scan', isBurningSoundFatal: false },
};

export const workcell: EnvironmentKind<WorkcellState> = {
  kind: 'workcell',
  rulesVersion: RULES_VERSION,
  get actionNames() {
    return workcellRegistry(openWorld(EMPTY_WORKCELL))
      .list()
      .map(({ name }) => name);
  },
  open: (definition) => {
    assert(isWorkcellDefinition(definition), 'a definition of a workcell');
    return openWorkcell(definition);
  },
};

function isWorkcellDefinition(value: Json | WorkcellDefinition): value is WorkcellDefinition {
  return typeof value === 'object' && value !== null && 'cars' in value && 'robots' in value;
}

/** Every part that is not burnt. */
function inventoryOf(world: Workcell, state: WorkcellState): readonly InventoryItem[] {
  return Object.keys(state.items)
    .filter((id) => !state.burnt.includes(id))
    .map((id) => {
      const holder = Object.values(state.robots).find(({ holds }) => holds === id);
      return { id, name: itemName(world, state, id), amount: 1, holder: holder?.id ?? null };
    });
}

/** The environment of a checked definition. */
export function openWorkcell(definition: WorkcellDefinition): Environment<WorkcellState> {
  const world = openWorld(definition);
  const actions = workcellRegistry(world);
  return {
    kind: workcell.kind,
    rulesVersion: RULES_VERSION,
    actions,
    agents: definition.robots.map(({ id }) => id),
    hasGoal: true,
    pictureGuide: PICTURE_GUIDE,
    create: (seed) => createState(world, seed),
    scope: (agent) => scopeOf(world, actions, agent),
    active: (state) => activeRobots(world, state),
    legalActions: (state, agent) => legalActions(world, state, agent, actions),
    observe: (state, agent) => observe(world, state, agent, actions),
    scene: (state, agent) => sceneOf(world, state, agent),
    inventory: (state) => inventoryOf(world, state),
    check: (state, intent) => checkIntent(world, actions, state, intent),
    advance: (state, intents) => advanceState(world, actions, state, intents),
    endTurn: (state) => ({ state: learn(world, { ...state, turn: state.turn + 1 }), events: [] }),
    outcome: (state) => outcomeOf(world, state),
    parts: partsOf,
    search: { key: searchKey, estimate: (state) => estimate(world, state), texts: () => [] },
  };
}

function partsOf({
  turn,
  car,
  items,
  places,
  shelf,
  burnt,
  robots,
  minds,
  ties,
}: WorkcellState): Readonly<Record<string, string>> {
  return {
    turn: hashOf(turn),
    car: hashOf({ car, places, shelf, burnt }),
    items: hashOf(items),
    robots: hashOfParts(robots),
    knowledge: hashOfParts(minds),
    ...(ties === undefined ? {} : { rng: hashOf(ties) }),
  };
}

/** The observation of one robot: text, facts, nouns, offered actions and scene, all made from its view. */
function observe(
  world: Workcell,
  state: WorkcellState,
  agent: string,
  actions: WorkcellRegistry,
): Observation {
  const view = viewOf(world, state, agent);
  return {
    agent,
    turn: state.turn,
    sections: sections(view),
    scope: scopeOf(world, actions, agent),
    offered: legalActions(world, state, agent, actions),
    nouns: nounsOf(world, view),
    facts: factsOf(world, state, view),
    scene: sceneOf(world, state, agent),
  };
}

function sections(view: RobotView): readonly Section[] {
  const { mind } = view;
  const lines: Readonly<Record<(typeof SECTIONS)[number]['id'], readonly string[]>> = {
    place: placeLines(view),
    see: seeLines(view),
    shelf: shelfLines(view),
    hold: holdLines(view),
    heard: heardLines(mind),
    noticed: noticedLines(mind),
    last: mind.last === '' ? [] : [proseText(mind.last)],
  };
  return SECTIONS.map((section) => ({ ...section, lines: lines[section.id] })).filter(
    (section) => section.lines.length > 0,
  );
}

function heardLines({ inbox }: WorkcellMindState): readonly string[] {
  return inbox.flatMap((item) => (item.kind === 'heard' ? [heardByAll(item)] : []));
}

function noticedLines({ inbox }: WorkcellMindState): readonly string[] {
  return inbox.flatMap((item) => (item.kind === 'noticed' ? [item.line] : []));
}

/** Names of the actions that the scenario lets a robot use, sorted. */
function scopeOf(world: Workcell, actions: WorkcellRegistry, agent: string): readonly string[] {
  return actions.list().flatMap(({ name }) => (isAllowed(world, agent, name) ? [name] : []));
}

/**
 * The legal actions, sorted by name, each with the arguments that its `check` accepts; none for a robot that
 * no longer acts. `check` uses only what the robot knows, so offers reveal nothing hidden.
 */
function legalActions(
  world: Workcell,
  state: WorkcellState,
  agent: string,
  actions: WorkcellRegistry,
): readonly OfferedAction[] {
  const view = viewOf(world, state, agent);
  if (view.self.status !== 'awake') return [];
  const nouns = nounsOf(world, view);
  const spoken = (id: string): string => {
    const name = nouns.find((noun) => noun.id === id)?.name ?? id;
    return nouns.some((other) => other.id !== id && other.name === name) ? id : name;
  };
  return actions.list().flatMap((action) => {
    if (!isAllowed(world, agent, action.name)) return [];
    const accepts = (args: Parameters<typeof action.check>[2]) =>
      action.check(state, agent, args) === undefined;
    return offerOf(action, { nouns, spoken, accepts }) ?? [];
  });
}

/**
 * The workcell as an environment: robots around a car that must be mended. The contract's questions are handed to the files that answer them;
 * opening a definition builds its tables and actions once, and everything after that is a function of state.
 */
import { assert } from '../../base/assert.js';
import { hashOf, hashOfParts } from '../../base/canonical.js';
import type { Json } from '../../base/json.js';
import type { Environment, EnvironmentKind } from '../../environment/environment.js';
import { advanceState, checkIntent } from './advance.js';
import { createState } from './create.js';
import type { WorkcellDefinition } from './definition.js';
import { learn } from './knowledge.js';
import { observe } from './observe.js';
import { legalActions, scopeOf } from './offers.js';
import { outcomeOf } from './outcome.js';
import { workcellRegistry } from './registry.js';
import { sceneOf } from './scene.js';
import { estimate, searchKey } from './search.js';
import type { WorkcellState } from './state.js';
import { activeRobots, openWorld } from './world.js';

/** Raised whenever the same log would play differently. */
const RULES_VERSION = 1;

const PICTURE_GUIDE =
  'The picture shows the workshop from above: the car in the middle, its front up; the shelf with spares on the left, the incinerator on the right. Yellow numbers are the angles of the sides. Clear parts are what you see now, dim ones are remembered and may have changed, a question mark stands where you have not looked. A green tick marks what you found sound, a red cross what is faulty, a dashed yellow frame an empty place. What a robot holds lies behind it.';

/** What every workcell has in common: for its actions' names and their docs. */
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

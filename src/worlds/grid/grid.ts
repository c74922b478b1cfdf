/**
 * The grid world as an environment: implements the contract with the functions of the other files. Opening a
 * definition builds its tables and actions once; everything after that is a function of the state. The
 * scenario's loader has checked the definition, but one from a log may be untrusted: only its outline is
 * asserted here, and `assembly/logged-environment.ts` reports an exception as a fault of the log.
 */
import { assert } from '../../base/assert.js';
import { hashOf } from '../../base/canonical.js';
import type { Json } from '../../base/json.js';
import type { Environment, EnvironmentKind } from '../../environment/environment.js';
import { advanceState, checkIntent } from './advance.js';
import { activeAgents, outcomeOf } from './conditions.js';
import { createState } from './create.js';
import type { GridDefinition } from './definition.js';
import { Estimator } from './estimate.js';
import { everyNounOf } from './nouns.js';
import { hasOwnOutcomes, ownOutcome } from './own-outcomes.js';
import { observe } from './observe.js';
import { offersOf, scopeOf } from './legal-actions.js';
import { partsOf } from './parts.js';
import type { MakeAction } from './registry.js';
import { perceptionOf } from './perception.js';
import { isUnattainable } from './attainable.js';
import { knownPhrases } from './phrases.js';
import { gridRegistry } from './registry.js';
import { sceneOf, wholeMapOf } from './scene.js';
import { searchKey } from './search-key.js';
import type { GridState } from './state.js';
import { endTurnOf } from './turn-end.js';
import { indistinguishableFrom } from './indistinguishable-worlds.js';
import { viewOf } from './view.js';
import { nameText } from '../../environment/wording.js';
import { appearanceOf, bodyOf, mindOf, openWorld } from './world.js';
import { shardValues } from './chunks.js';
import { EVENT_KINDS } from './event-kinds.js';

/** Raised whenever the same log would play differently. */
const RULES_VERSION = 4;

/** The smallest possible world, from which the names of all actions are read. */
const EMPTY_WORLD: GridDefinition = {
  size: { width: 1, height: 1 },
  terrain: [{ id: 'floor', name: 'floor', walkable: true, opaque: false, sprite: 'floor' }],
  terrainKeys: '.',
  rows: ['.'],
  rooms: [],
  doors: [],
  things: [],
  npcs: [],
  agents: [],
  rules: {
    movement: 'room',
    diagonals: false,
    sight: 'recursive',
    speakRadius: 0,
    speechFree: false,
    fog: true,
    bodiesBlock: true,
  },
  window: { columns: 1, rows: 1 },
  success: null,
  successReason: '',
  failure: null,
  failureReason: '',
};

export const grid: EnvironmentKind<GridState> = gridKind([]);

/**
 * The grid world with additional actions. They belong to the rules: a log with them is replayed with the same
 * ones.
 */
export function gridKind(customActions: readonly MakeAction[]): EnvironmentKind<GridState> {
  return {
    kind: 'grid',
    rulesVersion: RULES_VERSION,
    get actionNames() {
      return gridRegistry(openWorld(EMPTY_WORLD), customActions)
        .list()
        .map(({ name }) => name);
    },
    open: (definition) => {
      assert(isGridDefinition(definition), 'a definition of a grid world');
      return openGrid(definition, customActions);
    },
  };
}

function isGridDefinition(value: Json | GridDefinition): value is GridDefinition {
  return typeof value === 'object' && value !== null && 'rows' in value && 'terrain' in value;
}

/** The environment of a checked definition. */
export function openGrid(
  definition: GridDefinition,
  customActions: readonly MakeAction[] = [],
): Environment<GridState> {
  const world = openWorld(definition);
  const actions = gridRegistry(world, customActions);
  const estimator = new Estimator(world);
  const wholeMap = wholeMapOf(world);
  return {
    kind: 'grid',
    rulesVersion: RULES_VERSION,
    actions,
    agents: definition.agents.map(({ id }) => id),
    hasGoal: definition.success !== null,
    create: (seed) => createState(world, seed),
    scope: (agent) => scopeOf(world, actions, agent),
    active: (state) => activeAgents(world, state),
    legalActions: (state, agent) => offersOf(world, state, perceptionOf(world, state, agent), actions),
    observe: (state, agent) => observe(world, state, agent, actions),
    scene: (state, agent) =>
      agent === null ? wholeMap(state) : sceneOf(world, state, viewOf(world, state, agent)),
    places: () =>
      definition.rooms.map(({ name, areas }) => {
        const rectangles = areas.map(({ x, y, width, height }) => ({
          from: { x, y },
          to: { x: x + width - 1, y: y + height - 1 },
        }));
        return { name: nameText(name), areas: rectangles };
      }),
    inventory: (state) =>
      shardValues(state.things).map((item) => {
        const { id, amount, place } = item;
        const holder = place.at === 'held' ? place.by : place.at === 'inside' ? place.container : null;
        return { id, name: nameText(appearanceOf(world, item).name), amount, holder };
      }),
    facing: (state, body) => bodyOf(state, body)?.facing ?? null,
    check: (state, intent) => checkIntent(world, actions, state, intent),
    advance: (state, intents) => advanceState(world, actions, state, intents),
    endTurn: (state) => endTurnOf(world, state),
    outcome: (state) => outcomeOf(world, state),
    ...(hasOwnOutcomes(definition)
      ? { outcomeOf: (state: GridState, agent: string) => ownOutcome(state, agent) }
      : {}),
    ...(customActions.length === 0 ? { eventKinds: EVENT_KINDS } : {}),
    everyNoun: () => everyNounOf(world),
    namesOfKind: (kind) => {
      const things = definition.things.filter(({ stack }) => stack?.kind === kind);
      return [...new Set(things.map(({ name }) => nameText(name)))];
    },
    parts: partsOf,
    search: {
      key: (state) => searchKey(world, state),
      estimate: (state, withdrawn) => estimator.estimate(state, withdrawn),
      texts: (state, agent) => knownPhrases(world, state, agent),
      mind: (state, agent) => hashOf(mindOf(state, agent)),
      // An action of somebody else's may move things and open doors in ways that are not known here.
      isUnattainable: (state) => customActions.length === 0 && isUnattainable(world, state),
      // Worlds that look the same and differ in secrets.
      indistinguishableWorlds: () =>
        indistinguishableFrom(definition).map((twin) => openGrid(twin, customActions)),
    },
  };
}

/**
 * The workcell as an environment: robots around a car that must be repaired. Opening a definition builds its
 * tables and actions once, and everything after that is a function of the state.
 */
import { assert, known } from '../../base/assert.js';
import { hashJson } from '../../base/canonical.js';
import type { Json } from '../../base/json.js';
import { WAIT } from '../../environment/action.js';
import { defineEnvironment } from '../../environment/define.js';
import type { DefinedState, EnvironmentSpec } from '../../environment/environment-spec.js';
import type { Environment, EnvironmentKind, Outcome } from '../../environment/environment.js';
import type { ActionSpec } from '../../environment/own-action.js';
import { distance } from '../../environment/space.js';
import { doneAction, speakAction } from '../../environment/standard-actions.js';
import { joinList, nameText } from '../../environment/wording.js';
import { attachPart, getSpare, handOver, incinerate, removePart } from './actions/handle.js';
import { inspect, listSpares, scanArea, setOrientation } from './actions/look.js';
import { createState } from './create.js';
import type { WorkcellDefinition } from './definition.js';
import { noticeOf } from './events.js';
import { factsOf, nounsOf } from './perceive.js';
import { sceneOf } from './scene.js';
import type { WorkcellState } from './state.js';
import { SECTIONS, textOf } from './text.js';
import { learn, viewOf } from './view.js';
import type { Workcell } from './world.js';
import {
  activeRobots,
  carOf,
  inPlace,
  isAllowed,
  itemName,
  itemOf,
  meet,
  openWorld,
  robotName,
  robotOf,
  setRobot,
  tileOf,
} from './world.js';

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

export const workcell: EnvironmentKind<DefinedState<WorkcellState>> = {
  kind: 'workcell',
  rulesVersion: RULES_VERSION,
  get actionNames() {
    return openWorkcell(EMPTY_WORKCELL)
      .actions.list()
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
export function openWorkcell(definition: WorkcellDefinition): Environment<DefinedState<WorkcellState>> {
  const agents = definition.robots.map(({ id }) => id);
  return defineEnvironment(specOf(openWorld(definition))).open({ agents });
}

function specOf(world: Workcell): EnvironmentSpec<object, WorkcellState> {
  const actions: readonly ActionSpec<WorkcellState>[] = [
    attachPart(world),
    doneAction((state, robot) => setRobot(state, robot, { status: 'done' })),
    getSpare(world),
    handOver(world),
    incinerate(world),
    inspect(world),
    listSpares(world),
    removePart(world),
    scanArea(world),
    setOrientation(world),
    speakToAll(world),
  ];
  return {
    kind: 'workcell',
    rulesVersion: RULES_VERSION,
    actions,
    pictureGuide: PICTURE_GUIDE,
    order: world.definition.rules.ties ?? 'id',
    create: (_settings, seed) => createState(world, seed),
    scope: (robot) =>
      [WAIT, ...actions.map(({ name }) => name)].filter((one) => isAllowed(world, robot, one)),
    isActive: (state, robot) => robotOf(state, robot).status === 'awake',
    sections: SECTIONS,
    tell: (state, robot) => textOf(viewOf(world, state, robot)),
    nouns: (state, robot) => nounsOf(world, viewOf(world, state, robot)),
    facts: (state, robot, news) => factsOf(world, viewOf(world, state, robot), known(news, 'news')),
    scene: (state, robot) => sceneOf(world, state, robot),
    settle: (state) => learn(world, state),
    notice: (state, robot, event) => noticeOf(world, state, robot, event),
    endTurn: (state) => ({ state: learn(world, { ...state, turn: state.turn + 1 }) }),
    outcome: (state) => outcomeOf(world, state),
    // Every part that is not burnt.
    inventory: (state) =>
      Object.keys(state.items)
        .filter((id) => !state.burnt.includes(id))
        .map((id) => {
          const holder = Object.values(state.robots).find(({ holds }) => holds === id);
          return { id, name: itemName(world, state, id), amount: 1, holder: holder?.id ?? null };
        }),
    // Every world has the turn as a part.
    parts: ({ turn: _turn, items, robots, minds, ...car }) => ({ car, items, robots, knowledge: minds }),
    search: { key: searchKey, estimate: (state) => estimate(world, state) },
  };
}

/** Every robot hears everything, and knows the speaker from then on. */
function speakToAll(world: Workcell): ActionSpec<WorkcellState> {
  const others = (state: WorkcellState, speaker: string): readonly string[] =>
    activeRobots(world, state).filter((id) => id !== speaker);
  const speak = speakAction<WorkcellState>({
    description: 'Say something to everybody in the workcell.',
    example: '"The windscreen is cracked."',
    hear: (state, speaker) => {
      const at = tileOf(world, state, speaker);
      const hearers = others(state, speaker).map((id) => ({
        id,
        distance: distance(tileOf(world, state, id), at),
      }));
      return { name: robotName(world, speaker), reach: 'all', at, hearers };
    },
  });
  return {
    ...speak,
    apply: (before, speaker, args) => {
      const spoken = speak.apply(before, speaker, args);
      const state = others(before, speaker).reduce((now, id) => meet(now, id, [speaker]), spoken.state);
      return { ...spoken, state };
    },
  };
}

/**
 * The key of a state in the search for solutions: equal only for states from which the same actions lead to
 * the same end. The turn and whom robots have met are left out, because they affect no rule.
 */
function searchKey({ turn: _turn, minds, ...state }: WorkcellState): string {
  const knowledge = Object.entries(minds).map(([robot, { scanned, places, findings, shelf }]) => {
    const seen = Object.entries(places).map(([place, { item }]) => [place, item]);
    return [robot, { scanned, findings, shelf, places: Object.fromEntries(seen) }];
  });
  return hashJson('search', { ...state, minds: Object.fromEntries(knowledge) });
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
    ({ id }) =>
      !items.some((item) => item.fault === null && !state.burnt.includes(item.id) && item.part === id),
  );
  if (irreplaceable !== undefined)
    return failed(`No sound part is left for the place of the ${nameText(irreplaceable.name)}.`);
  const isComplete = parts.every(({ id }) => {
    const item = inPlace(state, id);
    return item !== null && itemOf(state, item).fault === null;
  });
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

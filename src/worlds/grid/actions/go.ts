/**
 * GO: walks in a direction or to something. `journey.ts` plans the path; `movement.ts` decides how far it
 * leads.
 */
import type { Args } from '../../../environment/action.js';
import { problem } from '../../../base/problem.js';
import { Recent } from '../../../base/recent.js';
import { choice, direction, name, sequence, word } from '../../../environment/grammar.js';
import type { Direction } from '../../../environment/space.js';
import { DIRECTIONS, isDiagonal } from '../../../environment/space.js';
import { moveBody } from '../change.js';
import { asData, happened } from '../events.js';
import { planDirection, planTo, planToTile } from '../journey.js';
import { claimOf } from '../movement.js';
import { perceptionOf } from '../perception.js';
import type { GridState } from '../state.js';
import type { GridWorld } from '../world.js';
import { assert, known } from '../../../base/assert.js';
import type { GridAction, RoutePlan } from './grid-action.js';
import { textArg } from './grid-action.js';
import { tileArg, tileForms } from './tiles.js';

export function goAction(world: GridWorld): GridAction {
  const plan = rememberingPlans((state, agent, args) => planGo(world, state, { agent, args }));
  return {
    name: 'GO',
    aliases: ['MOVE', 'WALK'],
    ...formsOf(world),
    cost: 'turn',
    plan,
    check: (state, agent, args) => {
      const planned = plan(state, agent, args);
      return planned.ok ? undefined : planned.problem;
    },
    apply: (state, agent, args) => {
      const planned = plan(state, agent, args);
      assert(planned.ok, 'GO must be checked before it is applied');
      const { path } = claimOf(world, state, { agent, planned: planned.path });
      const end = known(path.at(-1), 'end of the way');
      const event = happened('moved', agent, end, { path: asData(path) });
      return { state: moveBody(state, { id: agent, path }), message: 'You went.', events: [event], path };
    },
  };
}

/** With or without a target, depending on `goTo` in the world's rules. */
function formsOf(world: GridWorld): Pick<GridAction, 'description' | 'grammar' | 'examples'> {
  const isByRoom = world.definition.rules.movement === 'room';
  const by = isByRoom
    ? 'Walk through the exit in a direction (if you know none there, on until you see more)'
    : 'Take one step in a direction';
  const way = direction('direction', isByRoom ? 'the exit to take' : 'the way to step', world.hasDiagonals);
  if (!takesTarget(world)) return { description: `${by}.`, grammar: way, examples: ['NORTH'] };
  const towards = isByRoom ? ', or up to' : ', or towards';
  return {
    description: `${by}${towards} a thing, door, person or room that you know.`,
    grammar: choice(
      way,
      ...tileForms(world, 'TO'),
      sequence(
        word('TO'),
        name('target', ['thing', 'container', 'door', 'person', 'creature', 'place'], 'where to go', [
          'held',
        ]),
      ),
    ),
    examples: ['NORTH', 'TO brass key'],
  };
}

function takesTarget({ definition }: GridWorld): boolean {
  return definition.rules.goTo !== false;
}

/** One is judged and walked from; a free act before it makes another. */
const STATES_KEPT = 4;

type RoutePlanner = (state: GridState, agent: string, args: Args) => RoutePlan;

/** The same plan is asked for when an intent is judged, checked and walked: it is made once for one state. */
function rememberingPlans(make: RoutePlanner): RoutePlanner {
  const plans = new Recent<GridState, Map<string, RoutePlan>>(STATES_KEPT);
  return (state, agent, args) => {
    const ofState = plans.get(state) ?? new Map<string, RoutePlan>();
    if (ofState.size === 0) plans.add(state, ofState);
    const key = JSON.stringify([agent, args]);
    const plan = ofState.get(key) ?? make(state, agent, args);
    ofState.set(key, plan);
    return plan;
  };
}

function planGo(
  world: GridWorld,
  state: GridState,
  { agent, args }: { readonly agent: string; readonly args: Args },
): RoutePlan {
  const walker = { world, state, perception: perceptionOf(world, state, agent) };
  if (takesTarget(world)) {
    const tile = tileArg(args);
    if (tile !== null) return planToTile(walker, tile);
    const target = textArg(args, 'target');
    if (target !== '') return planTo(walker, target);
  }
  const way = DIRECTIONS.find((each) => each === textArg(args, 'direction'));
  const ways = waysOf(world);
  if (way !== undefined && ways.includes(way)) return planDirection(walker, way);
  const orTarget = takesTarget(world) ? ' or TO and something that you know' : '';
  const message = `GO needs a direction (${ways.join(', ')})${orTarget}.`;
  return { ok: false, problem: problem('bad-argument', message) };
}

/** By room, agents leave through doors, which are in the four main directions. */
function waysOf(world: GridWorld): readonly Direction[] {
  return DIRECTIONS.filter((each) => !isDiagonal(each) || world.hasDiagonals);
}

/**
 * GO: walks in a direction or to something. `journey.ts` plans the path; `movement.ts` decides how far the
 * walk gets.
 */
import type { Args } from '../../../environment/action.js';
import { problem } from '../../../base/problem.js';
import { choice, direction, name, sequence, word } from '../../../environment/grammar.js';
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
  const planFor = (state: GridState, agent: string, args: Args): RoutePlan =>
    planGo(world, state, { agent, args });
  return {
    name: 'GO',
    aliases: ['MOVE', 'WALK'],
    ...describeGo(world),
    cost: 'turn',
    plan: planFor,
    check: (state, agent, args) => {
      const planned = planFor(state, agent, args);
      return planned.ok ? undefined : planned.problem;
    },
    apply: (state, agent, args) => {
      const planned = planFor(state, agent, args);
      assert(planned.ok, 'GO must be checked before it is applied');
      const { path } = claimOf(world, state, { agent, planned: planned.path });
      const end = known(path.at(-1), 'end of the way');
      const event = happened('moved', agent, end, { path: asData(path) });
      return { state: moveBody(state, { id: agent, path }), message: 'You went.', events: [event], path };
    },
  };
}

/** Description, grammar and examples, with or without a target, depending on `goTo` in the world's rules. */
function describeGo(world: GridWorld): Pick<GridAction, 'description' | 'grammar' | 'examples'> {
  const isByRoom = world.definition.rules.movement === 'room';
  const directionText = isByRoom
    ? 'Walk through the exit in a direction (if you know none there, on until you see more)'
    : 'Take one step in a direction';
  const directionSlot = direction(
    'direction',
    isByRoom ? 'the exit to take' : 'the way to step',
    world.hasDiagonals,
  );
  if (!takesTarget(world))
    return { description: `${directionText}.`, grammar: directionSlot, examples: ['NORTH'] };
  const targetText = isByRoom ? ', or up to' : ', or towards';
  return {
    description: `${directionText}${targetText} a thing, door, person or room that you know.`,
    grammar: choice(
      directionSlot,
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

function planGo(
  world: GridWorld,
  state: GridState,
  { agent, args }: { agent: string; args: Args },
): RoutePlan {
  const walker = { world, state, perception: perceptionOf(world, state, agent) };
  if (takesTarget(world)) {
    const tile = tileArg(args);
    if (tile !== null) return planToTile(walker, tile);
    const target = textArg(args, 'target');
    if (target !== '') return planTo(walker, target);
  }
  const requested = DIRECTIONS.find((each) => each === textArg(args, 'direction'));
  const allowed = DIRECTIONS.filter((each) => !isDiagonal(each) || world.hasDiagonals);
  if (requested !== undefined && allowed.includes(requested)) return planDirection(walker, requested);
  const targetHint = takesTarget(world) ? ' or TO and something that you know' : '';
  const message = `GO needs a direction (${allowed.join(', ')})${targetHint}.`;
  return { ok: false, problem: problem('bad-argument', message) };
}

/**
 * PUSH: moves a thing one tile and steps into its place. The actor pushes from behind; with movement by room
 * it walks there itself, by tile it must be there already. `check` judges the tiles beyond the thing as the
 * actor knows them, `attempt` as they are.
 */
import { known } from '../../../base/assert.js';
import type { Problem } from '../../../base/problem.js';
import { problem } from '../../../base/problem.js';
import type { Args } from '../../../environment/action.js';
import { direction, name, sequence } from '../../../environment/grammar.js';
import type { Direction, Point } from '../../../environment/space.js';
import { CARDINALS, moved, opposite, samePoint } from '../../../environment/space.js';
import { moveBody, placeThing } from '../change.js';
import { asData, happened } from '../events.js';
import { believedObstacle, actualObstacle } from '../believed-walkability.js';
import { pathOnto } from '../journey.js';
import { claimOf } from '../movement.js';
import { perceptionOf } from '../perception.js';
import { canSee } from '../sight.js';
import type { GridState } from '../state.js';
import type { ThingTarget } from '../targets.js';
import { outOfReach } from '../targets.js';
import { viewOf } from '../view.js';
import { capitalised, theName } from '../../../environment/wording.js';
import type { GridWorld } from '../world.js';
import { bodiesAt, mayStepAside, positionOf } from '../world.js';
import type { GridAction } from './grid-action.js';
import { textArg } from './grid-action.js';
import { wrongKindProblem, wrongTargetProblem, PERCEIVED_KINDS, thingArg } from './things.js';

export function pushAction(world: GridWorld): GridAction {
  const isByRoom = world.definition.rules.movement === 'room';
  const positionHint = isByRoom ? 'You walk behind it first.' : 'Stand behind it first.';
  return {
    name: 'PUSH',
    aliases: ['SHOVE'],
    description: `Push a thing one tile and step into its place. ${positionHint}`,
    grammar: sequence(
      name('thing', ['thing', 'container'], 'what to push', PERCEIVED_KINDS),
      direction('direction', 'where to', false),
    ),
    examples: ['crate EAST'],
    cost: 'turn',
    check: (state, agent, args) => {
      const target = thingArg(world, state, agent, args);
      const requirement = 'a thing that stands free';
      if (target === null) {
        return wrongTargetProblem(world, state, agent, {
          id: textArg(args, 'thing'),
          done: 'pushed',
          can: requirement,
        });
      }
      if (!target.definition.pushable)
        return problem('illegal/no-use', `${capitalised(target.name)} can't be pushed.`);
      if (target.item.place.at !== 'tile') return wrongKindProblem(target, 'pushed', requirement);
      const push = pushOf(world, state, agent, args);
      if (push === undefined) {
        return problem('bad-argument', `PUSH needs a direction: ${CARDINALS.join(', ')}.`);
      }
      const isByTile = world.definition.rules.movement === 'tile';
      return (
        (isByTile ? outOfReach(state, agent, target) : undefined) ??
        checkBehind(world, push) ??
        checkAhead(world, state, agent, push)
      );
    },
    attempt: (state, agent, args) => {
      const push = pushOf(world, state, agent, args);
      return push && attemptPush(world, state, agent, push);
    },
    apply: (state, agent, args) => {
      const { target, heading, to, path } = known(pushOf(world, state, agent, args), 'thing to push');
      const walked = [...known(path, 'the way behind the thing'), target.at];
      const pushed = placeThing(state, target.id, { at: 'tile', ...to });
      const data = {
        id: target.id,
        name: target.name,
        direction: heading,
        path: asData(walked),
        landed: { ...to },
      };
      return {
        state: moveBody(pushed, { id: agent, path: walked }),
        message: `You pushed ${target.name} ${heading}.`,
        events: [happened('pushed', agent, target.at, data)],
        path: walked,
      };
    },
  };
}

/** A requested push. */
interface PushAttempt {
  target: ThingTarget;
  heading: Direction;
  /** The tile from which it is pushed. */
  behind: Point;
  /** The tile that the thing moves to. */
  to: Point;
  /** The actor's path to the tile behind the thing; null if it knows none. */
  path: readonly Point[] | null;
}

function pushOf(world: GridWorld, state: GridState, agent: string, args: Args): PushAttempt | undefined {
  const target = thingArg(world, state, agent, args);
  const heading = CARDINALS.find((each) => each === textArg(args, 'direction'));
  if (target === null || heading === undefined) return undefined;
  const behind = moved(target.at, opposite(heading));
  const path = pathBehind(world, state, agent, behind);
  return { target, heading, behind, to: moved(target.at, heading), path };
}

function pathBehind(
  world: GridWorld,
  state: GridState,
  agent: string,
  behind: Point,
): readonly Point[] | null {
  const here = positionOf(state, agent);
  if (samePoint(here, behind)) return [here];
  return world.definition.rules.movement === 'room'
    ? pathOnto({ world, state, perception: perceptionOf(world, state, agent) }, behind)
    : null;
}

function checkBehind(world: GridWorld, { path, target, heading }: PushAttempt): Problem | undefined {
  if (path !== null) return undefined;
  const side = `the ${opposite(heading)} side of ${target.name}`;
  return world.definition.rules.movement === 'room'
    ? problem(
        'illegal/no-way',
        `To push it ${heading} you must get to ${side}, and you know no open way there.`,
      )
    : problem('illegal/not-behind', `To push it ${heading} you must stand on ${side}. GO there first.`);
}

function checkAhead(
  world: GridWorld,
  state: GridState,
  agent: string,
  push: PushAttempt,
): Problem | undefined {
  const { to, target, heading } = push;
  const obstacle = believedObstacle(world, state, viewOf(world, state, agent), to);
  // An unknown tile is no reason for a refusal, because only the attempt shows it.
  if (obstacle !== null && obstacle.kind !== 'unknown')
    return blockedProblem(target, heading, obstacle.description);
  const neededTiles = [to, target.at].filter((tile) => canSee(world, state, agent, tile));
  const body = neededTiles
    .flatMap((tile) => otherBodiesOn(state, agent, tile))
    .find((id) => !mayStepAside(world, state, id));
  return body === undefined ? undefined : blockedProblem(target, heading, standsThere(world, body));
}

/** Bodies on a tile, except the pusher, which will have left it. */
function otherBodiesOn(state: GridState, agent: string, tile: Point): readonly string[] {
  return bodiesAt(state, tile)
    .map(({ id }) => id)
    .filter((id) => id !== agent);
}

function standsThere(world: GridWorld, body: string): string {
  return `${theName(known(world.bodies.get(body), body).name)} stands there`;
}

function blockedProblem({ name: what }: ThingTarget, heading: Direction, why: string): Problem {
  return problem('illegal/blocked', `You can't push ${what} ${heading}: ${why}.`);
}

function attemptPush(
  world: GridWorld,
  state: GridState,
  agent: string,
  push: PushAttempt,
): Problem | undefined {
  const { to, target, heading, path } = push;
  const walk = claimOf(world, state, { agent, planned: path ?? [] });
  if (walk.stopped !== null) {
    return problem('illegal/blocked', `You could not get behind ${target.name}: ${walk.stopped}.`);
  }
  const isSeen = canSee(world, state, agent, to);
  const obstacle = actualObstacle(world, state, to);
  if (obstacle !== null)
    return blockedProblem(target, heading, isSeen ? obstacle.description : 'something is in the way');
  const body = [to, target.at].flatMap((tile) => otherBodiesOn(state, agent, tile))[0];
  if (body === undefined) return undefined;
  return blockedProblem(target, heading, isSeen ? standsThere(world, body) : 'somebody stands there');
}

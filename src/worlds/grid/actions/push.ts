/**
 * PUSH: move a thing one tile and step into its place. The actor pushes from behind; by `room` it walks there
 * itself, by `tile` it must be there already. The tiles beyond the thing are checked as the actor sees them;
 * the real ones are met when it is tried.
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
import { believedObstacle, realObstacle } from '../believed-walkability.js';
import { pathOnto } from '../journey.js';
import { claimOf } from '../movement.js';
import { perceptionOf } from '../perception.js';
import { canSee } from '../sight.js';
import type { GridState } from '../state.js';
import type { ThingTarget } from '../targets.js';
import { outOfReach } from '../targets.js';
import { viewOf } from '../view.js';
import { capitalised, theName } from '../wording.js';
import type { GridWorld } from '../world.js';
import { bodiesAt, mayStepAside, standingOf } from '../world.js';
import type { GridAction } from './grid-action.js';
import { textArg } from './grid-action.js';
import { cannot, noThing, PERCEIVED_KINDS, thingArg } from './things.js';

export function pushAction(world: GridWorld): GridAction {
  const isByRoom = world.definition.rules.movement === 'room';
  const from = isByRoom ? 'You walk behind it first.' : 'Stand behind it first.';
  return {
    name: 'PUSH',
    aliases: ['SHOVE'],
    description: `Push a thing one tile and step into its place. ${from}`,
    grammar: sequence(
      name('thing', ['thing', 'container'], 'what to push', PERCEIVED_KINDS),
      direction('direction', 'where to', false),
    ),
    examples: ['crate EAST'],
    cost: 'turn',
    check: (state, agent, args) => checkPush(world, state, agent, args),
    attempt: (state, agent, args) => {
      const push = pushOf(world, state, agent, args);
      return push && attemptPush(world, state, agent, push);
    },
    apply: (state, agent, args) => {
      const { target, way, to, path } = known(pushOf(world, state, agent, args), 'thing to push');
      const walked = [...known(path, 'the way behind the thing'), target.at];
      const pushed = placeThing(state, target.id, { at: 'tile', ...to });
      const data = {
        id: target.id,
        name: target.name,
        direction: way,
        path: asData(walked),
        landed: { ...to },
      };
      return {
        state: moveBody(pushed, { id: agent, path: walked }),
        message: `You pushed ${target.name} ${way}.`,
        events: [happened('pushed', agent, target.at, data)],
        path: walked,
      };
    },
  };
}

/** A push as it was requested. */
interface PushAttempt {
  readonly target: ThingTarget;
  readonly way: Direction;
  readonly behind: Point;
  /** Where the thing goes. */
  readonly to: Point;
  /** The actor's way to the tile behind the thing; null if it knows none. */
  readonly path: readonly Point[] | null;
}

function pushOf(world: GridWorld, state: GridState, agent: string, args: Args): PushAttempt | undefined {
  const target = thingArg(world, state, agent, args);
  const way = CARDINALS.find((each) => each === textArg(args, 'direction'));
  if (target === null || way === undefined) return undefined;
  const behind = moved(target.at, opposite(way));
  const path = pathBehind(world, state, agent, behind);
  return { target, way, behind, to: moved(target.at, way), path };
}

function pathBehind(
  world: GridWorld,
  state: GridState,
  agent: string,
  behind: Point,
): readonly Point[] | null {
  const here = standingOf(state, agent);
  if (samePoint(here, behind)) return [here];
  return world.definition.rules.movement === 'room'
    ? pathOnto({ world, state, perception: perceptionOf(world, state, agent) }, behind)
    : null;
}

function checkPush(world: GridWorld, state: GridState, agent: string, args: Args): Problem | undefined {
  const target = thingArg(world, state, agent, args);
  const can = 'a thing that stands free';
  if (target === null) {
    return noThing(world, state, agent, { id: textArg(args, 'thing'), done: 'pushed', can });
  }
  if (!target.definition.pushable) return unmovable(target);
  if (target.item.place.at !== 'tile') return cannot(target, 'pushed', can);
  const push = pushOf(world, state, agent, args);
  if (push === undefined) {
    return problem('bad-argument', `PUSH needs a direction: ${CARDINALS.join(', ')}.`);
  }
  const isByTile = world.definition.rules.movement === 'tile';
  return (
    (isByTile ? outOfReach(state, agent, target) : undefined) ??
    notBehind(world, push) ??
    blockedAhead(world, state, agent, push)
  );
}

function unmovable({ name: what }: ThingTarget): Problem {
  return problem('illegal/no-use', `${capitalised(what)} can't be pushed.`);
}

function notBehind(world: GridWorld, { path, target, way }: PushAttempt): Problem | undefined {
  if (path !== null) return undefined;
  const side = `the ${opposite(way)} side of ${target.name}`;
  return world.definition.rules.movement === 'room'
    ? problem('illegal/no-way', `To push it ${way} you must get to ${side}, and you know no open way there.`)
    : problem('illegal/not-behind', `To push it ${way} you must stand on ${side}. GO there first.`);
}

function blockedAhead(
  world: GridWorld,
  state: GridState,
  agent: string,
  push: PushAttempt,
): Problem | undefined {
  const { to, target, way } = push;
  const obstacle = believedObstacle(world, state, viewOf(world, state, agent), to);
  // What is not known is no reason for a refusal: only a try shows it.
  if (obstacle !== null && obstacle.kind !== 'unknown') return stuck(target, way, obstacle.words);
  const onto = [to, target.at].filter((tile) => canSee(world, state, agent, tile));
  const body = onto
    .flatMap((tile) => othersOn(state, agent, tile))
    .find((id) => !mayStepAside(world, state, id));
  return body === undefined ? undefined : stuck(target, way, standing(world, body));
}

/** Bodies on a tile; on the destination, the pusher itself does not count, because it will be behind. */
function othersOn(state: GridState, agent: string, tile: Point): readonly string[] {
  return bodiesAt(state, tile)
    .map(({ id }) => id)
    .filter((id) => id !== agent);
}

function standing(world: GridWorld, body: string): string {
  return `${theName(known(world.bodies.get(body), body).name)} stands there`;
}

function stuck({ name: what }: ThingTarget, way: Direction, why: string): Problem {
  return problem('illegal/blocked', `You can't push ${what} ${way}: ${why}.`);
}

function attemptPush(
  world: GridWorld,
  state: GridState,
  agent: string,
  push: PushAttempt,
): Problem | undefined {
  const { to, target, way, path } = push;
  const walk = claimOf(world, state, { agent, planned: path ?? [] });
  if (walk.stopped !== null) {
    return problem('illegal/blocked', `You could not get behind ${target.name}: ${walk.stopped}.`);
  }
  const isSeen = canSee(world, state, agent, to);
  const obstacle = realObstacle(world, state, to);
  if (obstacle !== null) return stuck(target, way, isSeen ? obstacle.words : 'something is in the way');
  const body = [to, target.at].flatMap((tile) => othersOn(state, agent, tile))[0];
  if (body === undefined) return undefined;
  return stuck(target, way, isSeen ? standing(world, body) : 'somebody stands there');
}

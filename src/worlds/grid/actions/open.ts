/**
 * OPEN: opens a door or a container within reach; a locked one opens if the actor holds its key. Only the
 * attempt shows which key fits.
 */
import { known } from '../../../base/assert.js';
import { problem } from '../../../base/problem.js';
import type { Args } from '../../../environment/action.js';
import { name } from '../../../environment/grammar.js';
import type { GridState } from '../state.js';
import { notPerceived, outOfReach } from '../targets.js';
import { capitalised, theName } from '../../../environment/wording.js';
import type { GridWorld } from '../world.js';
import { bodyOf, appearanceOf, thingOf } from '../world.js';
import type { GridAction } from './grid-action.js';
import { textArg } from './grid-action.js';
import type { TargetLid } from './locks.js';
import { lidEvent, lidOf, withLid } from './locks.js';
import { wrongKindProblem, PERCEIVED_KINDS, targetArg } from './things.js';

export function openAction(world: GridWorld): GridAction {
  const targetLid = (state: GridState, agent: string, args: Args): TargetLid | null =>
    lidOf(targetArg(world, state, agent, { args, slot: 'target' }));
  return {
    name: 'OPEN',
    aliases: [],
    description: 'Open a door or container beside you; a locked one if you hold its key.',
    grammar: name('target', ['door', 'container'], 'what to open', PERCEIVED_KINDS),
    examples: ['oak door'],
    cost: 'turn',
    check: (state, agent, args) => {
      const target = targetArg(world, state, agent, { args, slot: 'target' });
      if (target === null) return notPerceived(state, agent, textArg(args, 'target'));
      const lid = lidOf(target);
      if (lid === null) return wrongKindProblem(target, 'opened', 'a door or a container');
      if (lid.state === 'open')
        return problem('illegal/already-open', `${capitalised(target.name)} is open already.`);
      const holdsNoKey = lid.state === 'locked' && holdsOf(state, agent).length === 0;
      return (
        outOfReach(state, agent, target) ??
        (holdsNoKey
          ? problem(
              'illegal/locked',
              `${capitalised(target.name)} is locked. Find its key and hold it, then OPEN it.`,
            )
          : undefined)
      );
    },
    attempt: (state, agent, args) => {
      const { target, state: lidState, key } = known(targetLid(state, agent, args), 'what to open');
      if (lidState !== 'locked' || (key !== null && holdsOf(state, agent).includes(key))) return undefined;
      const message = `${capitalised(target.name)} is locked, and nothing that you hold opens it.`;
      return problem('illegal/locked', message);
    },
    apply: (state, agent, args) => {
      const opened = known(targetLid(state, agent, args), 'what to open');
      const wasLocked = opened.state === 'locked';
      const key = opened.key === null ? undefined : thingOf(state, opened.key);
      const keyText = wasLocked && key ? ` with ${theName(appearanceOf(world, key).name)}` : '';
      return {
        state: withLid(state, opened, 'open'),
        message: `You ${wasLocked ? 'unlocked and opened' : 'opened'} ${opened.target.name}${keyText}.`,
        events: [
          ...(wasLocked ? [lidEvent('unlocked', agent, opened)] : []),
          lidEvent('opened', agent, opened),
        ],
      };
    },
  };
}

function holdsOf(state: GridState, agent: string): readonly string[] {
  return known(bodyOf(state, agent), `body of ${agent}`).holds;
}

/** READ: shows the text on a thing within reach. Free; it changes only what the reader knows. */
import { known } from '../../../base/assert.js';
import type { Problem } from '../../../base/problem.js';
import { problem } from '../../../base/problem.js';
import { quoted } from '../../../base/text.js';
import { name } from '../../../environment/grammar.js';
import { withRecalledLine } from '../../../environment/news.js';
import { setMark, setMinds } from '../change.js';
import { readMark } from '../conditions.js';
import { happened } from '../events.js';
import { notPerceived, outOfReach } from '../targets.js';
import { capitalised } from '../../../environment/wording.js';
import type { GridWorld } from '../world.js';
import type { GridAction } from './grid-action.js';
import { textArg } from './grid-action.js';
import { PERCEIVED_KINDS, targetArg, thingArg } from './things.js';

export function readAction(world: GridWorld): GridAction {
  return {
    name: 'READ',
    aliases: [],
    description: 'Read what is written on a thing in your hands or beside you.',
    grammar: name('thing', ['thing', 'held', 'container'], 'what to read', PERCEIVED_KINDS),
    examples: ['stone tablet'],
    cost: 'free',
    check: (state, agent, args) => {
      const target = targetArg(world, state, agent, { args, slot: 'thing' });
      if (target === null) return notPerceived(state, agent, textArg(args, 'thing'));
      if (target.kind !== 'thing') return nothingWritten(target.name);
      const refusal = outOfReach(state, agent, target);
      if (refusal !== undefined) return refusal;
      return target.definition.text === null ? nothingWritten(target.name) : undefined;
    },
    apply: (state, agent, args) => {
      const { id, name: what, definition, at } = known(thingArg(world, state, agent, args), 'thing to read');
      const text = quoted(known(definition.text, 'text'));
      const line = `${capitalised(what)} reads: ${text}`;
      const marked = setMark(state, readMark(definition.id, agent));
      return {
        state: setMinds(marked, [agent], (mind) => ({ read: withRecalledLine(mind.read, line) })),
        message: line,
        told: `It reads: ${text}`,
        events: [happened('read', agent, at, { id, name: what })],
      };
    },
  };
}

function nothingWritten(what: string): Problem {
  return problem('illegal/no-text', `There is nothing to read on ${what}.`);
}

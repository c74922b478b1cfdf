/** INSPECT: shows whether a part on the robot's side is faulty. */
import { known } from '../../../base/assert.js';
import { name } from '../../../environment/grammar.js';
import { setMind } from '../change.js';
import { happened } from '../events.js';
import { partProblem } from '../refusals.js';
import type { WorkcellState } from '../state.js';
import type { Workcell } from '../world.js';
import { partDefinition, inPlace, itemOf, mindOf } from '../world.js';
import { capitalised, nameText, proseText, theName } from '../wording.js';
import type { WorkcellAction } from './workcell-action.js';
import { textArg } from './workcell-action.js';

export function inspectAction(world: Workcell): WorkcellAction {
  return {
    name: 'INSPECT',
    aliases: ['EXAMINE'],
    description: 'Learn whether a part on your side of the car is faulty.',
    grammar: name('name', ['part'], 'the part to inspect'),
    examples: ['windscreen'],
    cost: 'turn',
    check: (state, agent, args) => partProblem({ world, state, agent, part: textArg(args, 'name') }),
    apply: (before, agent, args) => {
      const part = textArg(args, 'name');
      const item = itemOf(before, known(inPlace(before, part), `item in the place of ${part}`));
      const findings = { ...mindOf(before, agent).findings, [item.id]: item.fault };
      const state = setMind(before, agent, { findings });
      return {
        state,
        message: findingText(world, state, item.id),
        events: [happened(world, state, { kind: 'inspected', actor: agent, data: { part } })],
      };
    },
  };
}

function findingText(world: Workcell, state: WorkcellState, id: string): string {
  const item = itemOf(state, id);
  const part = partDefinition(world, state, item.part);
  const partName = capitalised(theName(nameText(part.name)));
  const fault = part.faults.find((candidate) => candidate.id === item.fault);
  if (fault !== undefined) return `${partName} is faulty: ${proseText(fault.finding)}`;
  return `${partName} is sound.${part.description === '' ? '' : ` ${proseText(part.description)}`}`;
}

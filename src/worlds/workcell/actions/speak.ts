/**
 * SPEAK: says something that every robot in the workcell hears. The world sets the speaker; the words are
 * treated as data.
 */
import { compareText } from '../../../base/ids.js';
import { LIMITS } from '../../../base/limits.js';
import { problem } from '../../../base/problem.js';
import { quoted } from '../../../base/text.js';
import type { Applied } from '../../../environment/action.js';
import { text } from '../../../environment/grammar.js';
import { distance } from '../../../environment/space.js';
import type { Listener, Utterance } from '../../../speech/utterance.js';
import { hearers, utteranceText } from '../../../speech/utterance.js';
import { addInbox, meet, recall } from '../change.js';
import { happened, standing } from '../events.js';
import { FLOOR_SIDE } from '../layout.js';
import type { WorkcellState } from '../state.js';
import { heardByAll } from '../wording.js';
import type { Workcell } from '../world.js';
import { activeRobots, robotName } from '../world.js';
import type { WorkcellAction } from './workcell-action.js';
import { textArg } from './workcell-action.js';

export function speakAction(world: Workcell): WorkcellAction {
  return {
    name: 'SPEAK',
    aliases: ['SAY', 'TELL'],
    description: 'Say something to everybody in the workcell.',
    grammar: text('text', 'what to say', LIMITS.utteranceCharacters),
    examples: ['"The windscreen is cracked."'],
    cost: 'turn',
    check: (_state, _agent, args) =>
      utteranceText(textArg(args, 'text')) === ''
        ? problem('bad-argument', 'There is nothing to say. Put your words in quotation marks.')
        : undefined,
    apply: (state, agent, args) => say(world, state, agent, utteranceText(textArg(args, 'text'))),
  };
}

function say(world: Workcell, state: WorkcellState, agent: string, words: string): Applied<WorkcellState> {
  const at = standing(world, state, agent);
  const utterance: Utterance = { speaker: agent, channel: 'speak', text: words, turn: state.turn, at };
  const ear = (id: string): Listener => ({ id, ...standing(world, state, id), rooms: [] });
  const others = activeRobots(world, state).map(ear);
  const heardBy = hearers('speak', ear(agent), others, { speakRadius: 2 * FLOOR_SIDE }).toSorted(compareText);
  const told = heardBy.reduce((now, hearer) => deliver(world, now, hearer, utterance), state);
  const event = happened(world, state, {
    kind: 'said',
    actor: agent,
    data: { text: words, hearers: heardBy },
  });
  return {
    state: told,
    message: `You said ${quoted(words)}.${heardBy.length === 0 ? ' Nobody heard it.' : ''}`,
    events: [{ ...event, seenBy: heardBy }],
  };
}

function deliver(world: Workcell, state: WorkcellState, hearer: string, utterance: Utterance): WorkcellState {
  const speakerName = robotName(world, utterance.speaker);
  const far = distance(standing(world, state, hearer), utterance.at);
  const told = addInbox(state, hearer, { kind: 'heard', utterance, speakerName, distance: far });
  return recall(
    meet(told, hearer, [utterance.speaker]),
    hearer,
    heardByAll({ utterance, speakerName, distance: far }),
  );
}

/**
 * SPEAK: says something that every robot in the workcell hears. The world determines the speaker; the text is
 * only data.
 */
import { compareText } from '../../../base/ids.js';
import { LIMITS } from '../../../base/limits.js';
import { problem } from '../../../base/problem.js';
import { quoted } from '../../../base/text.js';
import type { ActionOutcome } from '../../../environment/action.js';
import { text } from '../../../environment/grammar.js';
import { distance } from '../../../environment/space.js';
import type { Listener, Utterance } from '../../../speech/utterance.js';
import { hearers, utteranceText } from '../../../speech/utterance.js';
import { addInbox, addMet, addRecalled } from '../change.js';
import { happened, tileOf } from '../events.js';
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
    apply: (state, agent, args) => speak(world, state, agent, utteranceText(textArg(args, 'text'))),
  };
}

function speak(
  world: Workcell,
  state: WorkcellState,
  agent: string,
  message: string,
): ActionOutcome<WorkcellState> {
  const at = tileOf(world, state, agent);
  const utterance: Utterance = { speaker: agent, channel: 'speak', text: message, turn: state.turn, at };
  const listenerOf = (id: string): Listener => ({ id, ...tileOf(world, state, id), rooms: [] });
  const others = activeRobots(world, state).map(listenerOf);
  const heardBy = hearers('speak', listenerOf(agent), others, { speakRadius: 2 * FLOOR_SIDE }).toSorted(
    compareText,
  );
  const delivered = heardBy.reduce((soFar, hearer) => deliver(world, soFar, hearer, utterance), state);
  const event = happened(world, state, {
    kind: 'said',
    actor: agent,
    data: { text: message, hearers: heardBy },
  });
  return {
    state: delivered,
    message: `You said ${quoted(message)}.${heardBy.length === 0 ? ' Nobody heard it.' : ''}`,
    events: [{ ...event, seenBy: heardBy }],
  };
}

function deliver(world: Workcell, state: WorkcellState, hearer: string, utterance: Utterance): WorkcellState {
  const speakerName = robotName(world, utterance.speaker);
  const tilesApart = distance(tileOf(world, state, hearer), utterance.at);
  const withUtterance = addInbox(state, hearer, {
    kind: 'heard',
    utterance,
    speakerName,
    distance: tilesApart,
  });
  return addRecalled(
    addMet(withUtterance, hearer, [utterance.speaker]),
    hearer,
    heardByAll({ utterance, speakerName, distance: tilesApart }),
  );
}

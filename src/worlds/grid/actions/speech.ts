/**
 * Shared by SPEAK and ANNOUNCE: who hears, what reaches them, and the message to the speaker. The world sets
 * the speaker and the position; the words travel as data. Hearers are agents that still act; walls don't stop
 * sound.
 */
import type { Problem } from '../../../base/problem.js';
import { problem } from '../../../base/problem.js';
import { quoted } from '../../../base/text.js';
import type { Applied } from '../../../environment/action.js';
import { distance } from '../../../environment/space.js';
import type { Channel, Listener, Utterance } from '../../../speech/utterance.js';
import { hearers, utteranceText } from '../../../speech/utterance.js';
import { known } from '../../../base/assert.js';
import { compareText } from '../../../base/ids.js';
import { inboxWith, recalledWith, setMark, setMind, setMinds } from '../change.js';
import { activeAgents, heardMark, heardPhrases, saysPhrase } from '../conditions.js';
import { happened } from '../events.js';
import type { GridState } from '../state.js';
import { heardIn, nameText } from '../wording.js';
import type { GridWorld } from '../world.js';
import { mindOf, roomsAt, standingOf } from '../world.js';

export function checkSpeech(
  world: GridWorld,
  state: GridState,
  agent: string,
  said: string,
): Problem | undefined {
  if (utteranceText(said) === '') {
    return problem('bad-argument', 'There is nothing to say. Put your words in quotation marks.');
  }
  if (world.definition.rules.speechFree && mindOf(state, agent).spoke) {
    return problem('illegal/spoke-already', 'You have spoken this turn already. Speak again next turn.');
  }
  return undefined;
}

export function saySpeech(
  world: GridWorld,
  state: GridState,
  agent: string,
  speech: { readonly channel: Channel; readonly said: string },
): Applied<GridState> {
  const { channel } = speech;
  const at = standingOf(state, agent);
  const text = utteranceText(speech.said);
  const utterance: Utterance = { speaker: agent, channel, text, turn: state.turn, at };
  const heardBy = hearersOf(world, state, utterance);
  const spoken = setMind(state, agent, { spoke: true });
  const told = deliver(world, spoken, heardBy, utterance);
  const event = { ...happened('said', agent, at, { channel, text, hearers: heardBy }), seenBy: heardBy };
  const verb = channel === 'announce' ? 'announced' : 'said';
  const nobody = heardBy.length === 0 ? ' Nobody heard it.' : '';
  return {
    state: heardBy.length === 0 ? told : markPhrases(world, told, agent, text),
    message: `You ${verb} ${quoted(text)}.${nobody}`,
    events: [event],
  };
}

/** Sorted by id. */
function hearersOf(world: GridWorld, state: GridState, { channel, speaker }: Utterance): readonly string[] {
  const ear = (id: string): Listener => {
    const { x, y } = standingOf(state, id);
    // Speech has a fixed range, whatever the room.
    return { id, x, y, rooms: channel === 'announce' ? roomsAt(world, x, y) : [] };
  };
  const others = activeAgents(world, state).map(ear);
  const { speakRadius } = world.definition.rules;
  return hearers(channel, ear(speaker), others, { speakRadius }).toSorted(compareText);
}

function deliver(
  world: GridWorld,
  state: GridState,
  heardBy: readonly string[],
  utterance: Utterance,
): GridState {
  const speakerName = nameText(known(world.bodies.get(utterance.speaker), utterance.speaker).name);
  return setMinds(state, heardBy, (mind, hearer) => {
    const far = distance(standingOf(state, hearer), utterance.at);
    return {
      inbox: inboxWith(mind, { kind: 'heard', utterance, speakerName, distance: far }),
      read: recalledWith(mind, heardIn(world.definition.rules, { utterance, speakerName, distance: far })),
    };
  });
}

function markPhrases(world: GridWorld, state: GridState, agent: string, text: string): GridState {
  return heardPhrases(world.definition).reduce(
    (now, { phrase }, index) => (saysPhrase(text, phrase) ? setMark(now, heardMark(index, agent)) : now),
    state,
  );
}

/** How the descriptions say what speech costs. */
export function freeSpeech(world: GridWorld): string {
  return world.definition.rules.speechFree ? ' Once a turn.' : '';
}

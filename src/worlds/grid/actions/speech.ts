/**
 * Shared by SPEAK and ANNOUNCE: who hears an utterance, what they get, and the message to the speaker. The
 * world determines speaker and position; the text is only data. Hearers are agents that still act; walls
 * don't stop sound.
 */
import type { Problem } from '../../../base/problem.js';
import { problem } from '../../../base/problem.js';
import { quoted } from '../../../base/text.js';
import type { ActionOutcome } from '../../../environment/action.js';
import { distance } from '../../../environment/space.js';
import type { Channel, Listener, Utterance } from '../../../speech/utterance.js';
import { hearers, utteranceText } from '../../../speech/utterance.js';
import { known } from '../../../base/assert.js';
import { compareText } from '../../../base/ids.js';
import { withInboxItem, withRecalledLine } from '../../../environment/news.js';
import { SAID } from '../../../environment/spoken.js';
import { speechProblem } from '../../../environment/standard-actions.js';
import { setMark, setMind, setMinds } from '../change.js';
import { activeAgents, heardMark, heardPhrases, saysPhrase } from '../conditions.js';
import { happened } from '../events.js';
import type { GridState } from '../state.js';
import { nameText } from '../../../environment/wording.js';
import { heardText } from '../wording.js';
import type { GridWorld } from '../world.js';
import { isPlain, mindOf, roomsAt, positionOf } from '../world.js';

export function checkSpeech(
  world: GridWorld,
  state: GridState,
  agent: string,
  utteranceInput: string,
): Problem | undefined {
  const wordless = speechProblem(utteranceInput);
  if (wordless !== undefined) return wordless;
  if (world.definition.rules.speechFree && mindOf(state, agent).spoke) {
    return problem('illegal/spoke-already', 'You have spoken this turn already. Speak again next turn.');
  }
  return undefined;
}

export function speak(
  world: GridWorld,
  state: GridState,
  agent: string,
  speech: { channel: Channel; said: string },
): ActionOutcome<GridState> {
  const { channel } = speech;
  const at = positionOf(state, agent);
  const text = utteranceText(speech.said);
  const utterance: Utterance = { speaker: agent, channel, text, turn: state.turn, at };
  const heardBy = hearersOf(world, state, utterance);
  const spoken = setMind(state, agent, { spoke: true });
  const delivered = deliver(world, spoken, heardBy, utterance);
  const event = { ...happened(SAID, agent, at, { channel, text, hearers: heardBy }), seenBy: heardBy };
  const verb = channel === 'announce' ? 'announced' : 'said';
  const notHeardText = heardBy.length === 0 && !isPlain(world) ? ' Nobody heard it.' : '';
  return {
    state: heardBy.length === 0 ? delivered : markPhrases(world, delivered, agent, text),
    message: `You ${verb} ${quoted(text)}.${notHeardText}`,
    events: [event],
  };
}

/** Sorted by id. */
function hearersOf(world: GridWorld, state: GridState, { channel, speaker }: Utterance): readonly string[] {
  const listenerOf = (id: string): Listener => {
    const { x, y } = positionOf(state, id);
    // SPEAK has a fixed range and ignores rooms.
    return { id, x, y, rooms: channel === 'announce' ? roomsAt(world, x, y) : [] };
  };
  const others = activeAgents(world, state).map(listenerOf);
  const { speakRadius } = world.definition.rules;
  return hearers(channel, listenerOf(speaker), others, { speakRadius }).toSorted(compareText);
}

function deliver(
  world: GridWorld,
  state: GridState,
  heardBy: readonly string[],
  utterance: Utterance,
): GridState {
  const speakerName = nameText(known(world.bodies.get(utterance.speaker), utterance.speaker).name);
  return setMinds(state, heardBy, (mind, hearer) => {
    const tilesApart = distance(positionOf(state, hearer), utterance.at);
    return {
      inbox: withInboxItem(mind.inbox, { kind: 'heard', utterance, speakerName, distance: tilesApart }),
      read: withRecalledLine(
        mind.read,
        heardText(world.definition.rules, { utterance, speakerName, distance: tilesApart }),
      ),
    };
  });
}

function markPhrases(world: GridWorld, state: GridState, agent: string, text: string): GridState {
  return heardPhrases(world.definition).reduce(
    (marked, { phrase }, index) =>
      saysPhrase(text, phrase) ? setMark(marked, heardMark(index, agent)) : marked,
    state,
  );
}

/** The part of an action's description that says how often speech is free. */
export function speechCostText(world: GridWorld): string {
  return world.definition.rules.speechFree ? ' Once a turn.' : '';
}

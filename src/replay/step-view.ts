/**
 * What people are told of a step, as plain JSON. Layouts only arrange it: a few lines in the terminal
 * (`cli/text/step-line.ts`), a page there (`step-page.ts`, `replay-text.ts`), the browser's page (`view`), the
 * captions of a film. A further fact is a note, which names its layouts and needs nothing in them.
 */
import { WORLD_ID } from '../base/ids.js';
import { lookUp } from '../base/look-up.js';
import { oneLine } from '../base/text.js';
import type { Problem } from '../base/problem.js';
import type { Event, Intent } from '../environment/action.js';
import type { Point } from '../environment/space.js';
import { describeForPeople } from '../environment/own-failure.js';
import { SAID } from '../environment/spoken.js';
import type { SpokenLine } from '../environment/spoken.js';
import type { TextSpan } from '../parse/reading.js';
import { utteranceText } from '../speech/utterance.js';
import { LATER_ACT_FIELDS, laterValues } from '../trajectory/act.js';
import { actText } from '../trajectory/act-text.js';
import type { ActRecord } from '../trajectory/act.js';
import type { StepActs, StepRecord } from '../trajectory/records.js';
import { speechIn } from './film-speech.js';
import { thoughtOf } from './thought.js';
import type { ReplyWords } from './thought.js';
import { walksOf } from './walks.js';
import type { ActorWalk } from './walks.js';

export interface StepView {
  acts: readonly ActView[];
  /** Everything that was said in it, in order. */
  said: readonly SpokenLine[];
  walks: readonly ActorWalk[];
  notes: readonly StepNote[];
}

export interface ActView {
  /** The number of the call that it was parsed from; null for acts of the world and for a forced wait. */
  call: number | null;
  intent: Intent | null;
  /** How the reply was understood; null if it was not. */
  accepted: { words: string; rung: string; span: TextSpan | null } | null;
  /** The command in short. */
  text: string;
  /** Its thought before; '' for none, or without its reply. */
  thought: string;
  /** What came of it, for people: the result's message or the problem's. */
  message: string;
  /** Null if it was performed. */
  problem: Problem | null;
  /** The reason why the program chose it instead of the agent; null if it did not. */
  insteadOf: Problem | null;
  /** Its words, as they were heard; null if it was no speech. */
  speech: SpokenLine | null;
}

/** `line`: of `run` and `show`; `page`: `show --step`; `replay`: next to its picture; `browser`: of `view`. */
export type StepLayout = 'line' | 'page' | 'replay' | 'browser';

/** A sentence about a step. */
export interface StepNote {
  text: string;
  layouts: readonly StepLayout[];
}

export interface StepViewOptions {
  /** Display names by agent id. */
  names: Readonly<Record<string, string>>;
  /** By call; without them there are no thoughts. */
  replies?: ReadonlyMap<number, ReplyWords>;
}

export function stepView(step: StepRecord, { names, replies }: StepViewOptions): StepView {
  const walks = walksOf([step]);
  return {
    acts: actViews(step, replies),
    said: speechIn([step]),
    walks,
    notes: [
      ...turnNotes(step),
      ...actNotes(step),
      ...rewardNotes(step),
      { text: `state ${step.stateHash}`, layouts: ['page'] },
      { text: `chain ${step.chain}`, layouts: ['page'] },
      ...worldNotes(
        step,
        walks.flatMap(({ actor, path }) => path.slice(-1).map((to) => ({ actor, to }))),
        names,
      ),
    ],
  };
}

export function actViews(step: StepActs, replies?: StepViewOptions['replies']): readonly ActView[] {
  return step.acts.map((act): ActView => {
    const { call, intent, reading, result, insteadOf } = act;
    const speech = speechOf(step, act);
    const reply = call === null ? undefined : replies?.get(call);
    return {
      call,
      intent,
      // The reading of a rejected reply may contain words too, but they were not accepted.
      accepted:
        reading?.ok === true ? { words: reading.words, rung: reading.rung, span: reading.span } : null,
      text: actText(act, speech !== null),
      thought: reply === undefined ? '' : thoughtOf(reply, reading),
      message: result.ok ? result.message : describeForPeople(result.problem),
      problem: result.ok ? null : result.problem,
      insteadOf,
      speech,
    };
  });
}

export function notesFor(notes: readonly StepNote[], layout: StepLayout): readonly string[] {
  return notes.filter(({ layouts }) => layouts.includes(layout)).map(({ text }) => text);
}

/**
 * The words of this act. Its event has them as they were heard: on one line, without invisible characters,
 * cut.
 */
function speechOf(step: StepActs, act: ActRecord): SpokenLine | null {
  const utterances = speechIn([step]).filter(({ speaker }) => speaker === step.agent);
  const performed = step.acts.filter(({ intent, result }) => intent !== null && result.ok);
  if (!performed.includes(act)) return null;
  // The speech of a step's only act, however the world words it.
  if (performed.length === 1) return utterances[0] ?? null;
  const words = Object.values(act.intent?.args ?? {}).filter((value) => typeof value === 'string');
  return utterances.find(({ text }) => words.some((word) => utteranceText(word) === text)) ?? null;
}

/** What the world did at the end of a turn. */
function turnNotes({ agent, events }: StepRecord): readonly StepNote[] {
  if (agent !== WORLD_ID) return [];
  if (events.length === 0) return [{ text: 'Nothing happened in the world.', layouts: ['replay'] }];
  const told = worldEventTexts(events);
  return told.length === 0 ? [] : [{ text: `world: ${told.join('; ')}`, layouts: ['line'] }];
}

/** Events, except walking, in a few words each. */
export function worldEventTexts(events: readonly Event[]): readonly string[] {
  return events.filter(({ kind }) => kind !== 'moved').map(worldEvent);
}

/** The event and its object's id and name; the name alone if it is the id in words. */
export function worldEvent({ kind, actor, data }: Event): string {
  const texts = Object.values(data).filter((value) => typeof value === 'string');
  const objects = [...new Map(texts.map((text) => [text.replaceAll('-', ' '), text])).values()];
  const actorNote = actor === null ? '' : `${actor} `;
  return `${actorNote}${kind.replaceAll('-', ' ')}${objects.length === 0 ? '' : ` (${objects.join(', ')})`}`;
}

/** What the later fields of acts say. */
function actNotes({ acts }: StepRecord): readonly StepNote[] {
  return acts.flatMap((act) =>
    Object.entries(laterValues(act)).flatMap(([field, value]): readonly StepNote[] => {
      const words = value === null ? null : lookUp(LATER_ACT_FIELDS, field)?.words(value);
      return words == null ? [] : [{ text: `${actText(act, false)}: ${words}`, layouts: ['page'] }];
    }),
  );
}

function rewardNotes({ rewards }: StepRecord): readonly StepNote[] {
  if (rewards === undefined) return [];
  const paid = Object.entries(rewards.paid).map(([agent, amount]) => {
    const parts = Object.entries(lookUp(rewards.byName, agent) ?? {});
    const named = parts.map(([name, part]) => `${name} ${part}`).join(' + ');
    return `${agent} ${amount}${named === '' ? '' : ` (${named})`}`;
  });
  const distance =
    rewards.distance === undefined ? '' : `; turns to success: ${rewards.distance ?? 'the solver gave up'}`;
  const text = `rewards ${paid.length === 0 ? 'none' : paid.join(', ')}${distance}`;
  return [{ text, layouts: ['page'] }];
}

/** Maximum length of the name of an event's object. */
const NAME_CHARACTERS = 60;

/** What else changed in the world: where bodies other than the agent went, and events. */
export function worldNotes(
  { agent, events }: Pick<StepRecord, 'agent'> & { events: readonly Event[] },
  walks: readonly { actor: string; to: Point }[],
  names: Readonly<Record<string, string>>,
): readonly StepNote[] {
  const nameOf = (id: string): string => (id === WORLD_ID ? 'the world' : (lookUp(names, id) ?? id));
  const changes = [
    ...walks.flatMap(({ actor, to }) =>
      actor === agent ? [] : [`${nameOf(actor)} went to (${to.x}, ${to.y})`],
    ),
    ...events.flatMap(({ kind, actor, data }) => {
      if (kind === SAID || kind === 'moved') return [];
      const name = lookUp(data, 'name');
      const object = typeof name === 'string' ? ` ${oneLine(name, NAME_CHARACTERS)}` : '';
      return [`${kind}${object}${actor === null || actor === agent ? '' : ` (${actor})`}`];
    }),
  ];
  return changes.length === 0 ? [] : [{ text: `In the world: ${changes.join(', ')}`, layouts: ['browser'] }];
}

/**
 * The scripted player for repairs: it looks at every side, inspects every part, removes and burns faulty
 * ones, fetches spares and attaches them; it asks others for what it may not do itself, and brings what
 * others ask for. It is a general policy over the facts of any world of that shape and contains no scenario's
 * solution.
 */
import type { Json } from '../../../base/json.js';
import { lookUp } from '../../../base/look-up.js';
import { quotations } from '../../../base/text.js';
import type { Observation } from '../../../environment/observation.js';
import type { HeldFact, RepairFacts, RepairPlace } from '../repair-facts.js';
import type { CandidateAction, ScriptedPlayer } from '../../../agent/controllers/scripted-player.js';

/** A request that was not met is repeated after this many turns. */
const PATIENCE_TURNS = 8;

/**
 * What it remembers between steps, as plain JSON: what it said and when, and what it tried in the turn being
 * played.
 */
interface RepairNotes {
  said: Readonly<Record<string, number>>;
  turn: number;
  tried: readonly string[];
}

interface RepairContext {
  facts: RepairFacts;
  /** Verbs that would be accepted now, and those that this agent may ever use. */
  offered: ReadonlySet<string>;
  scope: ReadonlySet<string>;
  notes: RepairNotes;
}

/** The next action and the new memory; null if the observation has no facts of this kind. */
export const repairPlayer: ScriptedPlayer = ({ observation, turn, memory }) => {
  const facts = factsOf(observation);
  if (facts === null) return null;
  const notes = openNotes(memory, turn);
  const context = {
    facts,
    offered: new Set(observation.offered.map(({ action }) => action)),
    scope: new Set(observation.scope),
    notes,
  };
  const isWorthTrying = ({ command }: CandidateAction): boolean =>
    context.offered.has(command.split(' ', 1)[0] ?? '') && !notes.tried.includes(command);
  const wish = candidatesIn(context).find(isWorthTrying) ?? null;
  return { wish, memory: closeNotes(notes, wish) };
};

function factsOf({ facts }: Observation): RepairFacts | null {
  return 'sides' in facts && 'places' in facts && 'spares' in facts
    ? (facts as unknown as RepairFacts)
    : null;
}

function openNotes(memory: Json, turn: number): RepairNotes {
  const isOurs = typeof memory === 'object' && memory !== null && !Array.isArray(memory) && 'said' in memory;
  const notes = isOurs ? (memory as unknown as RepairNotes) : { said: {}, turn, tried: [] };
  return notes.turn === turn ? notes : { ...notes, turn, tried: [] };
}

function closeNotes(notes: RepairNotes, wish: CandidateAction | null): Json {
  if (wish === null) return notes as unknown as Json;
  const told = wish.note?.told;
  const said = told === undefined ? notes.said : { ...notes.said, [told]: notes.turn };
  return { ...notes, said, tried: [...notes.tried, wish.command] };
}

function candidatesIn(context: RepairContext): readonly CandidateAction[] {
  const { holds } = context.facts.self;
  const urgent =
    holds === null ? [...toTakeOff(context), ...toFill(context), ...toBring(context)] : toUse(context, holds);
  return [...urgent, ...(holds === null ? toLook(context) : [])];
}

function goTo(context: RepairContext, side: number, why: string): readonly CandidateAction[] {
  return context.facts.self.orientation === side ? [] : [{ command: `SET_ORIENTATION ${side}`, why }];
}

/** Burns or attaches the held part, or hands it to the robot that asked for it. */
function toUse(context: RepairContext, held: HeldFact): readonly CandidateAction[] {
  const { facts, scope } = context;
  if (held.condition === 'faulty') return [{ command: 'INCINERATE', why: `The ${held.name} is faulty.` }];
  const place = facts.places.find(({ id }) => id === held.fits);
  if (scope.has('ATTACH_PART') && place?.isEmpty === true) {
    const attach = { command: 'ATTACH_PART', why: `The ${held.name} belongs here.` };
    return [...goTo(context, place.side, `The ${held.name} belongs there.`), attach];
  }
  const side = sideAskedFor(context, held.name);
  const receiver = facts.robots.find(({ here, hands }) => here && hands === 'empty');
  const give =
    receiver === undefined ? [] : [{ command: `HAND_OVER ${receiver.id}`, why: `${receiver.name} is here.` }];
  if (side === null) return give;
  return [...goTo(context, side, `Somebody waits there for the ${held.name}.`), ...give];
}

function toTakeOff(context: RepairContext): readonly CandidateAction[] {
  if (!context.scope.has('REMOVE_PART')) return [];
  return context.facts.places
    .filter(({ isEmpty, condition }) => !isEmpty && condition === 'faulty')
    .flatMap(({ id, name, side }) => [
      ...goTo(context, side, `The ${name} there is faulty.`),
      { command: `REMOVE_PART ${id}`, why: `The ${name} is faulty.` },
    ]);
}

/** Fills empty places: fetches the spare from the shelf, or asks another robot to fetch it. */
function toFill(context: RepairContext): readonly CandidateAction[] {
  const { facts, scope } = context;
  return facts.places
    .filter(({ isEmpty }) => isEmpty)
    .flatMap((place) => {
      if (!scope.has('GET_SPARE')) return toAsk(context, place);
      if (facts.spares === null) return [LOOK_AT_SHELF];
      return facts.spares.filter(({ fits }) => fits === place.id).map(({ id, name }) => fetch(id, name));
    });
}

const LOOK_AT_SHELF: CandidateAction = { command: 'LIST_SPARES', why: 'I should know what is on the shelf.' };

function fetch(id: string, name: string): CandidateAction {
  return { command: `GET_SPARE ${id}`, why: `The ${name} is needed.` };
}

/** Goes to the empty place, asks for the spare and waits for it. */
function toAsk(context: RepairContext, { name, side }: RepairPlace): readonly CandidateAction[] {
  const sentence = `I need the spare ${name}. I wait at ${side}.`;
  const saidTurn = lookUp(context.notes.said, sentence);
  const wasAskedRecently = saidTurn !== undefined && context.facts.turn - saidTurn < PATIENCE_TURNS;
  const ask = {
    command: `SPEAK ${JSON.stringify(sentence)}`,
    why: 'Somebody else must fetch it.',
    note: { told: sentence },
  };
  const wait = { command: 'WAIT', why: `I wait for the spare ${name}.` };
  return [...goTo(context, side, 'I shall wait where it is missing.'), wasAskedRecently ? wait : ask];
}

/** Fetches spares that others have asked for, the latest request first. */
function toBring(context: RepairContext): readonly CandidateAction[] {
  const { facts, scope } = context;
  if (!scope.has('GET_SPARE') || facts.robots.length === 0) return [];
  if (facts.spares === null) return [LOOK_AT_SHELF];
  return requests(context).flatMap((sentence) =>
    (facts.spares ?? [])
      .filter(({ name }) => isAskedFor(sentence, name))
      .map(({ id, name }) => fetch(id, name)),
  );
}

/** Sentences that it heard, the latest first, in lower case. */
function requests({ facts }: RepairContext): readonly string[] {
  return facts.recalled
    .flatMap(quotations)
    .map((sentence) => sentence.toLowerCase())
    .reverse();
}

function isAskedFor(sentence: string, name: string): boolean {
  return sentence.includes(name.toLowerCase().replace(/^spare /, ''));
}

/** The number of a side in the sentence that asked for it; null if there was no request or no number. */
function sideAskedFor(context: RepairContext, name: string): number | null {
  const sentence = requests(context).find((request) => isAskedFor(request, name)) ?? '';
  const numbers = (sentence.match(/\d+/g) ?? []).map(Number);
  return context.facts.sides.find(({ orientation }) => numbers.includes(orientation))?.orientation ?? null;
}

/** Looks at the current side, then at its parts, then continues with unknown ones. */
function toLook(context: RepairContext): readonly CandidateAction[] {
  const { facts, scope } = context;
  const here = facts.sides.find(({ orientation }) => orientation === facts.self.orientation);
  const scan = here?.seen === false ? [{ command: 'SCAN_AREA', why: 'I have not seen this side yet.' }] : [];
  const unknown = facts.places.filter(({ isEmpty, condition }) => !isEmpty && condition === null);
  const inspect = unknown
    .filter(({ visible }) => visible)
    .map(({ id, name }) => ({ command: `INSPECT ${id}`, why: `I don't know how the ${name} is.` }));
  const elsewhere = [
    ...(scope.has('INSPECT') ? unknown.map(({ side }) => side) : []),
    ...(scope.has('SCAN_AREA')
      ? facts.sides.filter(({ seen }) => !seen).map(({ orientation }) => orientation)
      : []),
  ];
  return [
    ...scan,
    ...inspect,
    ...elsewhere.flatMap((side) => goTo(context, side, 'I have not looked at all there is there.')),
  ];
}

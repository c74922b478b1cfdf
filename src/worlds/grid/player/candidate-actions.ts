/**
 * The actions that the scripted controller considers, most urgent first: read, tell others what they may
 * need, take, open, work, unlock, explore. It is a general policy and contains no scenario's solution.
 */
import { lookUp } from '../../../base/look-up.js';
import type { ExitFact, ItemFact } from '../../../environment/spatial-facts.js';
import type { ScriptedSituation } from './situation.js';
import {
  circumstancesOf,
  holdsAny,
  isInReach,
  nameOf,
  people,
  reachable,
  stepTowards,
  stepWithinReach,
} from './situation.js';
import { isRecommended } from './lookalikes.js';
import type { CandidateAction } from '../../../agent/controllers/scripted-player.js';
import { toOperate, toOperateAgain, toTryOut, toWork } from './trial-actions.js';

type ActionProposer = (situation: ScriptedSituation) => readonly CandidateAction[];

/** The distance within which SPEAK is assumed to be heard. */
const NEAR_TILES = 4;

/** In order of urgency. */
const PROPOSERS: readonly ActionProposer[] = [
  toLookAround,
  toRead,
  toTell,
  toTake,
  toTakeFromContainers,
  toOpenContainers,
  toWork,
  toOpenDoors,
  toOperate,
  toApproach,
  toExplore,
  toTryOut,
  toOperateAgain,
  toTryLocksAgain,
  toMeet,
  toCallOut,
  toWander,
  toTryEach,
];

export function candidatesIn(situation: ScriptedSituation): readonly CandidateAction[] {
  const candidates = PROPOSERS.flatMap((propose) => propose(situation));
  return situation.goesTo ? candidates : candidates.flatMap((wish) => firstStepOf(situation, wish));
}

const GO_TO = 'GO TO ';

/** Replaces GO TO by the first step of the path, if GO takes no target; nothing if no path is known. */
function firstStepOf(situation: ScriptedSituation, candidate: CandidateAction): readonly CandidateAction[] {
  if (!candidate.command.startsWith(GO_TO)) return [candidate];
  const { things, bodies, doors, remembered, exits } = situation.facts;
  const name = candidate.command.slice(GO_TO.length);
  const target =
    [...things, ...bodies, ...doors, ...remembered].find(
      (fact) => nameOf(fact) === name || fact.id === name,
    ) ?? exits.find(({ door }) => door === name);
  const step = target === undefined ? null : stepWithinReach(situation, target);
  return step === null ? [] : [{ command: `GO ${step}`, why: candidate.why }];
}

/** LOOK once at each position, in worlds where agents must LOOK to see. */
function toLookAround(situation: ScriptedSituation): readonly CandidateAction[] {
  const from = circumstancesOf(situation);
  if (situation.facts.asks !== true || situation.notebook.looked === from) return [];
  return [{ command: 'LOOK', why: 'I should look around.', isFree: true, note: { looked: from } }];
}

function toRead(situation: ScriptedSituation): readonly CandidateAction[] {
  const near: readonly ItemFact[] = [
    ...reachable(situation).flatMap((thing) => [thing, ...thing.inside]),
    ...situation.facts.self.holds,
  ];
  return near
    .filter((thing) => thing.readable && !situation.notebook.read.includes(thing.id))
    .map((thing) => ({
      command: `READ ${nameOf(thing)}`,
      why: `There is something written on the ${thing.name}.`,
      isFree: true,
      note: { read: thing.id },
    }));
}

/**
 * Passes on what it has read to agents nearby that have not heard it, but nothing that it only heard from
 * others.
 */
function toTell(situation: ScriptedSituation): readonly CandidateAction[] {
  const near = people(situation).filter((body) => body.distance <= NEAR_TILES);
  if (near.length === 0) return [];
  const { told } = situation.notebook;
  return ownSentences(situation)
    .filter((sentence) => near.some((body) => !(lookUp(told, sentence) ?? []).includes(body.id)))
    .slice(-1)
    .map((sentence) => ({
      command: `SPEAK ${JSON.stringify(sentence)}`,
      why: `${nameWithArticle(near[0]?.name ?? 'other')} is near and may need what I read.`,
      note: { told: sentence },
    }));
}

/** A proper name has no article: `Bert`, but `The rat`. */
function nameWithArticle(name: string): string {
  return /^\p{Lu}/u.test(name) ? name : `The ${name}`;
}

/** What it has read itself, oldest first, but not what others said, or words would circulate forever. */
function ownSentences({ facts, sentences }: ScriptedSituation): readonly string[] {
  const heard = new Set(facts.heard.map((utterance) => utterance.text));
  return sentences.filter((sentence) => !heard.has(sentence) && !isEcho(facts.recalled, sentence));
}

function isEcho(recalled: readonly string[], sentence: string): boolean {
  const quoted = JSON.stringify(sentence);
  return recalled.some((line) => line.includes(quoted) && / (?:said|announced) to [^:]+: /.test(line));
}

function canCarry({ facts }: ScriptedSituation): boolean {
  return facts.self.holds.length < facts.self.carryMax;
}

function toTake(situation: ScriptedSituation): readonly CandidateAction[] {
  if (!canCarry(situation)) return [];
  return reachable(situation)
    .filter((thing) => thing.portable && isRecommended(situation, thing))
    .map((thing) => ({ command: `TAKE ${nameOf(thing)}`, why: `The ${thing.name} may be of use.` }));
}

function toTakeFromContainers(situation: ScriptedSituation): readonly CandidateAction[] {
  if (!canCarry(situation)) return [];
  return reachable(situation).flatMap((container) =>
    container.inside
      .filter((thing) => thing.portable)
      .map((thing) => ({
        command: `TAKE ${nameOf(thing)}`,
        why: `I can take the ${thing.name} out of the open ${container.name}.`,
      })),
  );
}

function toOpenContainers(situation: ScriptedSituation): readonly CandidateAction[] {
  return reachable(situation)
    .filter((thing) => thing.lid === 'closed' || (thing.lid === 'locked' && holdsAny(situation)))
    .filter((thing) => isRecommended(situation, thing))
    .map((thing) => ({
      command: `OPEN ${nameOf(thing)}`,
      why: `The ${thing.name} is ${thing.lid ?? 'shut'}.`,
    }));
}

function toOpenDoors(situation: ScriptedSituation): readonly CandidateAction[] {
  return situation.facts.doors
    .filter((door) => isInReach(situation, door))
    .filter((door) => door.state === 'closed' || (door.state === 'locked' && holdsAny(situation)))
    .map((door) => ({ command: `OPEN ${nameOf(door)}`, why: `The ${door.name} is ${door.state}.` }));
}

/** Goes to promising things: unread texts, things to take, closed containers, work. */
function toApproach(situation: ScriptedSituation): readonly CandidateAction[] {
  const { facts, notebook } = situation;
  const promising = facts.things.filter(
    (thing) =>
      !isInReach(situation, thing) &&
      ((thing.readable && !notebook.read.includes(thing.id)) ||
        (thing.portable && canCarry(situation) && isRecommended(situation, thing)) ||
        ((thing.lid === 'closed' || (thing.lid === 'locked' && holdsAny(situation))) &&
          isRecommended(situation, thing)) ||
        (canCarry(situation) && thing.inside.some((inner) => inner.portable))),
  );
  const recalled = facts.remembered.filter(
    (memory) =>
      memory.kind === 'thing' && !notebook.seenUp.includes(memory.id) && isRecommended(situation, memory),
  );
  return [
    ...promising.map((thing) => ({
      command: `GO TO ${nameOf(thing)}`,
      why: `I want a closer look at the ${thing.name}.`,
    })),
    ...recalled.map((memory) => ({
      command: `GO TO ${nameOf(memory)}`,
      why: `I remember the ${memory.name}.`,
      note: { seenUp: memory.id },
    })),
  ];
}

/**
 * Walks to places where it has not been, to closed doors on the way there, and to the edge of what it knows.
 */
function toExplore(situation: ScriptedSituation): readonly CandidateAction[] {
  const { facts } = situation;
  const unknown = facts.exits.filter((exit) => exit.leadsTo === null);
  const open = unknown.filter((exit) => exit.state === 'open').map((exit) => passCandidate(situation, exit));
  const shut = unknown
    .filter((exit) => exit.state === 'closed' || (exit.state === 'locked' && holdsAny(situation)))
    .filter((exit) => !isInReach(situation, exit))
    .map((exit) => ({ command: `GO TO ${exit.door}`, why: `The ${exit.name} leads on.` }));
  return [...open, ...shut, ...edgeCandidates(situation)];
}

/**
 * Passes an exit: by its side if that identifies the exit or the agent is beside it, otherwise up to it
 * first.
 */
function passCandidate(situation: ScriptedSituation, exit: ExitFact): CandidateAction {
  const { facts } = situation;
  const why = `I have not been beyond the ${exit.name}.`;
  const isAlone = facts.exits.filter((other) => other.side === exit.side).length === 1;
  const bySide = facts.movement === 'room' && (isAlone || isInReach(situation, exit));
  return { command: bySide ? `GO ${exit.side}` : `GO TO ${exit.door}`, why };
}

/**
 * Goes to the edges of what it has seen: with movement by room, on sides without an exit where GO is
 * possible; by tile, step by step.
 */
function edgeCandidates(situation: ScriptedSituation): readonly CandidateAction[] {
  const { facts, legalDirections } = situation;
  const why = 'There is more to be seen that way.';
  if (facts.movement === 'room') {
    const sides = legalDirections.filter((way) => facts.exits.every((exit) => exit.side !== way));
    return sides.map((way) => ({ command: `GO ${way}`, why }));
  }
  return facts.frontier.flatMap((tile) => {
    const step = stepTowards(situation, tile) ?? tile.direction;
    return step === null ? [] : [{ command: `GO ${step}`, why }];
  });
}

/** Goes back to locked doors and containers, because a thing taken since then may open them. */
function toTryLocksAgain(situation: ScriptedSituation): readonly CandidateAction[] {
  if (!holdsAny(situation)) return [];
  const locks = [
    ...situation.facts.doors.filter((door) => door.state === 'locked'),
    ...situation.facts.remembered.filter((memory) => memory.lid === 'locked'),
    ...situation.facts.exits
      .filter((exit) => exit.state === 'locked')
      .map((exit) => ({ id: exit.door, ...exit })),
  ];
  return locks
    .filter((lock) => !isInReach(situation, lock))
    .map((lock) => ({
      command: `GO TO ${lock.id}`,
      why: `One of the things I hold may fit the ${lock.name}.`,
    }));
}

/** Goes to people in sight while it has something to tell them, and calls out if it can't get nearer. */
function toMeet(situation: ScriptedSituation): readonly CandidateAction[] {
  const { facts, notebook, offered } = situation;
  const hasHeard = (sentence: string, id: string): boolean =>
    (lookUp(notebook.told, sentence) ?? []).includes(id);
  return people(situation)
    .filter((body) => !isInReach(situation, body))
    .flatMap((body) => {
      const news = ownSentences(situation).findLast((sentence) => !hasHeard(sentence, body.id));
      if (news === undefined) return [];
      const approach = {
        command: `GO TO ${nameOf(body)}`,
        why: `${nameWithArticle(body.name)} may need what I know.`,
      };
      const call = {
        command: `SPEAK ${JSON.stringify(news)}`,
        why: `Perhaps the ${body.name} hears me from here.`,
        note: { told: news },
      };
      return facts.movement === 'tile' || !offered.has('SPEAK') ? [approach] : [approach, call];
    });
}

/**
 * Says what it has read and told no one yet, even if no one is in sight: someone may hear it through a wall.
 */
function toCallOut(situation: ScriptedSituation): readonly CandidateAction[] {
  if (!situation.offered.has('SPEAK')) return [];
  const news = ownSentences(situation).findLast(
    (sentence) => lookUp(situation.notebook.told, sentence) === undefined,
  );
  if (news === undefined) return [];
  const why = 'Somebody may hear me whom I do not see.';
  return [{ command: `SPEAK ${JSON.stringify(news)}`, why, note: { told: news } }];
}

/** Goes back to known rooms, the least visited first; by tile, also takes the steps least taken. */
function toWander(situation: ScriptedSituation): readonly CandidateAction[] {
  const { facts, notebook } = situation;
  const rooms = facts.rooms
    .filter((room) => room !== facts.self.room)
    .map((room) => ({ command: `GO TO ${room}`, key: room }));
  const steps =
    facts.movement === 'room'
      ? []
      : facts.steps.map((step) => ({
          command: `GO ${step}`,
          key: `${facts.self.x} ${facts.self.y} ${step}`,
        }));
  return [...rooms, ...steps]
    .map((option) => ({ ...option, worn: lookUp(notebook.worn, option.key) ?? 0 }))
    .sort((a, b) => a.worn - b.worn)
    .map(({ command, key }) => ({
      command,
      why: 'Something may have changed elsewhere.',
      note: { worn: key },
    }));
}

/**
 * If a lock blocks the way and nothing shows which of several things fits, tries each of them once.
 */
function toTryEach(situation: ScriptedSituation): readonly CandidateAction[] {
  const { facts, notebook } = situation;
  if (!facts.doors.some((door) => door.state === 'locked')) return [];
  const trialKey = (id: string): string => `TRY ${id}`;
  const untried = facts.things.filter(
    (thing) => thing.portable && lookUp(notebook.worn, trialKey(thing.id)) === undefined,
  );
  const why = 'Nothing tells which is the right one, so I try each.';
  if (untried.length > 0 && !canCarry(situation))
    return facts.self.holds.map((thing) => ({ command: `DROP ${nameOf(thing)}`, why }));
  return untried.map((thing) =>
    isInReach(situation, thing)
      ? { command: `TAKE ${nameOf(thing)}`, why, note: { worn: trialKey(thing.id) } }
      : { command: `GO TO ${nameOf(thing)}`, why },
  );
}

/**
 * What the scripted controller would like to do, most urgent first: read what can be read, tell what others may need, take, open,
 * work, unlock, explore. A general policy: it holds no scenario's answers, only the manners of somebody who wants to get on.
 */
import type { ItemFact } from '../../../environment/spatial-facts.js';
import type { Situation, SeenThing } from './situation.js';
import { holdsAny, isInReach, nameOf, people, stepTowards } from './situation.js';
import { isAdvised } from './advice.js';

export interface Wish {
  /** As it would be said: `TAKE brass-key`. */
  readonly command: string;
  /** One sentence of reasoning. */
  readonly why: string;
  readonly isFree?: boolean;
  /** What the notebook keeps when the wish is said. */
  readonly note?: { readonly read?: string; readonly told?: string; readonly seenUp?: string };
}

type Desire = (situation: Situation) => readonly Wish[];

/** In order of urgency. */
const DESIRES: readonly Desire[] = [
  toRead,
  toTell,
  toTake,
  toTakeFromContainers,
  toOpenContainers,
  toWork,
  toOpenDoors,
  toApproach,
  toExplore,
  toTryLocksAgain,
  toMeet,
  toWander,
];

export function wishesIn(situation: Situation): readonly Wish[] {
  return DESIRES.flatMap((desire) => desire(situation));
}

/** Things in sight and what is in open containers that are within reach. */
function reachable(situation: Situation): readonly SeenThing[] {
  return situation.facts.things.filter((thing) => isInReach(situation, thing));
}

function toRead(situation: Situation): readonly Wish[] {
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

/** Tells what it has read to whoever is near and has not been told; nothing that it was told itself. */
function toTell(situation: Situation): readonly Wish[] {
  const near = people(situation).filter((body) => body.distance <= 4);
  if (near.length === 0 || !situation.offered.has('SPEAK')) return [];
  const heard = new Set(situation.facts.heard.map((one) => one.text));
  return situation.sentences
    .filter((sentence) => !heard.has(sentence) && !isEcho(situation, sentence))
    .filter((sentence) => {
      const told = situation.notebook.told[sentence] ?? [];
      return near.some((body) => !told.includes(body.id));
    })
    .slice(-1)
    .map((sentence) => ({
      command: `SPEAK ${JSON.stringify(sentence)}`,
      why: `${near[0]?.name ?? 'Somebody'} is near and may need what I read.`,
      note: { told: sentence },
    }));
}

/** Whether a recalled line is something that somebody said. */
function isEcho({ facts }: Situation, sentence: string): boolean {
  const quoted = JSON.stringify(sentence);
  return facts.recalled.some((line) => line.includes(quoted) && / (?:said|announced): /.test(line));
}

function canCarry({ facts }: Situation): boolean {
  return facts.self.holds.length < facts.self.carryMax;
}

function toTake(situation: Situation): readonly Wish[] {
  if (!canCarry(situation)) return [];
  return reachable(situation)
    .filter((thing) => thing.portable && isAdvised(situation, thing))
    .map((thing) => ({ command: `TAKE ${nameOf(thing)}`, why: `The ${thing.name} may be of use.` }));
}

function toTakeFromContainers(situation: Situation): readonly Wish[] {
  if (!canCarry(situation)) return [];
  return reachable(situation).flatMap((container) =>
    container.inside
      .filter((thing) => thing.portable)
      .map((thing) => ({
        command: `TAKE ${nameOf(thing)}`,
        why: `The ${thing.name} lies in the open ${container.name}.`,
      })),
  );
}

function toOpenContainers(situation: Situation): readonly Wish[] {
  return reachable(situation)
    .filter((thing) => thing.lid === 'closed' || (thing.lid === 'locked' && holdsAny(situation)))
    .filter((thing) => isAdvised(situation, thing))
    .map((thing) => ({
      command: `OPEN ${nameOf(thing)}`,
      why: `The ${thing.name} is ${thing.lid ?? 'shut'}.`,
    }));
}

/** Works with whatever it holds, one tool after the other, then with bare hands. */
function toWork(situation: Situation): readonly Wish[] {
  const tools = situation.facts.self.holds;
  return reachable(situation)
    .filter((thing) => thing.workable && isAdvised(situation, thing))
    .flatMap((thing) => [
      ...tools.map((tool) => ({
        command: `USE ${nameOf(tool)} ON ${nameOf(thing)}`,
        why: `The ${tool.name} may do something to the ${thing.name}.`,
      })),
      { command: `USE ${nameOf(thing)}`, why: `Something can be done with the ${thing.name}.` },
    ]);
}

function toOpenDoors(situation: Situation): readonly Wish[] {
  return situation.facts.doors
    .filter((door) => isInReach(situation, door))
    .filter((door) => door.state === 'closed' || (door.state === 'locked' && holdsAny(situation)))
    .map((door) => ({ command: `OPEN ${nameOf(door)}`, why: `The ${door.name} is ${door.state}.` }));
}

/** Goes to what promises something: unread writing, things to take, shut containers, work. */
function toApproach(situation: Situation): readonly Wish[] {
  const { facts, notebook } = situation;
  const promising = facts.things.filter(
    (thing) =>
      !isInReach(situation, thing) &&
      ((thing.readable && !notebook.read.includes(thing.id)) ||
        (thing.portable && canCarry(situation) && isAdvised(situation, thing)) ||
        ((thing.lid === 'closed' || (thing.lid === 'locked' && holdsAny(situation))) &&
          isAdvised(situation, thing)) ||
        (thing.workable && isAdvised(situation, thing)) ||
        (canCarry(situation) && thing.inside.some((inner) => inner.portable))),
  );
  const recalled = facts.remembered.filter(
    (memory) =>
      memory.kind === 'thing' && !notebook.seenUp.includes(memory.id) && isAdvised(situation, memory),
  );
  return [
    ...promising.map((thing) => ({
      command: `GO TO ${nameOf(thing)}`,
      why: `The ${thing.name} is worth a closer look.`,
    })),
    ...recalled.map((memory) => ({
      command: `GO TO ${nameOf(memory)}`,
      why: `I remember the ${memory.name}.`,
      note: { seenUp: memory.id },
    })),
  ];
}

/** Opens what leads on, then walks where it has not been, then to the edge of what it knows. */
function toExplore(situation: Situation): readonly Wish[] {
  const { facts } = situation;
  const unknown = facts.exits.filter((exit) => exit.leadsTo === null);
  const shut = unknown
    .filter((exit) => exit.state === 'closed' || (exit.state === 'locked' && holdsAny(situation)))
    .filter((exit) => !isInReach(situation, exit))
    .map((exit) => ({ command: `GO TO ${exit.door}`, why: `The ${exit.name} leads on.` }));
  const open = unknown
    .filter((exit) => exit.state === 'open')
    .map((exit) =>
      facts.movement === 'room'
        ? { command: `GO ${exit.side}`, why: `I have not been beyond the ${exit.name}.` }
        : { command: `GO TO ${exit.door}`, why: `I have not been beyond the ${exit.name}.` },
    );
  const edge = facts.frontier.flatMap((tile) => {
    const step = stepTowards(situation, tile) ?? tile.direction;
    return step === null || facts.movement === 'room'
      ? []
      : [{ command: `GO ${step}`, why: 'There is more to be seen that way.' }];
  });
  return [...open, ...shut, ...edge];
}

/** With another thing in hand a lock that resisted may give way. */
function toTryLocksAgain(situation: Situation): readonly Wish[] {
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

/** Goes to people in sight while it has something to tell them. */
function toMeet(situation: Situation): readonly Wish[] {
  const untold = situation.sentences.filter((sentence) => !isEcho(situation, sentence));
  return people(situation)
    .filter((body) => !isInReach(situation, body))
    .filter((body) => untold.some((sentence) => !(situation.notebook.told[sentence] ?? []).includes(body.id)))
    .map((body) => ({ command: `GO TO ${nameOf(body)}`, why: `${body.name} may need what I know.` }));
}

/** The exits and steps that it has taken least. */
function toWander(situation: Situation): readonly Wish[] {
  const { facts, notebook } = situation;
  const ways =
    facts.movement === 'room'
      ? facts.exits
          .filter((exit) => exit.state === 'open')
          .map((exit) => ({ way: exit.side, to: exit.leadsTo ?? exit.door }))
      : facts.steps.map((way) => ({ way, to: way }));
  return ways
    .map(({ way, to }) => ({ way, worn: notebook.worn[`${facts.self.room ?? ''} ${to}`] ?? 0 }))
    .sort((a, b) => a.worn - b.worn)
    .map(({ way }) => ({ command: `GO ${way}`, why: 'Something may have changed elsewhere.' }));
}

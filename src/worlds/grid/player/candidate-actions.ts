/**
 * The actions that the scripted controller considers, most urgent first: read, tell others what they may
 * need, take, open, work, unlock, explore. It is a general policy and contains no scenario's solution.
 */
import { lookUp } from '../../../base/look-up.js';
import type { Point } from '../../../environment/space.js';
import type { BodyFact, ItemFact, LidState, ThingFact } from '../../../environment/spatial-facts.js';
import type { CandidateAction } from '../../../agent/controllers/scripted-player.js';
import { isWithinReach } from '../world.js';
import { tilesFrom } from './ground.js';
import { isRecommended } from './lookalikes.js';
import type { ScriptedSituation } from './situation.js';
import { circumstancesOf, people } from './situation.js';

type Proposals = readonly CandidateAction[];
type Note = NonNullable<CandidateAction['note']>;

/** In order of urgency. */
const POLICY: readonly ((situation: ScriptedSituation) => Proposals)[] = [
  toLookAround,
  toRead,
  toTell,
  (situation) => reachable(situation).flatMap((thing) => take(situation, thing)),
  (situation) => reachable(situation).flatMap((thing) => takeOut(situation, thing)),
  (situation) => reachable(situation).flatMap((thing) => open(situation, thing)),
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

export function candidatesIn(situation: ScriptedSituation): Proposals {
  return POLICY.flatMap((propose) => propose(situation));
}

/** Own tile or one of the eight around it: within reach of hands. */
function isInReach({ facts }: ScriptedSituation, place: Point): boolean {
  return isWithinReach(facts.self, place);
}

/** Things in sight that are within reach. */
function reachable(situation: ScriptedSituation): readonly ThingFact[] {
  return situation.facts.things.filter((thing) => isInReach(situation, thing));
}

/** Where GO takes no target, the first step of the path; nothing if no path is known. */
function goTo(situation: ScriptedSituation, to: Point & { id: string }, why: string, note?: Note): Proposals {
  const noted = note === undefined ? {} : { note };
  if (situation.goesTo) return [{ command: `GO TO ${to.id}`, why, ...noted }];
  const step = firstStep(situation, (tile) => isWithinReach(tile, to));
  return step === null ? [] : [{ command: `GO ${step}`, why }];
}

/** The first step of a shortest way in the window; null if none is known. */
function firstStep({ facts: { window, self } }: ScriptedSituation, isGoal: (tile: Point) => boolean) {
  const isOpen = ({ x, y }: Point): boolean => window.rows[y - window.y]?.[x - window.x] === '.';
  for (const { tile, step } of tilesFrom([self], isOpen)) if (isGoal(tile)) return step;
  return null;
}

/** LOOK once at each position, in worlds where agents must LOOK to see. */
function toLookAround(situation: ScriptedSituation): Proposals {
  const from = circumstancesOf(situation);
  if (situation.facts.asks !== true || situation.notebook.looked === from) return [];
  return [{ command: 'LOOK', why: 'I should look around.', isFree: true, note: { looked: from } }];
}

function toRead(situation: ScriptedSituation): Proposals {
  const near = reachable(situation).flatMap((thing) => [thing, ...thing.inside]);
  return [...near, ...situation.facts.self.holds].flatMap((thing) => read(situation, thing));
}

function read({ notebook }: ScriptedSituation, { id, name, readable }: ItemFact): Proposals {
  if (!readable || notebook.read.includes(id)) return [];
  const why = `There is something written on the ${name}.`;
  return [{ command: `READ ${id}`, why, isFree: true, note: { read: id } }];
}

function canCarry({ facts }: ScriptedSituation): boolean {
  return facts.self.holds.length < facts.self.carryMax;
}

function take(situation: ScriptedSituation, thing: ItemFact): Proposals {
  if (!canCarry(situation) || !thing.portable || !isRecommended(situation, thing)) return [];
  return [{ command: `TAKE ${thing.id}`, why: `The ${thing.name} may be of use.` }];
}

function takeOut(situation: ScriptedSituation, container: ItemFact): Proposals {
  if (!canCarry(situation)) return [];
  return container.inside
    .filter(({ portable }) => portable)
    .map(({ id, name }) => ({
      command: `TAKE ${id}`,
      why: `I can take the ${name} out of the open ${container.name}.`,
    }));
}

function open(situation: ScriptedSituation, thing: ItemFact): Proposals {
  if (!mayOpen(situation, thing.lid) || !isRecommended(situation, thing)) return [];
  return [{ command: `OPEN ${thing.id}`, why: `The ${thing.name} is ${thing.lid ?? 'shut'}.` }];
}

/** Anything that it holds may be the key. */
function mayOpen({ facts }: ScriptedSituation, lid: LidState | null): boolean {
  return lid === 'closed' || (lid === 'locked' && facts.self.holds.length > 0);
}

function toOpenDoors(situation: ScriptedSituation): Proposals {
  return situation.facts.doors
    .filter((door) => isInReach(situation, door) && mayOpen(situation, door.state))
    .map(({ id, name, state }) => ({ command: `OPEN ${id}`, why: `The ${name} is ${state}.` }));
}

/** The distance within which SPEAK is assumed to be heard. */
const NEAR_TILES = 4;

/** Passes on what it has read to agents nearby that have not heard it. */
function toTell(situation: ScriptedSituation): Proposals {
  const near = people(situation).filter((body) => body.distance <= NEAR_TILES);
  const [listener] = near;
  if (listener === undefined) return [];
  const why = `${nameWithArticle(listener)} is near and may need what I read.`;
  return say(situation, why, (heardBy) => near.some(({ id }) => !(heardBy ?? []).includes(id)));
}

/**
 * Says the newest sentence that is news to those who have heard it from the agent so far; undefined: it has told no
 * one. It says what it has read itself, but not what others said, or words would circulate forever.
 */
function say(
  { facts, sentences, notebook }: ScriptedSituation,
  why: string,
  isNews: (heardBy: readonly string[] | undefined) => boolean,
): Proposals {
  const isEcho = (sentence: string): boolean =>
    facts.heard.some(({ text }) => text === sentence) ||
    facts.recalled.some(
      (line) => line.includes(JSON.stringify(sentence)) && / (?:said|announced) to [^:]+: /.test(line),
    );
  const told = sentences.findLast((sentence) => !isEcho(sentence) && isNews(lookUp(notebook.told, sentence)));
  return told === undefined ? [] : [{ command: `SPEAK ${JSON.stringify(told)}`, why, note: { told } }];
}

/** A proper name has no article: `Bert`, but `The rat`. */
function nameWithArticle({ name }: BodyFact): string {
  return /^\p{Lu}/u.test(name) ? name : `The ${name}`;
}

/** Work that a try has begun is continued; if bare hands had no effect, each tool is tried in turn. */
function toWork(situation: ScriptedSituation): Proposals {
  const { facts, notebook } = situation;
  const { last } = notebook;
  const isUnfinished =
    last?.command.startsWith('USE ') === true && facts.lastOk && facts.last.includes('It takes ');
  const byTool = reachable(situation)
    .filter(({ id }) => notebook.takesTool.includes(id))
    .flatMap((thing) =>
      facts.self.holds.map((tool) => ({
        command: `USE ${tool.id} ON ${thing.id}`,
        why: `The ${tool.name} may do something to the ${thing.name}.`,
      })),
    );
  return [...(isUnfinished ? [{ command: last.command, why: 'It is not done yet.' }] : []), ...byTool];
}

/** Goes to promising things: unread texts, things to take, closed containers, work. */
function toApproach(situation: ScriptedSituation): Proposals {
  const { facts, notebook } = situation;
  const promising = facts.things.filter(
    (thing) =>
      !isInReach(situation, thing) &&
      [read, take, open, takeOut].some((act) => act(situation, thing).length > 0),
  );
  const recalled = facts.remembered.filter(
    (memory) =>
      memory.kind === 'thing' && !notebook.seenUp.includes(memory.id) && isRecommended(situation, memory),
  );
  return [
    ...promising.flatMap((thing) => goTo(situation, thing, `I want a closer look at the ${thing.name}.`)),
    ...recalled.flatMap((memory) =>
      goTo(situation, memory, `I remember the ${memory.name}.`, { seenUp: memory.id }),
    ),
  ];
}

/**
 * Walks to places where it has not been, to closed doors on the way there, and to the edge of what it knows: with
 * movement by room, on sides without an exit where GO is possible.
 */
function toExplore(situation: ScriptedSituation): Proposals {
  const { facts, legalDirections } = situation;
  const byRoom = facts.movement === 'room';
  const unknown = facts.exits
    .filter(({ leadsTo }) => leadsTo === null)
    .map((exit) => ({ ...exit, id: exit.door }));
  // By its side if that identifies the exit or the agent is beside it, otherwise up to it first.
  const passed = unknown
    .filter(({ state }) => state === 'open')
    .flatMap((exit) => {
      const why = `I have not been beyond the ${exit.name}.`;
      const isAlone = facts.exits.filter(({ side }) => side === exit.side).length === 1;
      const bySide = byRoom && (isAlone || isInReach(situation, exit));
      return bySide ? [{ command: `GO ${exit.side}`, why }] : goTo(situation, exit, why);
    });
  const shut = unknown
    .filter((exit) => mayOpen(situation, exit.state) && !isInReach(situation, exit))
    .flatMap((exit) => goTo(situation, exit, `The ${exit.name} leads on.`));
  const edges = byRoom
    ? legalDirections.filter((way) => facts.exits.every(({ side }) => side !== way))
    : facts.frontier.flatMap(
        (edge) => firstStep(situation, (tile) => isWithinReach(tile, edge, 0)) ?? edge.direction ?? [],
      );
  const why = 'There is more to be seen that way.';
  return [...passed, ...shut, ...edges.map((way) => ({ command: `GO ${way}`, why }))];
}

/** How often it uses each thing before it gives up. */
const PASSES = 4;

/** Uses a thing, or goes to it first if it is out of reach. */
function use(situation: ScriptedSituation, thing: ThingFact): Proposals {
  const command = `USE ${thing.id}`;
  return isInReach(situation, thing)
    ? [{ command, why: `I wonder what the ${thing.name} does.`, note: { worn: command } }]
    : goTo(situation, thing, `The ${thing.name} may do something.`);
}

function useCount({ notebook }: ScriptedSituation, { id }: ThingFact): number {
  return notebook.worn[`USE ${id}`] ?? 0;
}

/** Fixed things without an inscription, such as levers: only a try shows whether they do something. */
function puzzling(situation: ScriptedSituation): readonly ThingFact[] {
  return situation.facts.things.filter(
    (thing) =>
      !thing.portable &&
      !thing.pushable &&
      !thing.readable &&
      thing.lid === null &&
      isRecommended(situation, thing),
  );
}

/** The puzzling thing that it walked up to, before anything else is considered. */
function toOperate(situation: ScriptedSituation): Proposals {
  const lastCommand = situation.notebook.last?.command;
  return puzzling(situation)
    .filter((thing) => lastCommand === `GO TO ${thing.id}` && isInReach(situation, thing))
    .filter((thing) => useCount(situation, thing) < PASSES)
    .flatMap((thing) => use(situation, thing));
}

/** Tries each puzzling thing once, when there is nothing better to do. */
function toTryOut(situation: ScriptedSituation): Proposals {
  return puzzling(situation)
    .filter((thing) => useCount(situation, thing) === 0)
    .flatMap((thing) => use(situation, thing));
}

/**
 * Uses things again, the least used first, because several of them may have an effect in another order; a
 * single one has already had its effect.
 */
function toOperateAgain(situation: ScriptedSituation): Proposals {
  const { facts, notebook } = situation;
  const effective = facts.things
    .map((thing) => ({ thing, worn: useCount(situation, thing) }))
    .filter(({ worn }) => worn > 0 && worn < PASSES)
    .filter(
      ({ thing }) => notebook.failed[`USE ${thing.id}`] === undefined && isRecommended(situation, thing),
    );
  if (effective.length < 2) return [];
  return effective.toSorted((a, b) => a.worn - b.worn).flatMap(({ thing }) => use(situation, thing));
}

/** Goes back to locked doors and containers, because a thing taken since then may open them. */
function toTryLocksAgain(situation: ScriptedSituation): Proposals {
  const { doors, remembered, exits } = situation.facts;
  return [
    ...doors.map((door) => ({ ...door, lid: door.state })),
    ...remembered,
    ...exits.map((exit) => ({ ...exit, id: exit.door, lid: exit.state })),
  ]
    .filter(({ lid }) => lid === 'locked' && mayOpen(situation, lid))
    .filter((lock) => !isInReach(situation, lock))
    .flatMap((lock) => goTo(situation, lock, `One of the things I hold may fit the ${lock.name}.`));
}

/** Goes to people in sight while it has something to tell them, and calls out if it can't get nearer. */
function toMeet(situation: ScriptedSituation): Proposals {
  const { facts, offered } = situation;
  return people(situation)
    .filter((body) => !isInReach(situation, body))
    .flatMap((body) => {
      const isNews = (heardBy: readonly string[] = []): boolean => !heardBy.includes(body.id);
      const call = say(situation, `Perhaps the ${body.name} hears me from here.`, isNews);
      if (call.length === 0) return [];
      const approach = goTo(situation, body, `${nameWithArticle(body)} may need what I know.`);
      return facts.movement === 'tile' || !offered.has('SPEAK') ? approach : [...approach, ...call];
    });
}

/**
 * Says what it has read and told no one yet, even if no one is in sight: someone may hear it through a wall.
 */
function toCallOut(situation: ScriptedSituation): Proposals {
  const why = 'Somebody may hear me whom I do not see.';
  return say(situation, why, (heardBy) => heardBy === undefined);
}

/** Goes back to known rooms, the least visited first; by tile, also takes the steps least taken. */
function toWander({ facts, notebook, goesTo }: ScriptedSituation): Proposals {
  const { self, rooms, steps, movement } = facts;
  const others = goesTo ? rooms.filter((room) => room !== self.room) : [];
  return [
    ...others.map((room) => ({ command: `GO TO ${room}`, key: room })),
    ...(movement === 'room' ? [] : steps).map((step) => ({
      command: `GO ${step}`,
      key: `${self.x} ${self.y} ${step}`,
    })),
  ]
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
function toTryEach(situation: ScriptedSituation): Proposals {
  const { facts, notebook } = situation;
  if (!facts.doors.some((door) => door.state === 'locked')) return [];
  const untried = facts.things.filter(
    ({ id, portable }) => portable && lookUp(notebook.worn, `TRY ${id}`) === undefined,
  );
  const why = 'Nothing tells which is the right one, so I try each.';
  if (untried.length > 0 && !canCarry(situation))
    return facts.self.holds.map(({ id }) => ({ command: `DROP ${id}`, why }));
  return untried.flatMap((thing) =>
    isInReach(situation, thing)
      ? [{ command: `TAKE ${thing.id}`, why, note: { worn: `TRY ${thing.id}` } }]
      : goTo(situation, thing, why),
  );
}

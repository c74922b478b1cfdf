/**
 * The sighted reference player: it sees what its agent sees, remembers it, and knows the rules and the goal of the
 * scenario, in each way in which the scenario may have been drawn. It does what brings the goal closer in all the ways
 * that agree with what it has perceived, looks around as long as they don't agree, and guesses at the end.
 */
import type { ControllerInput } from '../../../agent/controller.js';
import type { ReferencePlayer, ReferenceTask } from '../../../agent/controllers/reference-player.js';
import type { CandidateAction } from '../../../agent/controllers/scripted-player.js';
import { NOTHING_TO_DO } from '../../../agent/controllers/scripted-player.js';
import type { Point } from '../../../environment/space.js';
import { known } from '../../../base/assert.js';
import { lookUp } from '../../../base/look-up.js';
import { CARDINALS, moved, samePoint } from '../../../environment/space.js';
import type { BodyFact } from '../../../environment/spatial-facts.js';
import { saysPhrase } from '../conditions.js';
import type { GridDefinition, Trigger } from '../definition.js';
import { candidatesIn } from './candidate-actions.js';
import { actsFor, hintsFor, triggersMeant } from './acts.js';
import type { Belief, Firings, Happened, Noticed } from './belief.js';
import { firingsAfter, firingsWith, happenedBy, NO_FIRINGS, truthOf, withHappened } from './belief.js';
import { explorerWith } from './explorer.js';
import { agreeing, chooseBy, goalOf, gridOf, guess, sayable, toldIn } from './hypotheses.js';
import type { GroundMemory } from './ground.js';
import { groundOf, NO_GROUND, withoutFreshness, withWindow } from './ground.js';
import type { Notebook } from './notebook.js';
import { openNotebook } from './notebook.js';
import type { ScriptedSituation } from './situation.js';
import { circumstancesOf, situationOf } from './situation.js';
import type { Trials } from './locks.js';
import { toUnlock, triedAfter } from './locks.js';
import { plannerIn, toEnter, toSearch } from './ways.js';
import type { Plan } from './tasks.js';
import { planActs, planFor, SEARCH_TURNS } from './tasks.js';

/** What it remembers besides the notebook of the scripted player. */
interface Mind extends Noticed {
  ground: GroundMemory;
  /** Where it was; null before its first decision. */
  stood: (Point & { room: string | null }) | null;
  /** The hypotheses that are left, by their place in the task, each with what has happened if it is true. */
  left: Readonly<Record<string, Firings>>;
  tried: Trials;
}

function firstMind(task: ReferenceTask): Mind {
  const left = Object.fromEntries([...task.hypotheses.keys()].map((i) => [String(i), NO_FIRINGS]));
  return { ground: NO_GROUND, stood: null, seen: [], lines: [], said: [], worked: [], left, tried: {} };
}

export const sightedPlayer: ReferencePlayer = (task) => (input) => {
  const notebook = openNotebook(input.memory) as Notebook & { mind?: Mind };
  const situation = situationOf(input.observation, notebook);
  if (situation === null) return null;
  const mind = learn(task, { mind: notebook.mind ?? firstMind(task), situation, input });
  const play = explorerWith((updated) => proposals(task, mind, updated));
  return play({ ...input, memory: { ...notebook, mind } as never });
};

/** What it knows after what it perceives now. */
function learn(
  task: ReferenceTask,
  { mind, situation, input }: { mind: Mind; situation: ScriptedSituation; input: ControllerInput },
): Mind {
  const { facts, notebook } = situation;
  const { last } = notebook;
  const { x, y, room } = facts.self;
  const isDone = last !== null && (last.turn < facts.turn ? facts.lastOk : last.isFree);
  const own = happenedBy(task.agent, isDone ? last.command : '');
  const heard = input.attempt > 1 ? [] : facts.heard.map(({ speaker, text }) => ({ agent: speaker, text }));
  const happened: Happened = {
    ...own,
    said: [...own.said, ...heard],
    entered: mind.stood !== null && room !== mind.stood.room ? room : null,
    hasMoved: mind.stood !== null && !samePoint(mind.stood, facts.self),
  };
  const told = toldIn(task.hypotheses, [...facts.noticed, facts.last]).filter(
    (text) => !mind.lines.includes(text),
  );
  const inView = [...facts.things, ...facts.bodies, ...facts.doors, ...facts.self.holds];
  const seen = [...new Set([...mind.seen, ...inView.flatMap(idsIn)])];
  const isAtWork = facts.last.includes('It takes ');
  const now: Mind = {
    ...withHappened(mind, isAtWork ? { ...happened, used: null } : happened),
    ground: withWindow(mind.ground, facts),
    stood: { x, y, room },
    seen,
    lines: [...mind.lines, ...told],
    tried: triedAfter(mind.tried, situation),
  };
  const left = Object.fromEntries(
    Object.entries(mind.left).map(([index, firings]) => {
      const belief = beliefIn(task, now, { situation, index, firings });
      // Triggers wait for an act, also those for what is so at the start.
      const isUntouched = last === null && belief.definition.agents[0]?.id === task.agent;
      if (isUntouched) return [index, firings];
      const meant = heard
        .filter(({ agent }) => isShared(task) && task.others.includes(agent))
        .flatMap(({ text }) => triggersMeant(belief, task.others, text));
      return [index, firingsAfter({ ...belief, firings: meant.reduce(firingsWith, firings) }, happened)];
    }),
  );
  const isEverythingSeen =
    toSearch(beliefIn(task, now, { situation, index: Object.keys(left)[0] ?? '0', firings: NO_FIRINGS })) ===
    null;
  const live = agreeing(task, Object.keys(left).map(Number), {
    seen: inView.filter((one) => 'portable' in one),
    scene: input.observation.scene,
    lines: [
      ...now.lines,
      ...facts.recalled,
      ...(input.observation.sections.find(({ id }) => id === 'place')?.lines ?? []),
    ],
    heard: now.said.filter(({ agent }) => agent !== task.agent).map(({ text }) => text),
    hasSeenAll: isEverythingSeen && facts.movement === 'tile' ? seen : null,
  });
  for (const index of Object.keys(left)) if (!live.includes(Number(index))) delete left[index];
  // A trigger tells of it: what was seen before may be out of date.
  const isTold = ({ triggers = [] }: GridDefinition): boolean =>
    triggers.some(({ effects }) =>
      effects.some((one) => one.kind === 'tell' && told.some((line) => line.includes(one.text))),
    );
  if (!Object.keys(left).some((index) => isTold(definitionOf(task, index)))) return { ...now, left };
  return { ...now, left, ground: withWindow(withoutFreshness(now.ground), facts) };
}

function idsIn(item: { id: string; inside?: readonly { id: string }[] }): readonly string[] {
  return [item.id, ...(item.inside ?? []).flatMap(idsIn)];
}

function definitionOf({ hypotheses }: ReferenceTask, index: string): GridDefinition {
  return gridOf(known(hypotheses[Number(index)], `hypothesis ${index}`));
}

function beliefIn(
  task: ReferenceTask,
  mind: Mind,
  { situation, index, firings }: { situation: ScriptedSituation; index: string; firings: Firings },
): Belief {
  const definition = definitionOf(task, index);
  const { facts, notebook } = situation;
  const ground = groundOf(mind.ground, facts, isBlocked(situation, definition));
  return { ...mind, me: task.agent, facts, ground, definition, firings, read: notebook.read };
}

/** For so many turns a step that failed is not planned again. */
const BLOCKED_TURNS = 4;

/** Beyond the map, where somebody stands in the way, or where a step has just failed. */
function isBlocked(situation: ScriptedSituation, { size, rules }: GridDefinition) {
  const { facts, notebook } = situation;
  const here = facts.self;
  const failed = CARDINALS.filter((way) => {
    const failure = lookUp(notebook.failed, `GO ${way}`);
    return failure?.when === circumstancesOf(situation) && facts.turn - failure.turn <= BLOCKED_TURNS;
  });
  return (tile: Point, from: Point): boolean => {
    if (tile.x >= size.width || tile.y >= size.height) return true;
    const isBeside = samePoint(from, here);
    // Whoever is awake and far away will have moved on.
    const isTaken = (body: BodyFact): boolean =>
      samePoint(body, tile) && (isBeside || body.status !== 'awake');
    if (rules.bodiesBlock && facts.bodies.some(isTaken)) return true;
    return isBeside && failed.some((way) => samePoint(moved(from, way), tile));
  };
}

/** Whether there are others to whom the alternatives of the goal are told, because nothing is drawn that has a name. */
function isShared({ hypotheses, others }: ReferenceTask): boolean {
  return hypotheses.length === 1 && others.length > 0;
}

/** So many turns before the last one in which a guess could still win, it guesses. */
const RESERVE_TURNS = 3;

/** What it would do, most urgent first. */
function proposals(
  task: ReferenceTask,
  mind: Mind,
  situation: ScriptedSituation,
): readonly CandidateAction[] {
  const indices = Object.keys(mind.left).map(Number);
  const beliefs = Object.entries(mind.left).map(([index, firings]) =>
    beliefIn(task, mind, { situation, index, firings }),
  );
  const [first] = beliefs;
  if (first === undefined) return [];
  const plans = beliefs.map((belief) =>
    planFor(plannerIn(belief, situation), goalOf(belief.definition, belief.me) ?? { kind: 'all', of: [] }),
  );
  const search = toSearch(first) ?? toEnter(first);
  const wishesOf = (plan: Plan | undefined) => (plan !== undefined && 'wishes' in plan ? plan.wishes : []);
  const commands = new Set(plans.map((plan) => (plan.is === 'act' ? plan.wishes[0]?.command : undefined)));
  // A first step that happens to lead several ways is no agreement while there is more to see.
  const lengths = new Set(plans.map((plan) => ('turns' in plan ? plan.turns : 0)));
  const isAgreed = commands.size === 1 && (search === null || lengths.size === 1);
  // What is written on something that it has seen may decide.
  const unread = first.definition.things.filter(
    ({ id, text }) => text !== null && mind.seen.includes(id) && !situation.notebook.read.includes(id),
  );
  const readings = isAgreed
    ? []
    : unread.map(({ id }) =>
        planFor(plannerIn(first, situation), { kind: 'read', agent: first.me, thing: id }),
      );
  const findings = [...plans.filter(({ is }) => is === 'unknown'), ...readings].flatMap(wishesOf);
  // Nothing that it could find out is left: it takes one of the alternatives of its goal for true.
  const isStuck = search === null && plans.every((plan) => plan.is === 'unknown') && findings.length === 0;
  const guessed = isStuck ? guessedAct(task, first, situation) : plans[indices.indexOf(guess(task, indices))];
  const turnsNeeded =
    guessed !== undefined && 'turns' in guessed && guessed.turns < SEARCH_TURNS ? guessed.turns : 0;
  const isLate = task.turnsMax - situation.facts.turn < turnsNeeded + RESERVE_TURNS;
  const awaitsNews =
    plans.some(({ is }) => is === 'unknown') || (task.others.length > 0 && task.sense !== 'deaf');
  const mustGuess = isStuck
    ? isLate
    : !isAgreed && (isLate || (search === null && findings.length === 0 && !awaitsNews));
  const chosen = mustGuess ? guessed : isAgreed ? plans[0] : undefined;
  const hasSaid = (text: string): boolean => mind.said.some((one) => saysPhrase(one.text, text));
  const hints = isShared(task) ? hintsFor(first, task.others) : sayable(task, indices);
  const news =
    task.others.length > 0 && task.sense !== 'deaf' && situation.scope.has('SPEAK')
      ? hints.filter((text) => !hasSaid(text))
      : [];
  const others = candidatesIn(situation);
  const unlock = toUnlock(plannerIn(first, situation), mind.tried, search?.turns ?? SEARCH_TURNS);
  const { doors, remembered, movement } = situation.facts;
  const isLocked =
    doors.some(({ state }) => state === 'locked') || remembered.some(({ lid }) => lid === 'locked');
  const mayWait = awaitsNews && movement === 'tile' && !isLocked;
  // What the world's own agents decide shows first where they placed the agent that has to know it; so does what
  // appears in a turn that is still to come.
  const worldActs = first.definition.agents.some(({ id }) => id !== first.me && !task.others.includes(id));
  const hasNoticed =
    mind.lines.length > 0 || beliefs.some(({ firings }) => Object.keys(firings.fired).length > 0);
  const isToCome = ({ when, effects }: Trigger): boolean =>
    when?.kind === 'turn-over' &&
    when.turn >= situation.facts.turn &&
    effects.some(({ kind }) => kind === 'spawn');
  const watches =
    situation.facts.turn <= task.turnsMax / 3 &&
    ((indices.length > 1 && first.definition.triggers?.some(isToCome) === true) ||
      (worldActs && !hasNoticed && plans.every(({ is }) => is === 'unknown')));
  const isLook = ({ command }: CandidateAction): boolean => command === 'LOOK';
  const isFree = first.definition.rules.speechFree;
  return [
    ...others.filter(isLook),
    ...news.map((text) => ({
      command: `SPEAK ${JSON.stringify(text)}`,
      why: 'Others may not know it.',
      isFree,
    })),
    ...(plans.every(({ is }) => is === 'act') || mustGuess ? wishesOf(chosen) : []),
    ...(watches ? [NOTHING_TO_DO] : []),
    ...findings.slice(0, 1),
    ...unlock.near,
    ...(search === null ? [] : [search.wish]),
    ...unlock.all,
    ...(mayWait ? [NOTHING_TO_DO] : []),
    ...others,
  ].filter(
    ({ command }) =>
      beliefs.every((belief) => !wouldFail(belief, command)) ||
      (mustGuess && wishesOf(chosen)[0]?.command === command),
  );
}

function guessedAct(task: ReferenceTask, belief: Belief, situation: ScriptedSituation): Plan | undefined {
  const { definition, me } = belief;
  const [next] = actsFor(definition, me, goalOf(definition, me), chooseBy(task));
  const planner = plannerIn(belief, situation);
  return next && planActs(planner, [next], { kind: 'done', agent: me });
}

/** Whether an act makes a failure true, by all that is known. */
function wouldFail(belief: Belief, command: string): boolean {
  const { definition, me } = belief;
  const own = definition.agents.find(({ id }) => id === me)?.failure;
  const failures = [definition.failure, own].filter((one) => one !== null && one !== undefined);
  if (failures.length === 0) return false;
  const after = beliefAfter(belief, command);
  return failures.some((failure) => truthOf(belief, failure) !== true && truthOf(after, failure) === true);
}

/** What would be believed after an act that succeeds. */
function beliefAfter(belief: Belief, command: string): Belief {
  const [verb, thing] = command.split(' ');
  const { facts, me } = belief;
  const { self } = facts;
  const item = facts.things.flatMap((one) => [one, ...one.inside]).find(({ id }) => id === thing);
  const status = verb === 'DONE' ? 'done' : self.status;
  const holds = verb === 'TAKE' && item !== undefined ? [...self.holds, item] : self.holds;
  const happened = happenedBy(me, command);
  // What it has seen and was told has been accounted for.
  const noticed = { ...withHappened(belief, happened), seen: [], lines: [] };
  const after = { ...noticed, facts: { ...facts, self: { ...self, status, holds } } };
  const firings = firingsAfter(after, happened);
  const lids = new Map(
    (belief.definition.triggers ?? []).flatMap(({ id, effects }) =>
      lookUp(firings.fired, id) === lookUp(belief.firings.fired, id)
        ? []
        : effects.flatMap((one) =>
            one.kind === 'set-lid' ? [[one.target, one.to === 'unlocked' ? 'closed' : one.to] as const] : [],
          ),
    ),
  );
  const doors = facts.doors.map((door) => ({ ...door, state: lids.get(door.id) ?? door.state }));
  const things = facts.things.map((one) => ({ ...one, lid: lids.get(one.id) ?? one.lid }));
  return { ...after, facts: { ...after.facts, doors, things }, firings };
}

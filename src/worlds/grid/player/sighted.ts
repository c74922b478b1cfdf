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
import { samePoint } from '../../../environment/space.js';
import { saysPhrase } from '../conditions.js';
import type { GridCondition, Trigger } from '../definition.js';
import { candidatesIn } from './candidate-actions.js';
import type { Belief, Firings, Happened } from './belief.js';
import { firingsAfter, NO_FIRINGS, placeOf, truthOf } from './belief.js';
import { explorerWith } from './explorer.js';
import { agreeing, goalOf, gridOf, guess, sayable, toldIn, withAlternatives } from './hypotheses.js';
import type { GroundMemory } from './ground.js';
import { groundOf, NO_GROUND, withoutFreshness, withWindow } from './ground.js';
import type { Notebook } from './notebook.js';
import { openNotebook } from './notebook.js';
import type { ScriptedSituation } from './situation.js';
import { situationOf } from './situation.js';
import { toSearch } from './ways.js';
import { planFor, SEARCH_TURNS, toUnlock } from './tasks.js';

/** What it remembers besides the notebook of the scripted player. */
interface Mind extends Pick<Belief, 'said' | 'worked'> {
  /** All that it was told in words by the world, of what may be told. */
  lines: readonly string[];
  ground: GroundMemory;
  /** Where it was; null before its first decision. */
  stood: (Point & { room: string | null }) | null;
  /** The hypotheses that are left, by their place in the task, each with what has happened if it is true. */
  left: Readonly<Record<string, Firings>>;
}

/** What it plays for; `facts`: by hypothesis, what tells that it is true, if nothing is drawn. */
interface Play {
  task: ReferenceTask;
  facts: readonly GridCondition[];
}

export const sightedPlayer: ReferencePlayer = (given) => {
  const play = withAlternatives(given);
  const left = Object.fromEntries([...play.task.hypotheses.keys()].map((i) => [String(i), NO_FIRINGS]));
  const first: Mind = { ground: NO_GROUND, stood: null, lines: [], said: [], worked: [], left };
  return (input) => {
    const notebook = openNotebook(input.memory) as Notebook & { mind?: Mind };
    const situation = situationOf(input.observation, notebook);
    if (situation === null) return null;
    const mind = learn(play, { mind: notebook.mind ?? first, situation, input });
    const decide = explorerWith((updated) => proposals(play, mind, updated));
    return decide({ ...input, memory: { ...notebook, mind } as never });
  };
};

/** What it knows after what it perceives now. */
function learn(
  { task, facts: evidence }: Play,
  { mind, situation, input }: { mind: Mind; situation: ScriptedSituation; input: ControllerInput },
): Mind {
  const { facts, notebook } = situation;
  const { last } = notebook;
  const { x, y, room } = facts.self;
  const isDone = last !== null && (last.turn < facts.turn ? facts.lastOk : last.isFree);
  const command = isDone ? last.command : '';
  const [verb, thing = '', , on = null] = command.split(' ');
  const isFinished = verb === 'USE' && !facts.last.includes('It takes ');
  const heard = input.attempt > 1 ? [] : facts.heard.map(({ speaker, text }) => ({ agent: speaker, text }));
  const spoken = verb === 'SPEAK' ? [{ agent: task.agent, text: command.slice('SPEAK '.length) }] : [];
  const happened: Happened = {
    said: [...spoken, ...heard],
    used: isFinished ? { thing, on } : null,
    entered: mind.stood !== null && room !== mind.stood.room ? room : null,
    hasMoved: mind.stood !== null && !samePoint(mind.stood, facts.self),
  };
  const told = toldIn(task.hypotheses, [...facts.noticed, facts.last]).filter(
    (text) => !mind.lines.includes(text),
  );
  // What was seen before may be out of date when it is told something.
  const before = told.length > 0 ? withoutFreshness(mind.ground) : mind.ground;
  const now: Mind = {
    ground: withWindow(before, facts),
    stood: { x, y, room },
    lines: [...mind.lines, ...told],
    said: [...mind.said, ...happened.said],
    worked: isFinished ? [...new Set([...mind.worked, on ?? thing])] : mind.worked,
    left: mind.left,
  };
  const beliefs = beliefsIn(task, now, situation).map(([index, belief]) => {
    // Triggers wait for an act, also those for what is so at the start.
    const isUntouched = last === null && belief.definition.agents[0]?.id === task.agent;
    const firings = isUntouched ? belief.firings : firingsAfter(belief, happened);
    return [index, { ...belief, firings }] as const;
  });
  const live = agreeing(
    task,
    beliefs.map(([index]) => index),
    {
      scene: input.observation.scene,
      lines: [
        ...now.lines,
        ...facts.recalled,
        ...(input.observation.sections.find(({ id }) => id === 'place')?.lines ?? []),
      ],
      heard: now.said.filter(({ agent }) => agent !== task.agent).map(({ text }) => text),
    },
  );
  const agreed = beliefs.filter(([index]) => live.includes(index));
  const evident = agreed.filter(([index, belief]) => {
    const fact = evidence[index];
    return fact !== undefined && truthOf(belief, fact) === true;
  });
  const left = evident.length === 1 ? evident : agreed;
  return { ...now, left: Object.fromEntries(left.map(([index, { firings }]) => [String(index), firings])) };
}

function beliefsIn(
  { agent, hypotheses }: ReferenceTask,
  mind: Mind,
  { facts, notebook: { read }, scope, goesTo }: ScriptedSituation,
): readonly (readonly [number, Belief])[] {
  const can = (verb: string): boolean => scope.has(verb);
  const left = Object.entries(mind.left).map(([key, firings]) => ({
    index: Number(key),
    definition: gridOf(known(hypotheses[Number(key)], `hypothesis ${key}`)),
    firings,
  }));
  // What is known of the ground is the same in all.
  const ground = groundOf(mind.ground, facts, known(left[0], 'hypothesis').definition);
  return left.map(({ index, definition, firings }) => [
    index,
    { ...mind, me: agent, can, goesTo, facts, ground, definition, firings, read },
  ]);
}

/** So many turns before the last one in which a guess could still win, it guesses. */
const RESERVE_TURNS = 3;

/** What it would do, most urgent first. */
function proposals(
  { task, facts: evidence }: Play,
  mind: Mind,
  situation: ScriptedSituation,
): readonly CandidateAction[] {
  const beliefs = beliefsIn(task, mind, situation);
  const [, first] = known(beliefs[0], 'hypothesis');
  const indices = beliefs.map(([index]) => index);
  const plans = beliefs.map(([, belief]) =>
    planFor(belief, goalOf(belief.definition, belief.me) ?? { kind: 'all', of: [] }),
  );
  const search = toSearch(first);
  // A first step that happens to lead several ways is no agreement while there is more to see.
  const isSame = new Set(plans.map(({ wish }) => wish?.command)).size === 1;
  const isAgreed = isSame && (search === null || new Set(plans.map(({ turns }) => turns)).size === 1);
  // What is written on something that it knows may decide.
  const unread = first.definition.things.filter(
    ({ id, text }) => text !== null && !first.read.includes(id) && placeOf(first, id) !== undefined,
  );
  const toRead = isAgreed
    ? []
    : unread.flatMap(({ id }) => planFor(first, { kind: 'read', agent: first.me, thing: id }).wish ?? []);
  const guessed = plans[indices.indexOf(guess(task, indices))];
  const isKnown = guessed !== undefined && guessed.turns < SEARCH_TURNS;
  const turnsLeft = task.turnsMax - situation.facts.turn;
  const isLate = turnsLeft < RESERVE_TURNS + (isKnown ? guessed.turns : 0);
  const hearsOthers = task.others.length > 0 && task.sense !== 'deaf';
  const isUnknown = plans.some(({ is }) => is === 'unknown');
  const awaitsNews = isUnknown || evidence.length > 0 || hearsOthers;
  const mustGuess = !isAgreed && (isLate || (search === null && toRead.length === 0 && !awaitsNews));
  const own = mustGuess ? guessed : isAgreed && !isUnknown ? plans[0] : undefined;
  const hasSaid = (text: string): boolean => mind.said.some((one) => saysPhrase(one.text, text));
  const news = hearsOthers && situation.scope.has('SPEAK') ? sayable(task, indices) : [];
  const { movement, turn } = situation.facts;
  // What appears in a turn that is still to come may decide.
  const isToCome = ({ when, effects }: Trigger): boolean =>
    when?.kind === 'turn-over' && when.turn >= turn && effects.some(({ kind }) => kind === 'spawn');
  const watches = indices.length > 1 && first.definition.triggers?.some(isToCome) === true;
  const unlock = toUnlock(first, situation.notebook.failed);
  const others = candidatesIn(situation);
  return [
    ...others.filter(({ command }) => command === 'LOOK'),
    ...news
      .filter((text) => !hasSaid(text))
      .map((text) => ({
        command: `SPEAK ${JSON.stringify(text)}`,
        why: 'Others may not know it.',
        isFree: first.definition.rules.speechFree,
      })),
    ...(own?.wish == null ? [] : [own.wish]),
    ...(watches ? [NOTHING_TO_DO] : []),
    ...toRead,
    ...unlock.fitting,
    ...(search === null ? [] : [search.wish]),
    ...unlock.all,
    ...(awaitsNews && movement === 'tile' ? [NOTHING_TO_DO] : []),
    ...others,
  ];
}

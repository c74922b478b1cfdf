/**
 * The text-only reference player: it gets the words alone that are sent beside a picture, knows the goal and the
 * rules, and plays to win all the same. It takes one of the ways in which the scenario may have been drawn and one of
 * the alternatives of its goal for true, walks about by counting its steps and remembering where it was refused, tries
 * on its way what it is to do, and says its answer and DONE at a time of its own choice.
 */
import type { ReferencePlayer, ReferenceTask } from '../../../agent/controllers/reference-player.js';
import { known } from '../../../base/assert.js';
import type { Json } from '../../../base/json.js';
import { nextBelow, pick, stream } from '../../../base/rng.js';
import { WAITED } from '../../../environment/standard-actions.js';
import type { Point } from '../../../environment/space.js';
import { CARDINALS, moved } from '../../../environment/space.js';
import { actsFor } from './acts.js';
import { agreeing, chooseBy, goalOf, gridOf, guess, sayable } from './hypotheses.js';

interface Memory {
  kind: 'text-only';
  x: number;
  y: number;
  /** How often it was on each tile. */
  visits: Readonly<Record<string, number>>;
  blocked: readonly string[];
  /** The way of its last step, done or not. */
  heading: (typeof CARDINALS)[number];
  lines: readonly string[];
  /** Commands that were carried out, and how many it gave. */
  done: readonly string[];
  given: number;
  last: { command: string; turn: number } | null;
}

const FIRST: Memory = {
  kind: 'text-only',
  x: 0,
  y: 0,
  visits: {},
  blocked: [],
  heading: 'north',
  lines: [],
  done: [],
  given: 0,
  last: null,
};

/** Every so many turns it tries an act instead of a step. */
const STEPS_BETWEEN = 3;

export const textOnlyPlayer: ReferencePlayer = (task) => (input) => {
  const { observation, turn, attempt } = input;
  const lines = observation.sections.flatMap((section) => (section.isPictured === true ? [] : section.lines));
  const result = observation.sections.find(({ id }) => id === 'last')?.lines ?? [];
  const memory = learn(openMemory(input.memory), { lines, result, turn, attempt });
  const heard = memory.lines.filter((line) => / (?:said|announced) to /.test(line));
  const evidence = { seen: [], scene: null, lines: memory.lines, heard, hasSeenAll: null };
  const live = agreeing(task, [...task.hypotheses.keys()], evidence);
  const definition = gridOf(known(task.hypotheses[guess(task, live)], 'guess'));
  const scope = new Set(observation.scope);
  const { things, doors } = definition;
  const goal = goalOf(definition, task.agent);
  const nameOf = (id: string): string => [...things, ...doors].find((one) => one.id === id)?.name ?? id;
  const acts = actsFor(definition, task.agent, goal, chooseBy(task))
    .filter(({ verb }) => scope.has(verb))
    .map(({ verb, object }) =>
      verb === 'SPEAK' ? `SPEAK ${JSON.stringify(object)}` : `${verb} ${nameOf(object)}`.trim(),
    );
  const told =
    task.others.length > 0 ? sayable(task, live).map((text) => `SPEAK ${JSON.stringify(text)}`) : [];
  const [news] = told.filter((act) => scope.has('SPEAK') && !memory.done.includes(act));
  const command = news ?? chooseCommand(task, { memory, acts, scope, turn });
  const kept: Memory = { ...memory, given: memory.given + 1, last: { command, turn } };
  return { wish: { command, why: 'I can only try.' }, memory: kept as unknown as Json };
};

function openMemory(memory: Json): Memory {
  const isOurs = typeof memory === 'object' && memory !== null && 'kind' in memory;
  return isOurs ? (memory as unknown as Memory) : FIRST;
}

/** Where it is now, and what its last command came to, by what it was told. */
function learn(
  memory: Memory,
  {
    lines,
    result,
    turn,
    attempt,
  }: { lines: readonly string[]; result: readonly string[]; turn: number; attempt: number },
): Memory {
  const { last } = memory;
  const now: Memory = { ...memory, lines: [...new Set([...memory.lines, ...lines])] };
  if (last === null) return now;
  // Whoever waits without having chosen to was refused.
  const isRefused =
    (attempt > 1 && last.turn === turn) ||
    result.some((line) => /not possible|can't/.test(line) || (line === WAITED && last.command !== 'WAIT'));
  const [verb, way] = last.command.split(' ');
  const step = CARDINALS.find((one) => one === way);
  if (verb !== 'GO' || step === undefined)
    return isRefused
      ? now
      : { ...now, done: [...now.done, last.command], blocked: verb === 'OPEN' ? opened(now) : now.blocked };
  const to = moved(memory, step);
  if (isRefused) return { ...now, heading: step, blocked: [...now.blocked, keyOf(to)] };
  return {
    ...now,
    ...to,
    heading: step,
    visits: { ...now.visits, [keyOf(to)]: (now.visits[keyOf(to)] ?? 0) + 1 },
  };
}

/** What is still in its way after it has opened a door before it. */
function opened({ blocked, heading, x, y }: Memory): readonly string[] {
  return blocked.filter((tile) => tile !== keyOf(moved({ x, y }, heading)));
}

function keyOf({ x, y }: Point): string {
  return `${x},${y}`;
}

interface Options {
  memory: Memory;
  acts: readonly string[];
  scope: ReadonlySet<string>;
  turn: number;
}

function chooseCommand(task: ReferenceTask, { memory, acts, scope, turn }: Options): string {
  const { seed, agent, turnsMax } = task;
  const isFinal = (act: string): boolean => act === 'DONE' || act.startsWith('SPEAK ');
  const left = acts.filter((act) => !memory.done.includes(act));
  // Not before a third of the turns, so that it may have come where it must be.
  const late = nextBelow(
    stream(seed, `text-only:${agent}`),
    Math.max(1, turnsMax - Math.floor(turnsMax / 3)),
  );
  const time = Math.floor(turnsMax / 3) + late.value;
  const [answer] = left.filter(isFinal);
  if (answer !== undefined && turn >= time) return answer;
  const tries = left.filter((act) => !isFinal(act));
  const { last } = memory;
  const hasBumped =
    last?.command.startsWith('GO ') === true &&
    memory.blocked.at(-1) === keyOf(moved(memory, memory.heading));
  if (hasBumped && scope.has('OPEN'))
    return `OPEN ${/the ([\w' -]+?) is closed/.exec(memory.lines.at(-1) ?? '')?.[1] ?? 'door'}`;
  const isTry = memory.given % STEPS_BETWEEN === 0 || !scope.has('GO');
  if (isTry && tries.length > 0)
    return tries[Math.floor(memory.given / STEPS_BETWEEN) % tries.length] ?? 'WAIT';
  if (!scope.has('GO')) return 'WAIT';
  const free = CARDINALS.filter((way) => !memory.blocked.includes(keyOf(moved(memory, way))));
  const ways = free.length > 0 ? free : CARDINALS;
  const visits = (way: (typeof CARDINALS)[number]): number => memory.visits[keyOf(moved(memory, way))] ?? 0;
  const least = Math.min(...ways.map(visits));
  const best = ways.filter((way) => visits(way) === least);
  return `GO ${best.find((way) => way === memory.heading) ?? pick(stream(seed, `text-only:${agent}:${memory.given}`), best).value}`;
}

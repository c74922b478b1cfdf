/**
 * The text-only reference player: it gets the words alone that are sent beside a picture, knows the goal and the
 * rules, and plays to win all the same. It takes one of the ways in which the scenario may have been drawn and one of
 * the alternatives of its goal for true, walks about by counting its steps and remembering where it was refused, tries
 * on its way what it is to do, and says its answer and DONE at a time of its own choice.
 */
import type { ControllerInput } from '../../../agent/controller.js';
import type { ReferencePlayer, ReferenceTask } from '../../../agent/controllers/reference-player.js';
import { known } from '../../../base/assert.js';
import type { Json } from '../../../base/json.js';
import { nextBelow, pick, stream } from '../../../base/rng.js';
import { WAITED } from '../../../environment/standard-actions.js';
import { CARDINALS, moved } from '../../../environment/space.js';
import type { Choose } from './acts.js';
import { actsFor, commandOf } from './acts.js';
import { keyOf } from './ground.js';
import { agreeing, goalOf, gridOf, guess, sayable } from './hypotheses.js';

interface Memory {
  kind: 'text-only';
  x: number;
  y: number;
  /** How often it was on each tile, or was refused it, which counts more. */
  visits: Readonly<Record<string, number>>;
  /** The way of its last step, and whether it was refused. */
  heading: (typeof CARDINALS)[number];
  hasBumped: boolean;
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
  heading: 'north',
  hasBumped: false,
  lines: [],
  done: [],
  given: 0,
  last: null,
};

/** What a refusal counts: it tries everything else first, but others may have stood in its way. */
const REFUSAL_VISITS = 100;

/** Every so many turns it tries an act instead of a step. */
const STEPS_BETWEEN = 3;

export const textOnlyPlayer: ReferencePlayer = (task) => (input) => {
  const { scope } = input.observation;
  const memory = learn(openMemory(input.memory), input);
  const heard = memory.lines.filter((line) => / (?:said|announced) to /.test(line));
  const evidence = { scene: null, lines: memory.lines, heard };
  const live = agreeing(task, [...task.hypotheses.keys()], evidence);
  const definition = gridOf(known(task.hypotheses[guess(task, live)], 'guess'));
  const { things, doors } = definition;
  const nameOf = (id: string): string => [...things, ...doors].find((one) => one.id === id)?.name ?? id;
  const choose: Choose = (alternatives, about) =>
    pick(stream(task.seed, `text-only:${task.agent}:${about}`), alternatives).value;
  const acts = actsFor(definition, task.agent, goalOf(definition, task.agent), choose)
    .filter(({ verb }) => scope.includes(verb))
    .map((act) => commandOf({ ...act, rest: '' }, nameOf));
  const told =
    task.others.length > 0 ? sayable(task, live).map((text) => `SPEAK ${JSON.stringify(text)}`) : [];
  const [news] = told.filter((act) => scope.includes('SPEAK') && !memory.done.includes(act));
  const command = news ?? chooseCommand(task, memory, acts, input);
  const kept: Memory = { ...memory, given: memory.given + 1, last: { command, turn: input.turn } };
  return { wish: { command, why: 'I can only try.' }, memory: kept as unknown as Json };
};

function openMemory(memory: Json): Memory {
  const isOurs = typeof memory === 'object' && memory !== null && 'kind' in memory;
  return isOurs ? (memory as unknown as Memory) : FIRST;
}

/** Where it is now, and what its last command came to, by what it was told. */
function learn(memory: Memory, { observation: { sections }, turn, attempt }: ControllerInput): Memory {
  const { last } = memory;
  const lines = sections.flatMap((section) => (section.isPictured === true ? [] : section.lines));
  const now: Memory = { ...memory, lines: [...new Set([...memory.lines, ...lines])] };
  if (last === null) return now;
  const result = sections.find(({ id }) => id === 'last')?.lines ?? [];
  // Whoever waits without having chosen to was refused.
  const isRefused =
    (attempt > 1 && last.turn === turn) ||
    result.some((line) => /not possible|can't/.test(line) || (line === WAITED && last.command !== 'WAIT'));
  const [verb, way] = last.command.split(' ');
  const heading = CARDINALS.find((one) => verb === 'GO' && one === way) ?? now.heading;
  const ahead = moved(memory, heading);
  const visits = (count: number) => ({ ...now.visits, [keyOf(ahead)]: count });
  const before = now.visits[keyOf(ahead)] ?? 0;
  if (verb === 'GO') {
    const here = isRefused ? {} : ahead;
    const count = before + (isRefused ? REFUSAL_VISITS : 1);
    return { ...now, ...here, heading, hasBumped: isRefused, visits: visits(count) };
  }
  if (isRefused) return { ...now, hasBumped: false };
  const done = [...now.done, last.command];
  return { ...now, hasBumped: false, done, visits: verb === 'OPEN' ? visits(0) : now.visits };
}

function chooseCommand(
  { seed, agent, turnsMax }: ReferenceTask,
  memory: Memory,
  acts: readonly string[],
  { turn, observation: { scope } }: ControllerInput,
): string {
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
  // What it walked into may be a door.
  if (memory.hasBumped && scope.includes('OPEN'))
    return `OPEN ${/the ([\w' -]+?) is closed/.exec(memory.lines.at(-1) ?? '')?.[1] ?? 'door'}`;
  const isTry = memory.given % STEPS_BETWEEN === 0 || !scope.includes('GO');
  if (isTry && tries.length > 0)
    return tries[Math.floor(memory.given / STEPS_BETWEEN) % tries.length] ?? 'WAIT';
  if (!scope.includes('GO')) return 'WAIT';
  const visits = (way: (typeof CARDINALS)[number]): number => memory.visits[keyOf(moved(memory, way))] ?? 0;
  const least = Math.min(...CARDINALS.map(visits));
  const best = CARDINALS.filter((way) => visits(way) === least);
  return `GO ${best.find((way) => way === memory.heading) ?? pick(stream(seed, `text-only:${agent}:${memory.given}`), best).value}`;
}

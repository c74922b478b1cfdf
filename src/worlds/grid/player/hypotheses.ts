/**
 * Which of the ways in which a scenario may have been drawn agree with what an agent has perceived: its goals, what
 * things are there and how they look, and what it was told, read or heard. If none does, the last ones stay.
 */
import type { Hypothesis, ReferenceTask } from '../../../agent/controllers/reference-player.js';
import { known } from '../../../base/assert.js';
import { nextUint32, stream } from '../../../base/rng.js';
import type { Scene } from '../../../environment/scene.js';
import { saysPhrase } from '../conditions.js';
import type { GridCondition, GridDefinition } from '../definition.js';
import { actsFor } from './acts.js';

/** What was perceived lately. */
export interface Evidence {
  scene: Scene | null;
  /** What it was told in words, and read. */
  lines: readonly string[];
  /** What others said. */
  heard: readonly string[];
}

export function gridOf({ definition }: Pick<Hypothesis, 'definition'>): GridDefinition {
  return definition as unknown as GridDefinition;
}

/** What an agent is to bring about: its own success, else that of the run. */
export function goalOf({ agents, success }: GridDefinition, agent: string): GridCondition | null {
  return agents.find(({ id }) => id === agent)?.success ?? success;
}

export function agreeing(
  { hypotheses }: ReferenceTask,
  indices: readonly number[],
  evidence: Evidence,
): readonly number[] {
  if (indices.length < 2) return indices;
  const live = indices.map((i) => {
    const one = known(hypotheses[i], `hypothesis ${i}`);
    return { ...one, i, grid: gridOf(one), texts: textsOf(one) };
  });
  const told = toldIn(live, evidence.lines);
  const values = heardValues(live, evidence.heard);
  const left = live.filter(
    ({ drawn, grid, texts }) =>
      told.every((text) => texts.has(text)) &&
      (evidence.scene?.things ?? []).every(({ id, sprite }) => hasSprite(grid, id, sprite)) &&
      values.every(([name, value]) => drawn[name] === value),
  );
  return (left.length > 0 ? left : live).map(({ i }) => i);
}

/** What the lines tell of all that may be told or read. */
export function toldIn(hypotheses: readonly Pick<Hypothesis, 'definition'>[], lines: readonly string[]) {
  const texts = new Set(hypotheses.flatMap((one) => [...textsOf(one)]));
  return [...texts].filter((text) => lines.some((line) => line.includes(text)));
}

/** All that may be told or read. */
function textsOf(one: Pick<Hypothesis, 'definition'>): ReadonlySet<string> {
  const { triggers = [], things, rooms } = gridOf(one);
  const told = triggers.flatMap(({ effects }) =>
    effects.flatMap((effect) => (effect.kind === 'tell' ? [effect.text] : [])),
  );
  const written = things.flatMap(({ text, description }) => [text ?? '', description]);
  const described = rooms.map(({ description }) => description);
  return new Set([...told, ...written, ...described].filter((text) => text !== ''));
}

/** Of things whose look never changes. */
function hasSprite({ things }: GridDefinition, id: string, sprite: string): boolean {
  const thing = things.find((one) => one.id === id);
  return thing === undefined || thing.work !== null || thing.container !== null || thing.sprite === sprite;
}

type Drawings = readonly Pick<Hypothesis, 'drawn'>[];

/** What is left of a draw. */
function valuesOf(live: Drawings, name: string): readonly (string | number)[] {
  return [...new Set(live.flatMap(({ drawn }) => drawn[name] ?? []))];
}

/** The drawn values that somebody said: a word that only one value of one open draw has. */
function heardValues(live: Drawings, heard: readonly string[]) {
  const open = Object.keys(live[0]?.drawn ?? {}).filter((name) => valuesOf(live, name).length > 1);
  const values = open.flatMap((name) => valuesOf(live, name).map((value) => [name, value] as const));
  return heard.flatMap((text) => {
    const said = values.filter(([, value]) => saysPhrase(text, String(value)));
    return said.length === 1 ? said : [];
  });
}

/** What the agent knows of a draw and others may not, as it says it: what it was told in its goals, or found out. */
export function sayable({ hypotheses, told }: ReferenceTask, indices: readonly number[]): readonly string[] {
  const live = indices.flatMap((i) => hypotheses[i] ?? []);
  const isTold = (name: string): boolean => told.has(name.split('.', 1)[0] ?? name);
  return Object.entries(live[0]?.drawn ?? {})
    .filter(([name]) => isTold(name) || valuesOf(hypotheses, name).length > 1)
    .filter(([name]) => valuesOf(live, name).length === 1)
    .map(([name, value]) => (name === '' ? String(value) : `${name.replaceAll(/[._-]/g, ' ')} is ${value}.`));
}

/**
 * With the alternatives of the goal of several players as ways in which the scenario may have been drawn, if nothing is
 * drawn: what the players have to do in each, and the facts, which none of them makes true, that tell which is right.
 * The value that is drawn is what they have to name.
 */
export function withAlternatives(task: ReferenceTask) {
  const [only, ...more] = task.hypotheses;
  if (only === undefined || more.length > 0 || task.others.length === 0) return { task, facts: [] };
  const definition = gridOf(only);
  const { success } = definition;
  const isDone = (part: GridCondition): boolean =>
    [task.agent, ...task.others].some((agent) => actsFor(definition, agent, part).length > 0);
  const alternatives = (success?.kind === 'any' ? success.of : []).map((one) => {
    const parts = one.kind === 'all' ? one.of : [one];
    const goal: GridCondition = { kind: 'all', of: parts.filter(isDone) };
    const [word] = [task.agent, ...task.others].flatMap((agent) => actsFor(definition, agent, goal));
    const name = definition.things.find(({ id }) => id === word?.object)?.name ?? word?.object ?? '';
    const hypothesis: Hypothesis = {
      drawn: { '': name },
      definition: { ...definition, success: goal } as never,
    };
    return { hypothesis, facts: parts.filter((part) => !isDone(part)) };
  });
  if (alternatives.length < 2 || alternatives.some(({ facts }) => facts.length === 0))
    return { task, facts: [] };
  return {
    task: { ...task, hypotheses: alternatives.map(({ hypothesis }) => hypothesis) },
    facts: alternatives.map(({ facts }): GridCondition => ({ kind: 'all', of: facts })),
  };
}

/** The one that it takes for true if nothing decides: the same until it is refuted. */
export function guess({ seed, agent }: ReferenceTask, indices: readonly number[]): number {
  const weight = (i: number): number => nextUint32(stream(seed, `guess:${agent}:${i}`)).value;
  return [...indices].sort((a, b) => weight(a) - weight(b))[0] ?? 0;
}

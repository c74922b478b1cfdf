/**
 * Which of the ways in which a scenario may have been drawn agree with what an agent has perceived: its goals, what
 * things are there and how they look, and what it was told, read or heard. If none does, the last ones stay.
 */
import type { Hypothesis, ReferenceTask } from '../../../agent/controllers/reference-player.js';
import { known } from '../../../base/assert.js';
import { nextUint32, pick, stream } from '../../../base/rng.js';
import type { Scene } from '../../../environment/scene.js';
import { saysPhrase } from '../conditions.js';
import type { GridCondition, GridDefinition } from '../definition.js';
import type { Choose } from './acts.js';

/** What was perceived lately. */
export interface Evidence {
  /** With the name of each where it is seen. */
  seen: readonly { id: string; name: string }[];
  scene: Scene | null;
  /** What it was told in words, and read. */
  lines: readonly string[];
  /** What others said. */
  heard: readonly string[];
  /** Whether it has looked everywhere, so that it has seen what lies about. */
  hasSeenAll: readonly string[] | null;
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
      evidence.seen.every(({ id, name }) => looksRight(grid, id, name)) &&
      (evidence.scene?.things ?? []).every(({ id, sprite }) => hasSprite(grid, id, sprite)) &&
      values.every(([name, value]) => drawn[name] === value),
  );
  // What was seen nowhere may be out of reach, so it refutes only some of the rest.
  const complete = left.filter(({ grid }) => !isMissed(grid, evidence.hasSeenAll));
  const [best = live] = [complete, left].filter((some) => some.length > 0);
  return best.map(({ i }) => i);
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

function looksRight({ things, npcs, agents, doors }: GridDefinition, id: string, name: string): boolean {
  const thing = things.find((one) => one.id === id);
  if (thing === undefined)
    return [...npcs, ...agents, ...doors].some((one) => one.id === id) || /\d$/.test(id);
  return thing.name === name || thing.work !== null;
}

/** Of things whose look never changes. */
function hasSprite({ things }: GridDefinition, id: string, sprite: string): boolean {
  const thing = things.find((one) => one.id === id);
  return thing === undefined || thing.work !== null || thing.container !== null || thing.sprite === sprite;
}

/** Whether something that lies about from the start, and that nobody carries off, was seen nowhere. */
function isMissed({ things }: GridDefinition, seen: readonly string[] | null): boolean {
  if (seen === null) return false;
  return things.some(
    ({ id, place, absent, portable }) =>
      place.at === 'tile' && absent !== true && !portable && !seen.includes(id),
  );
}

/** The drawn values that somebody said: a word that only one value of one open draw has. */
function heardValues(
  live: readonly Pick<Hypothesis, 'drawn'>[],
  heard: readonly string[],
): readonly (readonly [string, string | number])[] {
  return heard.flatMap((text) => {
    const found = openDraws(live).flatMap(([name, values]) =>
      values.filter((value) => saysPhrase(text, String(value))).map((value) => [name, value] as const),
    );
    const named = found.filter(([name]) => saysPhrase(text, spokenName(name)));
    const meant = named.length > 0 ? named : found;
    return meant.length === 1 ? meant : [];
  });
}

/** The draws that are not decided, with the values that are left. */
export function openDraws(
  live: readonly Pick<Hypothesis, 'drawn'>[],
): readonly (readonly [string, readonly (string | number)[]])[] {
  return Object.keys(live[0]?.drawn ?? {})
    .map((name) => [name, [...new Set(live.flatMap(({ drawn }) => drawn[name] ?? []))]] as const)
    .filter(([, values]) => values.length > 1);
}

export function spokenName(name: string): string {
  return name.replaceAll(/[._-]/g, ' ');
}

/** What the agent knows of a draw and others may not, as it says it: what it was told in its goals, or found out. */
export function sayable({ hypotheses, told }: ReferenceTask, indices: readonly number[]): readonly string[] {
  const live = indices.flatMap((i) => hypotheses[i] ?? []);
  const open = (of: readonly Hypothesis[]): readonly string[] => openDraws(of).map(([name]) => name);
  const isTold = (name: string): boolean => told.has(name.split('.', 1)[0] ?? name);
  return Object.entries(live[0]?.drawn ?? {})
    .filter(([name]) => isTold(name) || open(hypotheses).includes(name))
    .filter(([name]) => !open(live).includes(name))
    .map(([name, value]) => `${spokenName(name)} is ${value}.`);
}

/** The one that it takes for true if nothing decides: the same until it is refuted. */
export function guess({ seed, agent }: ReferenceTask, indices: readonly number[]): number {
  const weight = (i: number): number => nextUint32(stream(seed, `guess:${agent}:${i}`)).value;
  return [...indices].sort((a, b) => weight(a) - weight(b))[0] ?? 0;
}

/** One of several alternatives of a goal, always the same. */
export function chooseBy({ seed, agent }: ReferenceTask): Choose {
  return (alternatives, about) =>
    alternatives.length === 0 ? [] : [pick(stream(seed, `text-only:${agent}:${about}`), alternatives).value];
}

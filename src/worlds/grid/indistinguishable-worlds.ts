/**
 * Worlds that agents can't distinguish from the real one before they have read, heard or tried something. In
 * these worlds, things that differ only in a word of their names and in how they are drawn (the red lever,
 * the green lever) have exchanged their effects, and texts that name one of them name the other instead.
 * There is one for each rotation of a group. What agents see at the start is the same in all of them.
 */
import type { Json, JsonObject } from '../../base/json.js';
import type { GridDefinition, ThingDefinition } from './definition.js';

/** One of several things, such as levers, that differ only in a word or a few words of their names. */
interface LookalikeThing {
  thing: ThingDefinition;
  /** Such as "green"; no two have the same. */
  mark: string;
}

/**
 * The worlds in which the effects within one group of lookalikes are rotated; none if nothing looks alike.
 */
export function indistinguishableFrom(definition: GridDefinition): readonly GridDefinition[] {
  return lookalikeGroups(definition).flatMap((group) =>
    group.slice(1).map((_, shift) => rotateEffects(definition, group, shift + 1)),
  );
}

/**
 * Texts that name one of several lookalikes, in the definition's order: they are worth saying to other
 * agents.
 */
export function distinguishingTexts(definition: GridDefinition): readonly string[] {
  const cached = textsByDefinition.get(definition);
  if (cached !== undefined) return cached;
  const marks = lookalikeGroups(definition).flatMap((group) => group.map(({ mark }) => mark));
  const texts = definition.things.flatMap(({ text }) => (text === null ? [] : [text]));
  const distinguishing = texts.filter((text) => marks.some((mark) => wordPattern([mark]).test(text)));
  textsByDefinition.set(definition, distinguishing);
  return distinguishing;
}

const textsByDefinition = new WeakMap<GridDefinition, readonly string[]>();

/** Groups of things that are worked with bare hands and differ only in the mark in their names. */
function lookalikeGroups({ things }: GridDefinition): readonly (readonly LookalikeThing[])[] {
  const groups: ThingDefinition[][] = [];
  for (const thing of things) {
    if (thing.work === null || thing.work.tool !== null) continue;
    const group = groups.find(([first]) => first !== undefined && areAlike(first, thing));
    if (group === undefined) groups.push([thing]);
    else group.push(thing);
  }
  return groups
    .map((group) => group.map((thing) => ({ thing, mark: distinguishingMark(thing, group) })))
    .filter(isAmbiguous);
}

/** Whether the things of a group have marks and different effects, so that it matters which is which. */
function isAmbiguous(group: readonly LookalikeThing[]): boolean {
  const effects = new Set(group.map(({ thing }) => JSON.stringify(thing.work?.effect)));
  return group.length > 1 && effects.size > 1 && group.every(({ mark }) => mark !== '');
}

/** Each keeps its own tile in every world, so that the tile tells nothing about the effect. */
function areAlike(a: ThingDefinition, b: ThingDefinition): boolean {
  const [markA, markB] = [distinguishingMark(a, [a, b]), distinguishingMark(b, [a, b])];
  const isSame = (['portable', 'pushable', 'blocking', 'opaque', 'text'] as const).every(
    (key) => a[key] === b[key],
  );
  const hasSameDescription = swapWords(a.description, new Map([[markA, markB]])) === b.description;
  return isSame && markA !== '' && markB !== '' && hasSameDescription && a.work?.turns === b.work?.turns;
}

/**
 * The words at which a thing's name differs from the names of the group: what is left without the common
 * start and end.
 */
function distinguishingMark({ name }: ThingDefinition, group: readonly ThingDefinition[]): string {
  const names = group.map((one) => one.name.split(' '));
  const ownWords = name.split(' ');
  const isCommon = (at: number): boolean => names.every((words) => words.at(at) === ownWords.at(at));
  let [start, end] = [0, 0];
  while (start < ownWords.length && isCommon(start)) start += 1;
  while (end < ownWords.length - start && isCommon(-1 - end)) end += 1;
  return ownWords.slice(start, ownWords.length - end).join(' ');
}

/** The world in which each thing of the group has the effect of the one `shift` places further on. */
function rotateEffects(
  definition: GridDefinition,
  group: readonly LookalikeThing[],
  shift: number,
): GridDefinition {
  const sourceOf = (at: number): LookalikeThing | undefined => group[(at + shift) % group.length];
  const ids = new Map(group.map(({ thing }, at) => [sourceOf(at)?.thing.id ?? '', thing.id]));
  const marks = new Map(group.map(({ mark }, at) => [sourceOf(at)?.mark ?? '', mark]));
  const swaps = { ids, marks };
  const things = definition.things.map((thing): ThingDefinition => {
    const at = group.findIndex((one) => one.thing.id === thing.id);
    const work = at === -1 ? thing.work : (sourceOf(at)?.thing.work ?? null);
    const text = thing.text === null ? null : swapWords(thing.text, marks);
    return { ...thing, text, work: swapReferences(work, swaps) };
  });
  const { success, failure, triggers } = swapReferences(
    { success: definition.success, failure: definition.failure, triggers: definition.triggers ?? [] },
    swaps,
  );
  const agents = definition.agents.map((agent) => ({
    ...agent,
    ...(agent.success === undefined ? {} : { success: swapReferences(agent.success, swaps) }),
    ...(agent.failure === undefined ? {} : { failure: swapReferences(agent.failure, swaps) }),
  }));
  return { ...definition, agents, things, success, failure, triggers };
}

interface SwappedIds {
  ids: ReadonlyMap<string, string>;
  marks: ReadonlyMap<string, string>;
}

function swapReferences<T>(value: T, swaps: SwappedIds): T {
  // Definitions are JSON, and replacing strings keeps their shape.
  return swapInJson(value as Json, swaps) as T;
}

function swapInJson(value: Json, swaps: SwappedIds): Json {
  if (typeof value === 'string') return swaps.ids.get(value) ?? swapWords(value, swaps.marks);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((each: Json) => swapInJson(each, swaps));
  const record = value as JsonObject;
  return Object.fromEntries(Object.entries(record).map(([key, each]) => [key, swapInJson(each, swaps)]));
}

function swapWords(text: string, marks: ReadonlyMap<string, string>): string {
  return text.replace(wordPattern([...marks.keys()]), (word) => marks.get(word) ?? word);
}

/** Matches these words as whole words, case-sensitively. */
function wordPattern(words: readonly string[]): RegExp {
  const escaped = words.map((word) => word.replace(/[$()*+.?[\\\]^{|}-]/g, String.raw`\$&`));
  return new RegExp(String.raw`(?<![0-9A-Za-z])(?:${escaped.join('|')})(?![0-9A-Za-z])`, 'g');
}

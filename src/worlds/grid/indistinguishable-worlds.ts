/**
 * Worlds that agents can't distinguish from the real one before they have read, heard or tried something:
 * things that look alike except for a word of their names (the red lever, the green lever) have swapped their
 * effects, and texts about them name the other. In: a definition; out: one more definition for each
 * permutation. What agents see at the start is the same in all of them.
 */
import type { Json, JsonObject } from '../../base/json.js';
import type { AgentDefinition, GridDefinition, ThingDefinition } from './definition.js';

/** Levers and the like, by the one word (or few) in which their names differ. */
interface LookalikeThing {
  readonly thing: ThingDefinition;
  /** Such as "green"; no two have the same. */
  readonly mark: string;
}

/** One for each way to hand on what the alike things do, the real one left out; none if nothing is alike. */
export function twinsOf(definition: GridDefinition): readonly GridDefinition[] {
  return groupsOf(definition).flatMap((group) =>
    group.slice(1).map((_, shift) => turned(definition, group, shift + 1)),
  );
}

/**
 * Texts that name a thing that looks like others: an agent that has read one has something to tell. In the
 * definition's order.
 */
export function tellingTexts(definition: GridDefinition): readonly string[] {
  const before = textsFound.get(definition);
  if (before !== undefined) return before;
  const marks = groupsOf(definition).flatMap((group) => group.map(({ mark }) => mark));
  const texts = definition.things.flatMap(({ text }) => (text === null ? [] : [text]));
  const telling = texts.filter((text) => marks.some((mark) => wordPattern([mark]).test(text)));
  textsFound.set(definition, telling);
  return telling;
}

const textsFound = new WeakMap<GridDefinition, readonly string[]>();

/** Worked with bare hands, with the same appearance and text except for the mark in its name. */
function groupsOf({ things }: GridDefinition): readonly (readonly LookalikeThing[])[] {
  const groups: ThingDefinition[][] = [];
  for (const thing of things) {
    if (thing.work === null || thing.work.tool !== null) continue;
    const group = groups.find(([first]) => first !== undefined && areAlike(first, thing));
    if (group === undefined) groups.push([thing]);
    else group.push(thing);
  }
  return groups.map((group) => group.map((thing) => ({ thing, mark: markIn(thing, group) }))).filter(isOpen);
}

/** Whether there is anything to distinguish: several marks with different effects. */
function isOpen(group: readonly LookalikeThing[]): boolean {
  const doings = new Set(group.map(({ thing }) => JSON.stringify(thing.work?.effect)));
  return group.length > 1 && doings.size > 1 && group.every(({ mark }) => mark !== '');
}

function areAlike(one: ThingDefinition, other: ThingDefinition): boolean {
  const [here, there] = [markIn(one, [one, other]), markIn(other, [one, other])];
  const isSame = (['sprite', 'portable', 'pushable', 'blocking', 'opaque', 'text'] as const).every(
    (key) => one[key] === other[key],
  );
  const isSaidAlike = exchanged(one.description, new Map([[here, there]])) === other.description;
  return isSame && here !== '' && there !== '' && isSaidAlike && one.work?.turns === other.work?.turns;
}

/** The words of its name that the others' names don't have, at the one place where they differ. */
function markIn({ name }: ThingDefinition, group: readonly ThingDefinition[]): string {
  const names = group.map((one) => one.name.split(' '));
  const own = name.split(' ');
  const isShared = (at: number): boolean => names.every((words) => words.at(at) === own.at(at));
  let [start, end] = [0, 0];
  while (start < own.length && isShared(start)) start += 1;
  while (end < own.length - start && isShared(-1 - end)) end += 1;
  return own.slice(start, own.length - end).join(' ');
}

/** Each does what the one so many places on does in the real world. */
function turned(definition: GridDefinition, group: readonly LookalikeThing[], shift: number): GridDefinition {
  const next = (at: number): LookalikeThing | undefined => group[(at + shift) % group.length];
  const ids = new Map(group.map(({ thing }, at) => [next(at)?.thing.id ?? '', thing.id]));
  const marks = new Map(group.map(({ mark }, at) => [next(at)?.mark ?? '', mark]));
  const things = definition.things.map((thing): ThingDefinition => {
    const at = group.findIndex((one) => one.thing.id === thing.id);
    const work = at === -1 ? thing.work : (next(at)?.thing.work ?? null);
    const text = thing.text === null ? null : exchanged(thing.text, marks);
    return { ...thing, text, work: translated(work, { ids, marks }) };
  });
  const { success, failure, triggers } = translated(
    { success: definition.success, failure: definition.failure, triggers: definition.triggers ?? [] },
    { ids, marks },
  );
  const agents = definition.agents.map((agent) => ({ ...agent, ...ownConditions(agent, { ids, marks }) }));
  return { ...definition, agents, things, success, failure, triggers };
}

function ownConditions(
  { success, failure }: AgentDefinition,
  exchange: SwappedIds,
): Pick<AgentDefinition, 'success' | 'failure'> {
  return {
    ...(success === undefined ? {} : { success: translated(success, exchange) }),
    ...(failure === undefined ? {} : { failure: translated(failure, exchange) }),
  };
}

interface SwappedIds {
  readonly ids: ReadonlyMap<string, string>;
  readonly marks: ReadonlyMap<string, string>;
}

/** The same with every id and every mark of the group traded. */
function translated<T>(value: T, exchange: SwappedIds): T {
  // Definitions are JSON, and what is traded keeps its shape.
  return traded(value as Json, exchange) as T;
}

function traded(value: Json, exchange: SwappedIds): Json {
  if (typeof value === 'string') return exchange.ids.get(value) ?? exchanged(value, exchange.marks);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((each: Json) => traded(each, exchange));
  const record = value as JsonObject;
  return Object.fromEntries(Object.entries(record).map(([key, each]) => [key, traded(each, exchange)]));
}

function exchanged(text: string, marks: ReadonlyMap<string, string>): string {
  return text.replace(wordPattern([...marks.keys()]), (word) => marks.get(word) ?? word);
}

/** Whole words, as they are written. */
function wordPattern(words: readonly string[]): RegExp {
  const escaped = words.map((word) => word.replace(/[$()*+.?[\\\]^{|}-]/g, String.raw`\$&`));
  return new RegExp(String.raw`(?<![0-9A-Za-z])(?:${escaped.join('|')})(?![0-9A-Za-z])`, 'g');
}

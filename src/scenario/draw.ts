/**
 * `draw`: values that the seed chooses before a scenario is checked, and `{{name}}`, where its texts, ids and
 * numbers have them. Each name has a stream of its own, so that one more changes no other. In a scenario
 * without `draw`, braces are text; templates of prompts are other files, whose placeholders are their own.
 */
import { isRecord, type Json } from '../base/json.js';
import { LIMITS } from '../base/limits.js';
import { pick, shuffled, stream } from '../base/rng.js';
import { withoutFloats } from './decimals.js';
import { PARSE_ONCE } from './parse-once.js';
import { childOf } from './records.js';
import type { MistakePlace, MistakeReport } from './report.js';
import type { Drawn, DrawnScalar, DrawnValue, DrawSpec } from './scenario.js';
import { DEFAULT_SEED, drawSchema } from './schema.js';
import { suggest } from './suggest.js';
import { isForbiddenKey } from './tree.js';
import type { YamlPath } from './tree.js';

export interface Draw {
  name: string;
  values: readonly DrawnValue[];
  isShuffle: boolean;
}

/** The draws of a scenario as it was written; null if it has none, or none that are valid. */
export function drawsOf(value: Json): readonly Draw[] | null {
  const draws = drawSchema.safeParse(childOf(value, 'draw'), PARSE_ONCE).data;
  if (draws === undefined) return null;
  return Object.entries(draws).map(([name, list]) => {
    return Array.isArray(list)
      ? { name, values: list, isShuffle: false }
      : { name, values: list.shuffle, isShuffle: true };
  });
}

export function drawnBySeed(draws: readonly Draw[], seed: string): Drawn {
  return drawnBy(draws, ({ name, values, isShuffle }) => {
    const random = stream(seed, `draw:${name}`);
    return (isShuffle ? shuffled(random, values) : pick(random, values)).value;
  });
}

/** Draws which together have every value of every list, a shuffled one at every place. */
export function coveringDraws(draws: readonly Draw[]): readonly Drawn[] {
  const count = Math.max(0, ...draws.map(({ values }) => values.length));
  return Array.from({ length: count }, (_, i) =>
    drawnBy(draws, ({ values, isShuffle }) => {
      const first = i % values.length;
      return isShuffle ? [...values.slice(first), ...values.slice(0, first)] : (values[first] as DrawnValue);
    }),
  );
}

/** Everything that some seed may draw for these names; null if that is more than `most`. */
export function allDraws(
  draws: readonly Draw[],
  most: number = LIMITS.drawCombinations,
): readonly Drawn[] | null {
  let combined: readonly Drawn[] = [{}];
  for (const { name, values, isShuffle } of draws) {
    const distinct = [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
    const room = most / combined.length;
    const choices = isShuffle ? permutations(values, room) : distinct;
    if (choices.length > room) return null;
    combined = combined.flatMap((drawn) => choices.map((value) => ({ ...drawn, [name]: value })));
  }
  return combined;
}

/** All orders of a list, or more than `most` of them. */
function permutations<T>(list: readonly T[], most: number): readonly (readonly T[])[] {
  let orders: readonly (readonly T[])[] = [[]];
  for (const [i, value] of list.entries()) {
    orders = orders.flatMap((order) =>
      Array.from({ length: i + 1 }, (_, at) => [...order.slice(0, at), value, ...order.slice(at)]),
    );
    if (orders.length > most) break;
  }
  return orders;
}

function drawnBy(draws: readonly Draw[], choose: (draw: Draw) => Drawn[string]): Drawn {
  return Object.fromEntries(draws.map((draw) => [draw.name, choose(draw)]));
}

/** What can stand in braces, with its value: `colour`, `key.word`, `name.1`, `name.1.word`. */
export function namedValues(drawn: Drawn): ReadonlyMap<string, DrawnScalar> {
  const valuesOf = (name: string, value: Drawn[string]): readonly (readonly [string, DrawnScalar])[] => {
    if (typeof value !== 'object') return [[name, value]];
    const parts: readonly (readonly [string, DrawnValue])[] = Array.isArray(value)
      ? value.map((one: DrawnValue, i) => [String(i + 1), one])
      : Object.entries(value);
    return parts.flatMap(([part, one]) => valuesOf(`${name}.${part}`, one));
  };
  return new Map(Object.entries(drawn).flatMap(([name, value]) => valuesOf(name, value)));
}

const PLACEHOLDER = /\{\{([^{}\n]*)\}\}/g;
const ONLY_PLACEHOLDER = /^\{\{([^{}\n]*)\}\}$/;

/** The names of draws in a scenario before the draw; only its texts and keys can have two braces in a row. */
export function usedNames(value: Json): ReadonlySet<string> {
  const names = [...JSON.stringify(value).matchAll(PLACEHOLDER)].map(({ 1: name = '' }) => name.trim());
  return new Set(names.map((name) => name.split('.', 1)[0] ?? name));
}

/** A text with the values of these names in place of their braces. */
export function withNamed(text: string, values: ReadonlyMap<string, DrawnScalar>): string {
  return text.replace(PLACEHOLDER, (braces, name: string) => String(values.get(name.trim()) ?? braces));
}

/** Chooses what is drawn. */
export type ChooseDrawn = (draws: readonly Draw[], seed: string) => Drawn;

export interface FilledDraw {
  value: Json;
  /** Paths of the values with a draw that could not be filled in. */
  failedPaths: YamlPath[];
  drawn: Drawn;
  /** As the effective scenario has it; absent without draws. */
  draw?: DrawSpec;
  /** A key of the file as it is in `value`; absent without draws. */
  drawnKey?: (written: string) => string;
}

/**
 * The scenario's value with the drawn values at their places, except in `draw` itself and in `seed`, which
 * decides what is drawn. If `draw` has mistakes, which its schema reports, every place fails silently.
 */
export function withDrawn(
  value: Json,
  { seed, choose, report }: { seed: string | undefined; choose: ChooseDrawn; report: MistakeReport },
): FilledDraw {
  const failedPaths: YamlPath[] = [];
  if (childOf(value, 'draw') === undefined) return { value, failedPaths, drawn: {} };
  const draws = drawsOf(value);
  const seedInFile = childOf(value, 'seed');
  // Another kind of value is a mistake, which the schema reports.
  const ownSeed =
    typeof seedInFile === 'string' || typeof seedInFile === 'number' ? seedInFile : DEFAULT_SEED;
  const drawn = choose(draws ?? [], seed ?? String(ownSeed));
  const values = namedValues(drawn);
  let room = LIMITS.scenarioBytes;

  const drawnKey = (text: string): string => withNamed(text, values);
  const filledText = (text: string, path: YamlPath, at: MistakePlace): DrawnScalar => {
    const names = [...text.matchAll(PLACEHOLDER)].map(({ 1: name = '' }) => name.trim());
    if (names.length === 0) return text;
    const unknown = names.find((name) => !values.has(name));
    for (const one of [text, ...names.map((name) => String(values.get(name) ?? ''))]) room -= one.length;
    if (draws !== null && path[0] === 'seed')
      report.error(at, 'the seed decides what is drawn, so nothing drawn can be part of it');
    else if (draws !== null && unknown !== undefined)
      report.error(at, `nothing is drawn for {{${unknown.slice(0, 40)}}}`, () =>
        suggest(unknown, [...values.keys()]),
      );
    else if (draws !== null && room < 0) report.error(at, 'the drawn values make the scenario too large');
    else if (draws !== null)
      return values.get(ONLY_PLACEHOLDER.exec(text)?.[1]?.trim() ?? '') ?? drawnKey(text);
    failedPaths.push(path);
    return text;
  };

  const fill = (each: Json, path: YamlPath): Json => {
    if (typeof each === 'string') return filledText(each, path, path);
    if (Array.isArray(each)) return each.map((one: Json, i) => fill(one, [...path, i]));
    if (!isRecord<Json>(each)) return each;
    const record: Record<string, Json> = {};
    for (const [written, child] of Object.entries(each)) {
      if (path.length === 0 && written === 'draw') {
        record[written] = child;
        continue;
      }
      const at = [...path, written];
      const key = String(filledText(written, at, { key: at }));
      if (isForbiddenKey(key)) report.error({ key: at }, `'${key}' is not a valid key`);
      else if (Object.hasOwn(record, key)) report.error({ key: at }, `the draw makes the key '${key}' twice`);
      else record[key] = fill(child, [...path, key]);
    }
    return record;
  };
  const filled = fill(value, []);
  if (draws === null) return { value: filled, failedPaths, drawn, drawnKey };
  const used = usedNames(value);
  for (const { name } of draws) {
    if (used.has(name)) continue;
    report.warning(
      { key: ['draw', name] },
      `'${name}' is drawn, but not used`,
      `write {{${name}}} where its value belongs`,
    );
  }
  const draw = draws.length === 0 ? {} : { draw: { drawn, from: undrawn(value) } };
  return { value: filled, failedPaths, drawn, drawnKey, ...draw };
}

/** A scenario before its draw, as it is stored: without what no world depends on. */
function undrawn(value: Json): Json {
  const { models, prompt, render, ...world } = value as Readonly<Record<string, Json>>;
  const named = Object.keys(isRecord(models) ? models : {}).map((name) => [name, {}] as const);
  return withoutFloats({
    ...world,
    models: Object.fromEntries(named),
    ...(prompt === undefined ? {} : { prompt: without(prompt, 'templates') }),
    ...(render === undefined ? {} : { render: without(render, 'tileset') }),
  });
}

function without(section: Json, key: string): Json {
  if (!isRecord<Json>(section)) return section;
  const { [key]: _left, ...rest } = section;
  return rest;
}

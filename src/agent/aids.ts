/**
 * Optional aids added to an observation, each a switch of the scenario. They change the observation itself,
 * so text and picture still come from one source and the log contains what was really shown. They depend on
 * the observation alone (the legend on its scene alone), so they reveal nothing that the agent doesn't perceive.
 */
import { lookUp } from '../base/look-up.js';
import { canonicalJson } from '../base/canonical.js';
import { grouped } from '../base/grouped.js';
import { breakControlTokens, oneLine } from '../base/text.js';
import type { Json, JsonObject } from '../base/json.js';
import { pictured } from '../environment/numbers.js';
import type { Noun, Observation, Section } from '../environment/observation.js';
import { toldName } from '../environment/observation.js';
import { isShownAt, UNKNOWN } from '../environment/scene.js';
import type { Scene } from '../environment/scene.js';
import type { RenderSpec, Scenario } from '../scenario/scenario.js';

/** The sections that aids to the picture add, in this order. */
export const AID_SECTIONS = ['numbers', 'legend'] as const;

/** What the pictures of a run look like. */
export interface SpriteDescriptions {
  /** The tileset's description of a sprite or of a ground name in a scene; null if it has none. */
  describe(name: string): string | null;
}

/** The observation with every aid that the scenario switches on. */
export function aided(
  observation: Observation,
  { render, prompt }: Pick<Scenario, 'render' | 'prompt'>,
  descriptions: SpriteDescriptions | null,
): Observation {
  const shown = withAids(observation, render, descriptions);
  const { snapshot } = prompt;
  return snapshot === false
    ? shown
    : withSection(shown, 'snapshot', [snapshotLine(observation, snapshot === true ? null : snapshot)]);
}

/**
 * What the agent knows, as JSON on one line: these keys, or everything without the turn, which the prompt has
 * anyway, and without which situations can be compared, and without `seen`, which `noticed` tells in words.
 */
function snapshotLine({ facts, nouns }: Observation, keys: readonly string[] | null): string {
  const { turn: _turn, seen: _seen, ...all } = facts;
  const known =
    keys === null
      ? all
      : Object.fromEntries(
          keys.flatMap((key) => (Object.hasOwn(facts, key) ? [[key, lookUp(facts, key) ?? null]] : [])),
        );
  const names = namesById(facts, nouns);
  const { seen } = known;
  const told = withNamesForIds(
    seen === undefined ? known : { ...known, seen: withoutUnknownIds(seen, names) },
    names,
  );
  return `What you know, as JSON: ${breakControlTokens(oneLine(canonicalJson(told)))}`;
}

/** The names in texts of everything that the facts know by an id. */
function namesById(facts: Json, nouns: readonly Noun[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const collect = (value: Json): void => {
    if (typeof value !== 'object' || value === null) return;
    if (!Array.isArray(value)) {
      const { id, name } = value as JsonObject;
      if (typeof id === 'string' && typeof name === 'string') names.set(id, name);
    }
    Object.values(value).forEach(collect);
  };
  collect(facts);
  for (const noun of nouns) names.set(noun.id, toldName(noun));
  return names;
}

/** The same with a name for each id that is not this name in one word, because a model reads names everywhere. */
function withNamesForIds(value: Json, names: ReadonlyMap<string, string>): Json {
  if (typeof value === 'string') {
    const name = names.get(value);
    return name === undefined || inWords(name) === inWords(value) ? value : name;
  }
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((each: Json) => withNamesForIds(each, names));
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, withNamesForIds(each, names)]));
}

/** Keys of an event in `seen` whose values are ids. */
const EVENT_IDS: ReadonlySet<string> = new Set(['actor', 'target', 'receiver']);

/** Events with null for what is not known by a name any more, which only their line still names. */
function withoutUnknownIds(events: Json, names: ReadonlyMap<string, string>): Json {
  if (!Array.isArray(events)) return events;
  return events.map((event: Json) => {
    if (typeof event !== 'object' || event === null || Array.isArray(event)) return event;
    const entries = Object.entries(event).map(([key, value]) =>
      EVENT_IDS.has(key) && typeof value === 'string' && !names.has(value) ? [key, null] : [key, value],
    );
    return Object.fromEntries(entries) as JsonObject;
  });
}

function inWords(text: string): string {
  return text.toLowerCase().replaceAll(/[-_]/g, ' ');
}

/** The aids to the picture. `descriptions` is null if nothing is drawn: then there is no legend. */
export function withAids(
  observation: Observation,
  render: Pick<RenderSpec, 'marks' | 'legend' | 'channel'>,
  descriptions: SpriteDescriptions | null,
): Observation {
  const { agent, scene } = observation;
  const numbered = withMarks(observation, render);
  return render.legend && scene !== null && descriptions !== null && render.channel !== 'text'
    ? withSection(numbered, 'legend', legendLines(agent, scene, descriptions))
    : numbered;
}

function withSection(
  observation: Observation,
  id: (typeof AID_SECTIONS)[number] | 'snapshot',
  lines: readonly string[],
): Observation {
  const section: Section = { id, lines };
  return lines.length === 0 ? observation : { ...observation, sections: [...observation.sections, section] };
}

/** The observation with the numbers of its picture, if the scenario wants them. */
export function withMarks(
  observation: Observation,
  render: Pick<RenderSpec, 'marks' | 'channel'>,
): Observation {
  const { scene } = observation;
  if (scene === null || !render.marks || render.channel === 'text') return observation;
  const marked = pictured(observation);
  if (marked.length === 0) return observation;
  // One number per tile: all things on a tile share it.
  const tiles = grouped(marked, ({ x, y }) => `${x},${y}`);
  const marks = tiles.map(([{ x, y }], i) => ({ x, y, text: String(i + 1) }));
  const shown = { ...observation, scene: { ...scene, marks: [...scene.marks, ...marks] } };
  // What bears which number is told by the picture alone where nothing else may tell it.
  const isTold = observation.refusals !== 'plain';
  const lines = marked.map((one) => `${tiles.findIndex((tile) => tile.includes(one)) + 1}: ${one.name}`);
  return withSection(shown, 'numbers', [
    ...(isTold ? [`Numbers in the picture: ${lines.join('; ')}.`] : []),
    'In place of a name, you may write the number that something has in the picture.',
  ]);
}

/** Bodies and things first, then the ground; each appearance once. */
function legendLines(agent: string, scene: Scene, descriptions: SpriteDescriptions): readonly string[] {
  const things = scene.things
    .filter((thing) => isShownAt(scene, thing))
    .toSorted((a, b) => b.layer - a.layer)
    .map(({ id, name, sprite }) =>
      legendEntry(id === agent ? `${name} (you)` : name, descriptions.describe(sprite)),
    );
  const ground = groundNames(scene).map((name) => legendEntry(groundName(name), descriptions.describe(name)));
  const entries = [...new Set([...things, ...ground])].filter((line) => line !== null);
  return entries.length === 0 ? [] : ['In the picture:', ...entries];
}

/** Null if there is nothing to describe: no description, or one that only repeats the name. */
function legendEntry(name: string, description: string | null): string | null {
  const text = sanitize(description ?? '');
  if (text === '' || text.toLowerCase() === name.toLowerCase()) return null;
  return name === '' ? `- ${text}` : `- ${name}: ${text.replace(/^[^:]*:\s*(?=\S)/, '')}`;
}

/** The name of a ground class; '' for a tile such as an open door, which only its description names. */
function groundName(name: string): string {
  return name.includes('/') ? '' : sanitize(name.replaceAll('-', ' '));
}

/** A tileset may come from an untrusted source. */
function sanitize(text: string): string {
  return breakControlTokens(oneLine(text));
}

function groundNames({ legend, ground, visibility }: Scene): readonly string[] {
  const drawn = new Set(ground.filter((_, cell) => visibility[cell] !== UNKNOWN));
  return legend.filter((_, index) => drawn.has(index));
}

/**
 * Optional aids over an observation, each a switch of the scenario: what a model is given besides. They change the observation itself, so
 * text and picture still come from one source and the log holds what was really shown. Marks and legend know the scene alone, so they
 * tell nothing that the picture doesn't show; the snapshot is what the observation holds for programs.
 */
import { canonicalJson } from '../base/canonical.js';
import { breakControlTokens, escapeInvisible, oneLine } from '../base/text.js';
import type { Observation, Section } from '../environment/observation.js';
import { UNKNOWN } from '../environment/scene.js';
import type { Scene, SceneMark, SceneThing } from '../environment/scene.js';
import type { PromptSpec, RenderSpec, Scenario } from '../scenario/scenario.js';

/** The sections that aids add, in this order. */
export const AID_SECTIONS = ['numbers', 'legend', 'snapshot'] as const;

/** What the pictures of a run look like. */
export interface Looks {
  /** How a sprite or a name of a scene's ground looks, in a tileset's own words; null where it doesn't say. */
  describe(name: string): string | null;
}

/** The switches. */
export type Aids = Pick<RenderSpec, 'marks' | 'legend' | 'channel'> & Pick<PromptSpec, 'snapshot'>;

export function aidsOf({ render, prompt }: Pick<Scenario, 'render' | 'prompt'>): Aids {
  const { marks, legend, channel } = render;
  return { marks, legend, channel, snapshot: prompt.snapshot };
}

/** `looks` is null where nothing is drawn; then there is no picture to aid. */
export function withAids(observation: Observation, aids: Aids, looks: Looks | null): Observation {
  const pictured = withPictureAids(observation, aids, looks);
  return aids.snapshot ? withSection(pictured, 'snapshot', [snapshotLine(observation)]) : pictured;
}

function withPictureAids(observation: Observation, aids: Aids, looks: Looks | null): Observation {
  const { scene } = observation;
  if (scene === null || looks === null || aids.channel === 'text') return observation;
  const marked = aids.marks ? withMarks(observation, scene) : observation;
  return aids.legend ? withSection(marked, 'legend', legendLines(observation.agent, scene, looks)) : marked;
}

/** Speech and names in it are a stranger's, as everywhere. */
function snapshotLine({ facts }: Observation): string {
  return `The same as JSON: ${breakControlTokens(escapeInvisible(canonicalJson(facts)))}`;
}

function withSection(
  observation: Observation,
  id: (typeof AID_SECTIONS)[number],
  lines: readonly string[],
): Observation {
  const section: Section = { id, lines };
  return lines.length === 0 ? observation : { ...observation, sections: [...observation.sections, section] };
}

function withMarks(observation: Observation, scene: Scene): Observation {
  const marked = scene.things.filter((thing) => thing.id !== observation.agent);
  if (marked.length === 0) return observation;
  const shown = { ...observation, scene: { ...scene, marks: marksOn(scene, marked) } };
  return withSection(shown, 'numbers', numberLines(marked));
}

/** One number a tile: what lies on one tile shares the number of the first. */
function marksOn(scene: Scene, things: readonly SceneThing[]): readonly SceneMark[] {
  const numbers = numbersOf(things);
  const marks = things.map(({ x, y }) => ({ x, y, text: String(numbers.get(`${x},${y}`)) }));
  const first = new Map(marks.map((mark) => [`${mark.x},${mark.y}`, mark]));
  return [...scene.marks, ...first.values()];
}

function numberLines(things: readonly SceneThing[]): readonly string[] {
  const numbers = numbersOf(things);
  const lines = things.map(({ x, y, name }) => `${numbers.get(`${x},${y}`) ?? 0}: ${name}`);
  return [`Numbers in the picture: ${lines.join('; ')}.`];
}

function numbersOf(things: readonly SceneThing[]): ReadonlyMap<string, number> {
  const tiles = [...new Set(things.map(({ x, y }) => `${x},${y}`))];
  return new Map(tiles.map((tile, i) => [tile, i + 1]));
}

/** Bodies and things first, then the ground; each look once. */
function legendLines(agent: string, scene: Scene, looks: Looks): readonly string[] {
  const things = scene.things
    .filter((thing) => isKnown(scene, thing))
    .toSorted((a, b) => b.layer - a.layer)
    .map(({ id, name, sprite }) => entry(id === agent ? `${name} (you)` : name, looks.describe(sprite)));
  const ground = groundNames(scene).map((name) => entry(groundName(name), looks.describe(name)));
  const entries = [...new Set([...things, ...ground])].filter((line) => line !== null);
  return entries.length === 0 ? [] : ['In the picture:', ...entries];
}

/** Null where there is nothing to tell: no description, or one that only says the name. */
function entry(name: string, description: string | null): string | null {
  const whole = clean(description ?? '');
  if (whole === '' || whole.toLowerCase() === name.toLowerCase()) return null;
  return name === '' ? `- ${whole}` : `- ${name}: ${whole.replace(/^[^:]*:\s*(?=\S)/, '')}`;
}

/** A class by its words; a tile such as a door in one of its states is named by its description alone. */
function groundName(name: string): string {
  return name.includes('/') ? '' : clean(name.replaceAll('-', ' '));
}

/** A tileset may be a stranger's. */
function clean(text: string): string {
  return breakControlTokens(oneLine(text));
}

function groundNames({ legend, ground, visibility }: Scene): readonly string[] {
  const drawn = new Set(ground.filter((_, cell) => visibility[cell] !== UNKNOWN));
  return legend.filter((_, index) => drawn.has(index));
}

function isKnown({ width, height, ground, visibility }: Scene, { x, y }: SceneThing): boolean {
  if (x < 0 || y < 0 || x >= width || y >= height) return false;
  const cell = y * width + x;
  return (ground[cell] ?? -1) >= 0 && visibility[cell] !== UNKNOWN;
}

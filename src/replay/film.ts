/**
 * A logged run as a film: for each tick, the walks tile by tile, then the results, with speech over its
 * speakers and a line for each act. The worlds in between are replayed from the log (`state-at.ts`), one tick
 * at a time, so memory use does not grow with the film. Independent of the kind of world.
 */
import { LIMITS } from '../base/limits.js';
import { UsageError } from '../base/errors.js';
import { WORLD_ID, agentName } from '../base/ids.js';
import { lookUp } from '../base/look-up.js';
import type { Scene } from '../environment/scene.js';
import type { SpokenLine } from '../environment/spoken.js';
import type { RunRecord } from '../trajectory/records.js';
import { isSameRaster } from '../render/film-changes.js';
import type { FilmFrame } from '../render/film-frame.js';
import { drawSheet, planSheet } from '../render/film-sheet.js';
import type { Panel, SheetPlan } from '../render/film-sheet.js';
import type { Tileset } from '../render/tileset.js';
import { bubblesFor, speechIn } from './film-speech.js';
import type { LoggedStates, StatesSource } from './state-at.js';
import { ticksOf } from './ticks.js';
import type { StepsOfTick } from './ticks.js';
import { stepView } from './step-view.js';
import { sceneOnTheWay, walksOf } from './walks.js';
import { oneLine } from '../base/text.js';
import type { LogReader } from '../log/reader.js';
import type { Scenario } from '../scenario/scenario.js';

export interface FilmSource extends StatesSource {
  states: LoggedStates;
  tileset: Tileset;
}

export interface FilmOptions {
  /** Viewers side by side: agents, or null for the whole map. Never empty. */
  viewers: readonly (string | null)[];
  /** The first and last step, both included. */
  from: number;
  to: number;
}

const WALK_MS = 120;
const ACT_MS = 700;
const WORLD_MS = 200;
const SPEECH_MS = 1200;
const SPEECH_CHARACTER_MS = 35;
const SPEECH_MAX_MS = 6000;
const END_MS = 3000;
const CAPTION_LINES = 4;
const CAPTIONS_AT_ONCE = 6;

/** The maximum number of pictures of the film; throws UsageError if one file can't contain that many. */
export function checkLength(source: FilmSource, { from, to }: Pick<FilmOptions, 'from' | 'to'>): number {
  const { reader, run } = source;
  let frames = 1;
  for (const tick of ticksOf(reader.steps(run.runId, { from, to }), run.scenario.turns.order)) {
    frames += tilesOf(tick) + 1;
    if (frames <= LIMITS.filmFrames) continue;
    throw new UsageError(`the film would have more than ${LIMITS.filmFrames} pictures`, [
      `choose a part of the run: --from ${from} --to ${tick[0].step - 1}`,
    ]);
  }
  return frames;
}

/** Null if the environment draws nothing. */
export function planFilm(source: FilmSource, { viewers, from }: FilmOptions): SheetPlan | null {
  const scenes = scenesAt(source, viewers, from - 1);
  if (scenes === null) return null;
  const { turns, agents } = source.run.scenario;
  const lines = turns.order === 'sequential' ? CAPTION_LINES : Math.min(CAPTIONS_AT_ONCE, agents.length + 1);
  return planSheet(scenes, lines, source.tileset.art);
}

/** Consecutive pictures are never equal. */
export function* filmFrames(
  source: FilmSource,
  plan: SheetPlan,
  options: FilmOptions,
): Generator<FilmFrame, void> {
  let pending: FilmFrame | null = null;
  for (const shot of shots(source, options)) {
    if (shot.delayMs === 0) continue;
    const raster = drawSheet(plan, shot, source.tileset);
    if (pending !== null && isSameRaster(pending.raster, raster))
      pending = { raster, delayMs: pending.delayMs + shot.delayMs };
    else {
      if (pending !== null) yield pending;
      pending = { raster, delayMs: shot.delayMs };
    }
  }
  if (pending !== null) yield pending;
}

interface FilmShot {
  panels: readonly Panel[];
  captions: readonly string[];
  delayMs: number;
}

function* shots(source: FilmSource, options: FilmOptions): Generator<FilmShot, void> {
  const { reader, run, states } = source;
  const { viewers, from, to } = options;
  let before = scenesAt(source, viewers, from - 1) ?? [];
  yield { panels: panelsOf(source, options, before), captions: [run.scenario.title], delayMs: ACT_MS };
  // Including the rest of the last tick.
  const records = reader.steps(run.runId, { from, to: to + run.scenario.agents.length });
  for (const tick of ticksOf(records, run.scenario.turns.order)) {
    if (tick[0].step > to) break;
    const last = tick.at(-1)?.step ?? tick[0].step;
    const after = scenesAt({ ...source, states }, viewers, last) ?? before;
    yield* shotsOf(source, options, { tick, before, after });
    before = after;
  }
  const captions = endCaption(reader, run, to);
  if (captions.length > 0) yield { panels: panelsOf(source, options, before), captions, delayMs: END_MS };
}

interface FilmTick {
  tick: StepsOfTick;
  before: readonly Scene[];
  after: readonly Scene[];
}

function* shotsOf(source: FilmSource, options: FilmOptions, filmTick: FilmTick): Generator<FilmShot, void> {
  const { tick, before, after } = filmTick;
  const { viewers } = options;
  const walks = walksOf(tick);
  const captions = captionsOf(tick, source.run.scenario, viewers);
  const tiles = tilesOf(tick);
  for (let walkedTiles = 0; walkedTiles < tiles; walkedTiles++) {
    const scenes = viewers.map((viewer, i) => {
      const [old, fresh] = [before[i], after[i]];
      return old === undefined || fresh === undefined
        ? old
        : sceneOnTheWay({ before: old, after: fresh, walks, viewer }, walkedTiles);
    });
    const known = scenes.filter((scene) => scene !== undefined);
    yield { panels: panelsOf(source, options, known), captions, delayMs: WALK_MS };
  }
  const utterances = speechIn(tick);
  yield { panels: panelsOf(source, options, after, utterances), captions, delayMs: shotMs(tick, utterances) };
}

function tilesOf(tick: StepsOfTick): number {
  return walksOf(tick).reduce((most, { path }) => Math.max(most, path.length - 1), 0);
}

function shotMs([first]: StepsOfTick, utterances: readonly SpokenLine[]): number {
  // If nothing happened in the world, there is nothing to show.
  if (utterances.length === 0 && first.agent === WORLD_ID) return first.events.length === 0 ? 0 : WORLD_MS;
  if (utterances.length === 0) return ACT_MS;
  const characters = utterances.reduce((sum, { text }) => sum + text.length, 0);
  return Math.min(SPEECH_MAX_MS, SPEECH_MS + characters * SPEECH_CHARACTER_MS);
}

/** One for each scene. */
export function panelsOf(
  { run }: Pick<FilmSource, 'run'>,
  { viewers }: Pick<FilmOptions, 'viewers'>,
  scenes: readonly Scene[],
  utterances: readonly SpokenLine[] = [],
): readonly Panel[] {
  const names = Object.fromEntries(run.scenario.agents.map(({ id, name }) => [id, name]));
  return scenes.map((scene, i) => {
    const viewer = viewers[i] ?? null;
    const name = viewer === null ? '' : (lookUp(names, viewer) ?? viewer);
    // The marks of the whole map are the names of its rooms, which viewers of a film don't need.
    const title = viewers.length === 1 && viewer === null ? '' : viewer === null ? 'the whole map' : name;
    return {
      title,
      scene: viewer === null ? { ...scene, marks: [] } : scene,
      bubbles: bubblesFor(utterances, { scene, viewer, names }),
    };
  });
}

/** By viewer; null if the environment draws nothing. */
export function scenesAt(
  { states, environment }: FilmSource,
  viewers: FilmOptions['viewers'],
  step: number,
): readonly Scene[] | null {
  const { state } = states.at(step);
  const scenes = viewers.map((viewer) => environment.scene(state, viewer));
  const drawn = scenes.filter((scene) => scene !== null);
  return drawn.length === scenes.length ? drawn : null;
}

// The text below a film's picture: each agent's action and its result, and how the run ended.

/** Of the shown agents; of all agents if the whole map is shown. */
function captionsOf(
  tick: StepsOfTick,
  scenario: Scenario,
  viewers: readonly (string | null)[],
): readonly string[] {
  const shown = tick.filter(({ agent }) => viewers.includes(null) || viewers.includes(agent));
  const [first] = tick;
  if (first.agent === WORLD_ID) return [`Turn ${first.turn}, step ${first.step}`];
  const lines = shown.flatMap((record) => {
    const name = agentName(scenario.agents, record.agent);
    const act = stepView(record, { names: {} }).acts.at(-1);
    if (act === undefined) return [];
    const action = oneLine(`${name}: ${act.accepted?.words ?? act.intent?.action ?? 'nothing'}`);
    const outcome = oneLine(act.problem?.message ?? act.message);
    if (shown.length === 1) return [action, outcome];
    return [act.problem === null ? action : `${action} - ${outcome}`];
  });
  return tick.length === 1
    ? [`Turn ${first.turn}, step ${first.step}`, ...lines]
    : [`Turn ${first.turn}`, ...lines];
}

/** Nothing if the film stops before the run's end. */
function endCaption(reader: LogReader, run: RunRecord, to: number): readonly string[] {
  const end = reader.end(run.runId);
  return end === null || end.steps > to ? [] : [run.scenario.title, `${end.status}: ${oneLine(end.reason)}`];
}

/**
 * The timing of playback: each step takes the time of the walks that led to it, and then the time to read its
 * speech. Walks are slightly slower than in films (`replay/film.ts`); speech is shown for the same time.
 */
import type { PageRun, PageStep } from '../page-data.js';
import { longestWalk, walksInTick } from './motion.js';

const WALK_MS = 140;
const ACT_MS = 700;
const WORLD_MS = 160;
const SPEECH_MS = 1200;
const SPEECH_CHARACTER_MS = 35;
const SPEECH_MAX_MS = 6000;
const PAUSE_MS = 60;
const CATCH_UP_MS = 700;

/** All steps of the tick of `step`, in order; empty if there is no such step. */
export function tickOf(run: PageRun, step: number): readonly PageStep[] {
  const record = run.steps[step - 1];
  if (record === undefined) return [];
  // `tick` is the number of the tick's first step.
  let end = record.tick;
  while (run.steps[end]?.tick === record.tick) end += 1;
  return run.steps.slice(record.tick - 1, end);
}

/** Milliseconds for the walks of a tick, and for looking at its result. */
export function timesOf(tick: readonly PageStep[]): { walkMs: number; holdMs: number } {
  const speech = tick.flatMap((step) => step.said);
  const characters = speech.reduce((sum, { text }) => sum + text.length, 0);
  const isQuiet = tick.every(({ acts }) => acts.length === 0);
  const holdMs =
    speech.length > 0
      ? Math.min(SPEECH_MAX_MS, SPEECH_MS + characters * SPEECH_CHARACTER_MS)
      : isQuiet
        ? WORLD_MS
        : ACT_MS;
  return { walkMs: longestWalk(walksInTick(tick)) * WALK_MS, holdMs };
}

/** The position of playback. */
export interface PlaybackPosition {
  step: number;
  /** Milliseconds since the step began to be shown, at speed 1. */
  elapsedMs: number;
}

/**
 * The position after `ms` more of playback; null once all shown runs are over. The longest of their ticks
 * sets the pace.
 */
export function advancePlayback(
  runs: readonly PageRun[],
  position: PlaybackPosition,
  ms: number,
  durationOf: (tick: readonly PageStep[]) => number = playedMs,
): PlaybackPosition | null {
  let [{ step }, remainingMs] = [position, position.elapsedMs + ms];
  for (;;) {
    const ticks = runs.map((run) => tickOf(run, step)).filter((tick) => tick.length > 0);
    const durationMs = step === 0 ? 0 : Math.max(...ticks.map(durationOf), 0);
    if (remainingMs < durationMs) return { step, elapsedMs: remainingMs };
    const ends = ticks.map((tick) => tick.at(-1)?.step ?? step);
    const next = Math.max(step, ...ends) + 1;
    if (runs.every((run) => run.steps.length < next)) return null;
    // The steps of one tick are shown together, as its last step.
    const lastSteps = runs.map((run) => tickOf(run, next).at(-1)?.step ?? next);
    remainingMs -= durationMs;
    step = Math.max(...lastSteps);
  }
}

/** Duration of a tick in playback. */
export function playedMs(tick: readonly PageStep[]): number {
  const { walkMs, holdMs } = timesOf(tick);
  return walkMs + holdMs;
}

/**
 * Duration of a tick while the page follows a live run. Speech stays visible anyway, so only walks take time.
 */
export function followedMs(tick: readonly PageStep[]): number {
  return timesOf(tick).walkMs + PAUSE_MS;
}

/** The speed at which a page that follows a run catches up before more steps arrive. */
export function followSpeed(run: PageRun, step: number): number {
  let ms = 0;
  for (let next = step + 1; next <= run.steps.length;) {
    const tick = tickOf(run, next);
    ms += followedMs(tick);
    next = (tick.at(-1)?.step ?? next) + 1;
  }
  return Math.max(1, ms / CATCH_UP_MS);
}

/** The moment at which all walks to a step are finished: playback continues from there. */
export function afterWalks(runs: readonly PageRun[], step: number): PlaybackPosition {
  return { step, elapsedMs: Math.max(0, ...runs.map((run) => timesOf(tickOf(run, step)).walkMs)) };
}

/** Tiles that have been walked after this time. */
export function tilesDone(elapsedMs: number): number {
  return elapsedMs / WALK_MS;
}

/**
 * What each key and button changes. In: what the page shows, and what the reader asked for; out: the changed
 * part of its state. Nothing is drawn here, and nothing is remembered.
 */
import type { PageAction } from './keys.js';
import type { PageSnapshot } from './snapshot.js';
import { besideOf, nameOf, runOf, SPEEDS, stepsAlong, viewsOf } from './state.js';
import type { PageState, PanelState } from './state.js';
import type { PageHighlights } from './step-highlights.js';

export type PageChange = Partial<PageState>;

/** What the state alone decides; other actions reach for a field or a dialog. */
export type ViewAction = Exclude<
  PageAction,
  'go' | 'find' | 'help' | 'theme' | 'accept' | 'reject' | 'correct'
>;

type StepPredicate = (marks: PageHighlights, step: number) => boolean;

/** Somebody chose what to see: no address is waited for. */
export const DEPARTED: PageChange = { unmet: null, lack: '' };

const CHANGES: Readonly<Record<ViewAction, (now: PageSnapshot) => PageChange>> = {
  play: toggledPlayback,
  next: (now) =>
    toStep(
      now,
      along(now, 1, () => true),
    ),
  back: (now) =>
    toStep(
      now,
      along(now, -1, () => true),
    ),
  first: (now) => toStep(now, 0),
  last: (now) => toStep(now, now.last),
  agent: nextAgent,
  view: nextView,
  beside: toggledSecondPicture,
  found: (now) => leap(now, 1, ({ found }, step) => found.has(step)),
  foundBack: (now) => leap(now, -1, ({ found }, step) => found.has(step)),
  problem: (now) => toMarked(now, 'isProblem'),
  fork: (now) => toMarked(now, 'isFork'),
  judged: (now) => toMarked(now, 'isJudged'),
  open: (now) => toMarked(now, 'isOpen'),
  faster: (now) => toSpeed(now, 1),
  slower: (now) => toSpeed(now, -1),
};

export function changeBy(action: ViewAction, now: PageSnapshot): PageChange {
  return CHANGES[action](now);
}

/** A number out of a field may be none, or past the end. */
export function toStep({ state, last }: PageSnapshot, step: number): PageChange {
  const wanted = Number.isFinite(step) ? Math.max(0, Math.min(last, Math.round(step))) : state.step;
  return { ...DEPARTED, step: wanted };
}

/** Another run or view in one of the pictures; nothing where there is no such run. */
export function toPanel({ data, state }: PageSnapshot, place: number, panel: PanelState): PageChange {
  const run = runOf(data, panel.run);
  if (run === undefined) return {};
  const views = viewsOf(run).map(([view]) => view);
  const view = views.includes(panel.view) ? panel.view : (views[0] ?? 'map');
  const panels = state.panels.map((one, i) => (i === place ? { run: run.id, view } : one));
  return { ...DEPARTED, panels, active: place };
}

/** From the end it plays from the beginning. */
function toggledPlayback({ state, last }: PageSnapshot): PageChange {
  const isPlaying = !state.isPlaying;
  return { ...DEPARTED, isPlaying, ...(isPlaying && state.step >= last ? { step: 0 } : {}) };
}

function toMarked(now: PageSnapshot, name: 'isProblem' | 'isFork' | 'isJudged' | 'isOpen'): PageChange {
  return leap(now, 1, ({ list }, step) => list[step - 1]?.[name] === true);
}

/** Round the end, where there is such a step; else it says so. */
function leap(now: PageSnapshot, way: 1 | -1, holds: StepPredicate): PageChange {
  const step = along(now, way, holds, true);
  return { ...toStep(now, step), ...(holds(now.marks, step) ? {} : { aloud: 'There is no such step.' }) };
}

/** Where it is now if there is none such; `isRound`: past the end it begins again. */
function along(
  { run, state, last, marks }: PageSnapshot,
  way: 1 | -1,
  holds: StepPredicate,
  isRound = false,
): number {
  const steps = stepsAlong(run, state, { way, last, isRound });
  return steps.find((step) => holds(marks, step)) ?? state.step;
}

function toSpeed({ state }: PageSnapshot, way: 1 | -1): PageChange {
  const place = SPEEDS.findIndex((one) => one === state.speed) + way;
  const speed = SPEEDS[Math.max(0, Math.min(SPEEDS.length - 1, place))] ?? 1;
  return { speed, aloud: `Speed ${speed}×` };
}

function nextAgent({ run, state }: PageSnapshot): PageChange {
  const agents = [null, ...run.agents.map(({ id }) => id)];
  const agent = agents[(agents.indexOf(state.agent) + 1) % agents.length] ?? null;
  return { agent, aloud: agent === null ? 'Steps of all agents' : `Steps of ${nameOf(run, agent)}` };
}

function nextView(now: PageSnapshot): PageChange {
  const { panels, active } = now.state;
  const panel = panels[active];
  const run = panel === undefined ? undefined : runOf(now.data, panel.run);
  if (panel === undefined || run === undefined) return {};
  const views = viewsOf(run);
  const place = views.findIndex(([view]) => view === panel.view);
  const [view, words] = views[(place + 1) % views.length] ?? [panel.view, ''];
  return { ...toPanel(now, active, { ...panel, view }), aloud: words };
}

function toggledSecondPicture({ data, state: { panels } }: PageSnapshot): PageChange {
  const [first] = panels;
  if (first === undefined) return {};
  if (panels.length > 1) return { ...DEPARTED, panels: [first], active: 0, aloud: 'One picture' };
  return { ...DEPARTED, panels: [first, besideOf(data, first)], aloud: 'Two pictures' };
}

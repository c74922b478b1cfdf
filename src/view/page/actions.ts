/** What each key and button changes. Pure: draws and stores nothing. */
import type { PageAction } from './keys.js';
import type { PageSnapshot } from './snapshot.js';
import { secondPanel, nameOf, runOf, SPEEDS, stepsInDirection, viewsOf } from './state.js';
import type { PageState, PanelState } from './state.js';
import type { PageHighlights } from './step-highlights.js';

export type PageChange = Partial<PageState>;

/** Actions that only change the state; the others open a field or a dialog. */
export type ViewAction = Exclude<
  PageAction,
  'go' | 'find' | 'help' | 'theme' | 'accept' | 'reject' | 'correct'
>;

type StepPredicate = (highlights: PageHighlights, step: number) => boolean;

/** The reader moved on, so the opened link no longer matters. */
export const LINK_LEFT: PageChange = { pendingLink: null, missingText: '' };

const CHANGES: Readonly<Record<ViewAction, (now: PageSnapshot) => PageChange>> = {
  play: ({ state, last }) => {
    const isPlaying = !state.isPlaying;
    // At the end, playback starts again from the beginning.
    return { ...LINK_LEFT, isPlaying, ...(isPlaying && state.step >= last ? { step: 0 } : {}) };
  },
  next: (now) =>
    toStep(
      now,
      nearestStep(now, 1, () => true),
    ),
  back: (now) =>
    toStep(
      now,
      nearestStep(now, -1, () => true),
    ),
  first: (now) => toStep(now, 0),
  last: (now) => toStep(now, now.last),
  agent: ({ run, state }) => {
    const agents = [null, ...run.agents.map(({ id }) => id)];
    const agent = agents[(agents.indexOf(state.agent) + 1) % agents.length] ?? null;
    return { agent, announcement: agent === null ? 'Steps of all agents' : `Steps of ${nameOf(run, agent)}` };
  },
  view: (now) => {
    const { panels, active } = now.state;
    const panel = panels[active];
    const run = panel === undefined ? undefined : runOf(now.data, panel.run);
    if (panel === undefined || run === undefined) return {};
    const views = viewsOf(run);
    const index = views.findIndex(([view]) => view === panel.view);
    const [view, label] = views[(index + 1) % views.length] ?? [panel.view, ''];
    return { ...toPanel(now, active, { ...panel, view }), announcement: label };
  },
  beside: ({ data, state: { panels } }) => {
    const [first] = panels;
    if (first === undefined) return {};
    if (panels.length > 1) return { ...LINK_LEFT, panels: [first], active: 0, announcement: 'One picture' };
    return { ...LINK_LEFT, panels: [first, secondPanel(data, first)], announcement: 'Two pictures' };
  },
  found: (now) => jump(now, 1, ({ found }, step) => found.has(step)),
  foundBack: (now) => jump(now, -1, ({ found }, step) => found.has(step)),
  problem: (now) => nextMarked(now, 'isProblem'),
  fork: (now) => nextMarked(now, 'isFork'),
  judged: (now) => nextMarked(now, 'isJudged'),
  open: (now) => nextMarked(now, 'isOpen'),
  faster: (now) => toSpeed(now, 1),
  slower: (now) => toSpeed(now, -1),
};

export function changeBy(action: ViewAction, snapshot: PageSnapshot): PageChange {
  return CHANGES[action](snapshot);
}

/** `step` may come from a field, and be out of range or NaN. */
export function toStep({ state, last }: PageSnapshot, step: number): PageChange {
  const target = Number.isFinite(step) ? Math.max(0, Math.min(last, Math.round(step))) : state.step;
  return { ...LINK_LEFT, step: target };
}

/** Shows another run or view in one of the pictures; no change if there is no such run. */
export function toPanel({ data, state }: PageSnapshot, index: number, panel: PanelState): PageChange {
  const run = runOf(data, panel.run);
  if (run === undefined) return {};
  const views = viewsOf(run).map(([view]) => view);
  const view = views.includes(panel.view) ? panel.view : (views[0] ?? 'map');
  const panels = state.panels.map((one, i) => (i === index ? { run: run.id, view } : one));
  return { ...LINK_LEFT, panels, active: index };
}

function nextMarked(
  snapshot: PageSnapshot,
  name: 'isProblem' | 'isFork' | 'isJudged' | 'isOpen',
): PageChange {
  return jump(snapshot, 1, ({ list }, step) => list[step - 1]?.[name] === true);
}

/** Jumps to the next matching step, wrapping around at the end; if there is none, announces that. */
function jump(snapshot: PageSnapshot, direction: 1 | -1, matches: StepPredicate): PageChange {
  const step = nearestStep(snapshot, direction, matches, true);
  return {
    ...toStep(snapshot, step),
    ...(matches(snapshot.highlights, step) ? {} : { announcement: 'No step matches.' }),
  };
}

/** The current step if none matches; `wraps`: the search continues at the other end. */
function nearestStep(
  { run, state, last, highlights }: PageSnapshot,
  direction: 1 | -1,
  matches: StepPredicate,
  wraps = false,
): number {
  const steps = stepsInDirection(run, state, { way: direction, last, isRound: wraps });
  return steps.find((step) => matches(highlights, step)) ?? state.step;
}

function toSpeed({ state }: PageSnapshot, direction: 1 | -1): PageChange {
  const index = SPEEDS.findIndex((one) => one === state.speed) + direction;
  const speed = SPEEDS[Math.max(0, Math.min(SPEEDS.length - 1, index))] ?? 1;
  return { speed, announcement: `Speed ${speed}×` };
}

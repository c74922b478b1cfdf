/**
 * How the address tells what the page shows: `#run=…&step=…&view=…`, with `run2` and `view2` for the second picture. In: an address; out: a state,
 * and in words what of it is not there.
 */
import { cutText, visibleText } from '../../base/text.js';
import type { PageData } from '../page-data.js';
import { activeRun, lastStep, runOf, viewsOf } from './state.js';
import type { PageState, PanelState } from './state.js';

export interface LinkedState {
  readonly state: PageState;
  /** Which run or step isn't in the page, and what is shown instead; '' where all is there. */
  readonly lack: string;
}

/** Characters of a name out of an address. */
const NAME_SHOWN = 40;

/** As the address says, else from the first run's beginning. */
export function linked(data: PageData, hash: string): LinkedState {
  const words = new URLSearchParams(hash.replace(/^#/, ''));
  const panels = [panelOf(data, words, ''), panelOf(data, words, '2')].filter((one) => one !== null);
  const state = { panels, active: 0, step: 0, agent: null, isPlaying: false, speed: 1, query: '' };
  const asked = words.get('step') ?? '';
  const step = asked === '' ? Number.NaN : Number(asked);
  // Whoever opens a page wants to see something happen: the first step, not the empty moment before it.
  const wanted = Number.isSafeInteger(step) && step >= 0 ? step : 1;
  const shown = { ...state, step: Math.min(wanted, lastStep(data, state)) };
  const runs = [words.get('run') ?? '', words.get('run2') ?? ''];
  const lacking = [
    ...runs.filter((id) => id !== '' && runOf(data, id) === undefined).map((id) => `run ${named(id)}`),
    ...(asked === '' || step === shown.step ? [] : [`step ${named(asked)}`]),
  ];
  return { state: shown, lack: lacking.length === 0 ? '' : lackWords(data, shown, lacking) };
}

function panelOf(data: PageData, words: URLSearchParams, suffix: '' | '2'): PanelState | null {
  const run = runOf(data, words.get(`run${suffix}`) ?? '') ?? (suffix === '' ? data.runs[0] : undefined);
  if (run === undefined) return null;
  const views = viewsOf(run).map(([view]) => view);
  const asked = words.get(`view${suffix}`) ?? '';
  return { run: run.id, view: views.includes(asked) ? asked : (views[0] ?? 'map') };
}

function lackWords(data: PageData, state: PageState, lacking: readonly string[]): string {
  const run = activeRun(data, state);
  const of = run === undefined || data.runs.length === 1 ? '' : ` of run ${data.runs.indexOf(run) + 1}`;
  const shown = state.step === 0 ? `the beginning${of}` : `step ${state.step}${of}`;
  const are = lacking.length === 1 ? 'isn’t' : 'aren’t';
  return `The link’s ${lacking.join(' and ')} ${are} in this page: ${shown} is shown instead.`;
}

function named(text: string): string {
  return cutText(visibleText(text), NAME_SHOWN);
}

export function hashOf({ panels, step }: PageState): string {
  const words = new URLSearchParams();
  panels.forEach(({ run, view }, i) => {
    const suffix = i === 0 ? '' : String(i + 1);
    words.set(`run${suffix}`, run);
    words.set(`view${suffix}`, view);
  });
  words.set('step', String(step));
  return `#${words.toString()}`;
}

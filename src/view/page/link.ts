/**
 * How the address states what the page shows: `#run=…&step=…&view=…`, with `run2` and `view2` for the second
 * picture. In: an address; out: what to show, and a sentence about what does not exist.
 */
import { cutText, visibleText } from '../../base/text.js';
import type { PageData } from '../page-data.js';
import { activeRun, lastStep, runOf, viewsOf } from './state.js';
import type { PageView, PanelState } from './state.js';

export interface LinkedView {
  readonly view: PageView;
  /** Which run or step isn't in the page, and what is shown instead; '' if all is there. */
  readonly lack: string;
}

/** Characters of a name out of an address. */
const NAME_SHOWN = 40;

/** As the address says, else from the first run's beginning. */
export function linked(data: PageData, hash: string): LinkedView {
  const words = new URLSearchParams(hash.replace(/^#/, ''));
  const panels = [panelOf(data, words, ''), panelOf(data, words, '2')].filter((one) => one !== null);
  const first = {
    panels,
    active: 0,
    step: 0,
    agent: null,
    kind: null,
    region: null,
    isPlaying: false,
    speed: 1,
    query: '',
  };
  const asked = words.get('step') ?? '';
  const step = asked === '' ? Number.NaN : Number(asked);
  // Whoever opens a page wants to see something happen: the first step, not the empty moment before it.
  const wanted = Number.isSafeInteger(step) && step >= 0 ? step : 1;
  const view = { ...first, step: Math.min(wanted, lastStep(data, first)) };
  const runs = [words.get('run') ?? '', words.get('run2') ?? ''];
  const lacking = [
    ...runs.filter((id) => id !== '' && runOf(data, id) === undefined).map((id) => `run ${named(id)}`),
    ...(asked === '' || step === view.step ? [] : [`step ${named(asked)}`]),
  ];
  return { view, lack: lacking.length === 0 ? '' : lackWords(data, view, lacking) };
}

function panelOf(data: PageData, words: URLSearchParams, suffix: '' | '2'): PanelState | null {
  const run = runOf(data, words.get(`run${suffix}`) ?? '') ?? (suffix === '' ? data.runs[0] : undefined);
  if (run === undefined) return null;
  const views = viewsOf(run).map(([view]) => view);
  const asked = words.get(`view${suffix}`) ?? '';
  return { run: run.id, view: views.includes(asked) ? asked : (views[0] ?? 'map') };
}

function lackWords(data: PageData, view: PageView, lacking: readonly string[]): string {
  const run = activeRun(data, view);
  const of = run === undefined || data.runs.length === 1 ? '' : ` of run ${data.runs.indexOf(run) + 1}`;
  const shown = view.step === 0 ? `the beginning${of}` : `step ${view.step}${of}`;
  const are = lacking.length === 1 ? 'isn’t' : 'aren’t';
  return `The link’s ${lacking.join(' and ')} ${are} on this page: ${shown} is shown instead.`;
}

function named(text: string): string {
  return cutText(visibleText(text), NAME_SHOWN);
}

export function hashOf({ panels, step }: PageView): string {
  const words = new URLSearchParams();
  panels.forEach(({ run, view }, i) => {
    const suffix = i === 0 ? '' : String(i + 1);
    words.set(`run${suffix}`, run);
    words.set(`view${suffix}`, view);
  });
  words.set('step', String(step));
  return `#${words.toString()}`;
}

/**
 * How the address states what the page shows: `#run=…&step=…&view=…`, with `run2` and `view2` for the second
 * picture.
 */
import { cutText, visibleText } from '../../base/text.js';
import type { PageData } from '../page-data.js';
import { activeRun, lastStep, runOf, viewsOf } from './state.js';
import type { PageView, PanelState } from './state.js';

export interface LinkedView {
  view: PageView;
  /** Which run or step is not on the page, and what is shown instead; '' if nothing is missing. */
  missingText: string;
}

/** Maximum length of a name from an address. */
const NAME_CHARACTERS = 40;

/** What the address requests; by default the first run from its beginning. */
export function readLink(data: PageData, hash: string): LinkedView {
  const params = new URLSearchParams(hash.replace(/^#/, ''));
  const panels = [panelOf(data, params, ''), panelOf(data, params, '2')].filter((one) => one !== null);
  const defaultView = {
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
  const requested = params.get('step') ?? '';
  const step = requested === '' ? Number.NaN : Number(requested);
  // A reader wants to see something happen, so the default is step 1 and not the state before it.
  const target = Number.isSafeInteger(step) && step >= 0 ? step : 1;
  const view = { ...defaultView, step: Math.min(target, lastStep(data, defaultView)) };
  const runs = [params.get('run') ?? '', params.get('run2') ?? ''];
  const missing = [
    ...runs.filter((id) => id !== '' && runOf(data, id) === undefined).map((id) => `run ${safeName(id)}`),
    ...(requested === '' || step === view.step ? [] : [`step ${safeName(requested)}`]),
  ];
  if (missing.length === 0) return { view, missingText: '' };
  const run = activeRun(data, view);
  const ofRun = run === undefined || data.runs.length === 1 ? '' : ` of run ${data.runs.indexOf(run) + 1}`;
  const shown = view.step === 0 ? `the beginning${ofRun}` : `step ${view.step}${ofRun}`;
  const verb = missing.length === 1 ? 'isn’t' : 'aren’t';
  const subject = `The link’s ${missing.join(' and ')}`;
  return { view, missingText: `${subject} ${verb} on this page: ${shown} is shown instead.` };
}

function panelOf(data: PageData, params: URLSearchParams, suffix: '' | '2'): PanelState | null {
  const run = runOf(data, params.get(`run${suffix}`) ?? '') ?? (suffix === '' ? data.runs[0] : undefined);
  if (run === undefined) return null;
  const views = viewsOf(run).map(([view]) => view);
  const requested = params.get(`view${suffix}`) ?? '';
  return { run: run.id, view: views.includes(requested) ? requested : (views[0] ?? 'map') };
}

function safeName(text: string): string {
  return cutText(visibleText(text), NAME_CHARACTERS);
}

export function hashOf({ panels, step }: PageView): string {
  const params = new URLSearchParams();
  panels.forEach(({ run, view }, i) => {
    const suffix = i === 0 ? '' : String(i + 1);
    params.set(`run${suffix}`, run);
    params.set(`view${suffix}`, view);
  });
  params.set('step', String(step));
  return `#${params.toString()}`;
}

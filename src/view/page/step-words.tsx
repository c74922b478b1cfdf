/**
 * The words of a step: what was asked of the world and what came of it, the reply with its accepted part lit, and the exact prompt with the
 * pictures in their places. In: a run and a step; out: elements, made of text alone.
 */
import { at } from '../../base/assert.js';
import { counted } from '../../base/counted.js';
import { WORLD_ID } from '../../base/ids.js';
import type { PageCall, PageData, PageEnd, PageMessage, PageRun, PageSaid, PageStep } from '../page-data.js';
import { element } from './icons.js';
import { showFound } from './found.js';
import { nameOf } from './state.js';
import { factsOf, standInOf, triesOf } from './tries.js';
import { saidWords } from './step-highlights.js';
import type { TileCache } from './tiles.js';

export interface DetailsContext {
  readonly data: PageData;
  readonly run: PageRun;
  readonly step: PageStep | null;
  readonly tiles: TileCache;
  /** What is looked for; '' for nothing. */
  readonly query: string;
}

/** One line for whoever listens: who did what in which step, and what came of it. */
export function summaryOf(run: PageRun, step: PageStep | null): string {
  if (step === null) return 'Before the first step';
  const act = step.acts.at(-1);
  const head = `Step ${step.step} of ${run.steps.length}, turn ${step.turn}, ${nameOf(run, step.agent)}`;
  const mark = run.marks.get(step.step);
  const judged = mark === undefined ? '' : `. Judged: ${saidWords(mark)}`;
  if (act === undefined) return `${head}: the turn ends${judged}`;
  const standIn = standInOf(step);
  if (standIn !== null) return `${head}: ${standIn}${judged}`;
  return `${head}: ${act.words === '' ? 'nothing understood' : act.words}. ${act.message}${judged}`;
}

/** More agents are counted, not named: the line has to leave room for the page. */
const NAMED = 6;

/** How the run went, who took part, and where it lies, in one line. */
export function statusOf({ end, steps, file, agents }: PageRun): string {
  const how = end === null ? 'no end yet' : end.status;
  return `${how} · ${counted(steps.length, 'step')} · ${whoPlays(agents)} · ${file}`;
}

function whoPlays(agents: PageRun['agents']): string {
  if (agents.length <= NAMED)
    return agents.map(({ name, player }) => (player === '' ? name : `${name} (${player})`)).join(', ');
  const players = [...new Set(agents.map(({ player }) => player))].filter((one) => one !== '');
  const by = players.length === 0 ? '' : ` (${players.join(', ')})`;
  return `${counted(agents.length, 'agent')}${by}`;
}

/** Made anew only where other words are to be read or looked for: what somebody selected, opened or has the focus on stays while a run grows. */
export function fill(
  panel: HTMLElement,
  told: DetailsContext,
  words: (told: DetailsContext) => readonly HTMLElement[],
): void {
  if (panel.hidden) return;
  const { run, step, query } = told;
  const key = JSON.stringify([run.id, step?.step ?? 0, endOf(run, step), query.toLowerCase()]);
  if (panel.dataset['key'] === key) return;
  panel.dataset['key'] = key;
  panel.scrollTop = 0;
  panel.replaceChildren(...words(told));
  showFound(panel, query);
}

/** What was done, said and replied. */
export function stepWords(told: DetailsContext): readonly HTMLElement[] {
  const { run, step } = told;
  if (step === null) return [element('p', { class: 'quiet' }, 'Before the first step.'), ...endWords(told)];
  const note = step.asLogged
    ? []
    : [
        element(
          'p',
          { class: 'warning' },
          'The world that this log makes here is not the logged one: orchestrate verify tells why.',
        ),
      ];
  const said = step.said.map((one) => saidOf(run, step, one));
  const happened = [...walksOf(run, step), ...step.events];
  const events =
    happened.length === 0 ? [] : [element('p', { class: 'quiet' }, `In the world: ${happened.join(', ')}`)];
  const quiet = element(
    'p',
    { class: 'quiet' },
    step.agent === WORLD_ID ? 'The turn ends.' : 'Nothing was done.',
  );
  const done = step.acts.length === 0 ? [quiet] : [];
  return [...note, ...done, ...triesOf(told.data, step, said), ...events, ...endWords(told)];
}

/** Who walked beside whoever acted, and where to. */
function walksOf(run: PageRun, { agent, walks }: PageStep): readonly string[] {
  return walks
    .filter(({ actor }) => actor !== agent)
    .map(({ actor, path }) => `${nameOf(run, actor)} went to (${path.slice(-2).join(', ')})`);
}

/** Who heard it; the words too where they are not the step's own act. */
function saidOf(run: PageRun, { agent }: PageStep, { speaker, text, hearers }: PageSaid): HTMLElement {
  const names = hearers.filter((one) => one !== speaker).map((one) => nameOf(run, one));
  const heard = names.length === 0 ? 'Nobody heard it.' : `Heard by ${names.join(', ')}.`;
  if (speaker === agent) return element('p', { class: 'heard' }, heard);
  return element(
    'blockquote',
    {},
    element('cite', {}, nameOf(run, speaker)),
    ' “',
    element('span', { class: 'sought' }, text),
    `” ${heard}`,
  );
}

/** How the run ended, where that is told with a step: its last one; null elsewhere. */
function endOf(run: PageRun, step: PageStep | null): PageEnd | null {
  return (step?.step ?? 0) === run.steps.length ? run.end : null;
}

function endWords({ run, step }: DetailsContext): readonly HTMLElement[] {
  const end = endOf(run, step);
  if (end === null) return [];
  const { status, reason } = end;
  return [
    element(
      'p',
      { class: `end ${status === 'succeeded' ? 'good' : ''}` },
      element('strong', {}, status),
      ` ${reason}`,
    ),
  ];
}

/** Everything that was sent, as it was sent; the last call is open, of each the last message. */
export function promptWords(told: DetailsContext): readonly HTMLElement[] {
  const calls = told.step?.calls ?? [];
  if (calls.length === 0) return [element('p', { class: 'quiet' }, 'Nobody was asked in this step.')];
  return calls.map((call) => {
    const messages = messagesOf(told.run, call);
    const earlier = messages.slice(0, -1).map((message) => messageOf(told, message));
    const last = messages.at(-1);
    return element(
      'section',
      {},
      element(
        'h3',
        {},
        'Prompt ',
        element('span', { class: 'quiet' }, factsOf({ ...call, reply: { kind: 'none' } })),
      ),
      earlier.length === 0
        ? null
        : element(
            'details',
            { class: 'earlier' },
            element('summary', {}, `${counted(earlier.length, 'message')} before`),
            ...earlier,
          ),
      last === undefined
        ? element('p', { class: 'quiet' }, 'No message was sent.')
        : messageOf(told, last, 'fresh'),
    );
  });
}

/** The list that a call's differences stand for. */
export function messagesOf(run: PageRun, call: PageCall): readonly PageMessage[] {
  const kept: (readonly PageMessage[])[] = [];
  let [current, wanted]: [PageCall | undefined, number] = [call, Number.POSITIVE_INFINITY];
  while (current !== undefined) {
    const own = Math.max(0, wanted - current.kept);
    kept.unshift(current.added.slice(0, own));
    wanted = Math.min(wanted, current.kept);
    const before: number | null = current.previous;
    current = before === null || wanted === 0 ? undefined : callOf(run, before);
  }
  return kept.flat();
}

const callsOf = new WeakMap<PageRun, ReadonlyMap<number, PageCall>>();

function callOf(run: PageRun, number: number): PageCall | undefined {
  let calls = callsOf.get(run);
  if (calls === undefined) {
    calls = new Map(run.steps.flatMap((step) => step.calls.map((call) => [call.call, call] as const)));
    callsOf.set(run, calls);
  }
  return calls.get(number);
}

function messageOf(
  { data, run, tiles }: DetailsContext,
  { role, pieces }: PageMessage,
  age = '',
): HTMLElement {
  const body = pieces.map((piece) => {
    if ('text' in piece) return element('pre', { class: 'sought' }, at(data.texts, piece.text));
    const canvas = element('canvas', {
      class: 'sent',
      role: 'img',
      'aria-label': 'the picture as it was sent',
    });
    void tiles.showSent(canvas, run, piece.picture);
    return canvas;
  });
  return element('article', { class: `message ${role} ${age}` }, element('h4', {}, role), ...body);
}

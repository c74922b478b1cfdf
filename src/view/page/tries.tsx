/**
 * What an agent tried in a step: each reply with what was read of it and what came of that, and the wait that stood in where none of them could
 * act. In: a step; out: elements, made of text alone.
 */
import { at } from '../../base/assert.js';
import { counted } from '../../base/counted.js';
import type { PageAct, PageCall, PageData, PageStep } from '../page-data.js';
import { element } from './icons.js';

/** `said`: what was said in the step, which belongs to what was done. */
export function triesOf(
  data: PageData,
  step: PageStep,
  said: readonly HTMLElement[],
): readonly HTMLElement[] {
  const tries = step.calls.filter((call) => isTry(call, step));
  const others = step.calls.filter((call) => !tries.includes(call));
  const [only] = tries;
  const beside = others.map((call) => replyOf(data, call, { step, title: 'Reply' }));
  if (only !== undefined && tries.length === 1 && standInOf(step) === null)
    return [actsOf(step.acts), ...said, replyOf(data, only, { step, title: 'Reply' }), ...beside];
  const alone = step.acts.filter(({ call }) => !tries.some((one) => one.call === call));
  const sections = tries.map((call, i) => tryOf(data, call, { step, place: i + 1, count: tries.length }));
  return [...alone.map((act) => aloneOf(act, step, tries.length)), ...said, ...sections, ...beside];
}

/** A call that was to act, whether or not anything could be read of its reply. */
function isTry({ call, purpose }: PageCall, { acts }: PageStep): boolean {
  return purpose === 'act' || purpose === 'repair' || acts.some((act) => act.call === call);
}

/** In words for the lists; null where no act of the step stands in for another. */
export function standInOf({ acts }: PageStep): string | null {
  const act = acts.at(-1);
  return act === undefined || !isStandIn(act) ? null : `no usable answer, ${act.words} instead`;
}

function isStandIn({ call, insteadOf }: PageAct): boolean {
  return call === null && insteadOf !== null;
}

interface Try {
  readonly step: PageStep;
  /** From 1. */
  readonly place: number;
  readonly count: number;
}

function tryOf(data: PageData, call: PageCall, { step, place, count }: Try): HTMLElement {
  const acts = step.acts.filter((act) => act.call === call.call);
  const title = count === 1 ? 'Attempt' : `Attempt ${place} of ${count}`;
  const reply = replyOf(data, { ...call, attempt: 1 }, { step, title });
  reply.classList.add('try');
  if (acts.length > 0) reply.append(actsOf(acts));
  return reply;
}

/** The world's own acts, and the wait that nobody asked for. */
function aloneOf(act: PageAct, { acts }: PageStep, tries: number): HTMLElement {
  if (!isStandIn(act)) return actsOf([act]);
  const why = act.insteadOf ?? '';
  const isTold = acts.some(({ ok, message }) => !ok && why.endsWith(message));
  const none = tries === 1 ? 'The attempt could not act' : `None of ${counted(tries, 'attempt')} could act`;
  return element(
    'section',
    { class: 'stand-in' },
    element('h3', {}, 'No usable answer'),
    element(
      'p',
      {},
      `${none}: the program put `,
      element('code', { class: 'act sought' }, act.words),
      ' in its place. The agent did not ask for it.',
    ),
    cameOf(act),
    isTold ? null : element('p', { class: 'quiet' }, why),
  );
}

function actsOf(acts: readonly PageAct[]): HTMLElement {
  return element('ol', { class: 'acts' }, ...acts.map(actOf));
}

function actOf(act: PageAct): HTMLElement {
  const { words, insteadOf, rung } = act;
  const how = rung === null ? null : element('span', { class: 'quiet' }, ` read as ${rung}`);
  const asked = element(
    'div',
    {},
    words === ''
      ? element('code', { class: 'act' }, '(nothing understood)')
      : element('code', { class: 'act sought' }, words),
    how,
  );
  const note = insteadOf === null ? null : element('div', { class: 'quiet' }, `instead of ${insteadOf}`);
  return element('li', {}, asked, cameOf(act), note);
}

function cameOf({ ok, message, problem }: PageAct): HTMLElement {
  return element(
    'div',
    { class: ok ? 'came ok' : 'came refused' },
    ok ? '✓ ' : '✗ ',
    problem === null ? null : element('b', { class: 'sought' }, problem),
    problem === null ? null : ' ',
    element('span', { class: 'sought' }, message),
  );
}

/** Numbers with what they count, where they are known. */
export function factsOf({ reply, player, attempt, purpose }: PageCall): string {
  const facts = [
    player,
    ...(attempt > 1 ? [`attempt ${attempt}`] : []),
    ...(purpose === 'act' ? [] : [purpose]),
  ];
  if (reply.kind !== 'replied') return facts.join(' · ');
  const { model, finish, latencyMs, promptTokens, completionTokens } = reply;
  if (model !== null && model !== player) facts.push(model);
  if (latencyMs > 0) facts.push(`${(latencyMs / 1000).toFixed(1)} s`);
  if (promptTokens !== null) facts.push(`tokens ${promptTokens} + ${completionTokens ?? '?'}`);
  if (finish !== null && finish !== 'stop') facts.push(finish);
  return facts.join(' · ');
}

interface Headed {
  readonly step: PageStep;
  readonly title: string;
}

function replyOf(data: PageData, call: PageCall, { step, title }: Headed): HTMLElement {
  const { reply } = call;
  const head = element('h3', {}, `${title} `, element('span', { class: 'quiet' }, factsOf(call)));
  if (reply.kind === 'none')
    return element('section', {}, head, element('p', { class: 'quiet' }, 'None was stored.'));
  if (reply.kind === 'failed')
    return element('section', {}, head, element('p', { class: 'warning sought' }, reply.error));
  const content = at(data.texts, reply.content);
  const span = step.acts.find((act) => act.call === call.call && act.span !== null)?.span ?? null;
  const thought = reply.reasoning === null ? null : at(data.texts, reply.reasoning);
  const tools = reply.tools.map((tool) =>
    element('pre', { class: 'tool sought' }, `${tool.name} ${tool.arguments}`),
  );
  return element(
    'section',
    {},
    head,
    thought === null
      ? null
      : element(
          'details',
          {},
          element('summary', {}, 'Reasoning'),
          element('pre', { class: 'sought' }, thought),
        ),
    content === '' && tools.length > 0 ? null : litText(content, span),
    ...tools,
  );
}

/** A reply, its accepted part marked for eyes and for readers aloud. */
function litText(content: string, span: readonly [number, number] | null): HTMLElement {
  if (span === null) return element('pre', { class: 'reply sought' }, content);
  const [start, end] = span;
  const lit = element('mark', { 'aria-label': 'accepted' }, content.slice(start, end));
  return element('pre', { class: 'reply sought' }, content.slice(0, start), lit, content.slice(end));
}

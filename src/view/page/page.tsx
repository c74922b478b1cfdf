/** The page's fixed parts and how they lie: bar, pictures, words, transport. In: what to do on each press; out: elements to fill. */
import { button, choice, element, say } from './icons.js';
import type { PageAction, KeyLine } from './keys.js';
import { SPEEDS } from './state.js';

export interface LayoutEvents {
  do(deed: PageAction): void;
  setSpeed(speed: number): void;
  setAgent(agent: string): void;
  find(words: string): void;
  go(step: number): void;
}

/** A tab and what it shows. */
interface Tab {
  readonly id: string;
  readonly text: string;
  readonly panel: HTMLElement;
}

export type PageElements = ReturnType<typeof layout>;

/** `keys`: those that the page's list tells of. */
export function layout(events: LayoutEvents, keys: readonly KeyLine[]) {
  const title = element('h1', {});
  const status = element('p', { class: 'status' });
  const lack = element('p', { class: 'lack', role: 'alert' });
  const search = element('input', {
    type: 'search',
    placeholder: 'Find (/)',
    'aria-label': 'Find words',
    'aria-keyshortcuts': '/',
    maxlength: '200',
  });
  search.addEventListener('input', () => events.find(search.value));
  search.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') events.do(event.shiftKey ? 'foundBack' : 'found');
    if (event.key !== 'Escape') return;
    // A browser would empty the field and say nothing of it: the words are still looked for.
    event.preventDefault();
    search.blur();
  });
  const hits = element('span', { class: 'hits', role: 'status' });
  const theme = button('theme', 'Light or dark', 't', () => events.do('theme'));
  const help = button('help', 'Keys', '?', () => events.do('help'));
  const beside = button('beside', 'A second picture beside the first', 'b', () => events.do('beside'));
  const tools = element('div', { class: 'tools' }, search, hits, beside, theme, help);
  const header = element('header', {}, element('div', { class: 'heading' }, title, status, lack), tools);
  const stages = element('div', { class: 'stages' });
  const words = {
    step: element('div', { class: 'words' }),
    prompt: element('div', { class: 'words' }),
    list: element('div', { class: 'words list' }),
  };
  const heading = element('h2', {});
  const tabs = tabsOf([
    { id: 'step', text: 'Step', panel: words.step },
    { id: 'prompt', text: 'Prompt', panel: words.prompt },
    { id: 'list', text: 'All steps', panel: words.list },
  ]);
  const bearings = element('div', { class: 'bearings', role: 'group', 'aria-label': 'Goals and inventory' });
  const aside = element('aside', { 'aria-label': 'The step in words' }, heading, bearings, tabs.element);
  const live = element('p', { class: 'aloud', role: 'status', 'aria-live': 'polite' });
  const transport = transportOf(events);
  const dialog = helpOf(keys);
  const main = element('main', {}, stages, aside);
  document.body.replaceChildren(header, main, transport.element, live, dialog);
  return {
    title,
    status,
    lack,
    search,
    hits,
    stages,
    aside,
    words,
    heading,
    bearings,
    live,
    dialog,
    transport,
    tabs,
    beside,
  };
}

function transportOf(events: LayoutEvents) {
  const play = button('play', 'Play', 'Space', () => events.do('play'));
  play.classList.add('play');
  const speed = choice('Speed', (value) => events.setSpeed(Number(value)));
  speed.offer(
    SPEEDS.map((one) => [String(one), `${one}×`]),
    '1',
  );
  const agent = choice('Whose steps', (value) => events.setAgent(value));
  const number = element('input', {
    type: 'number',
    min: '0',
    step: '1',
    'aria-label': 'Go to step',
    'aria-keyshortcuts': 'g',
  });
  number.addEventListener('change', () => events.go(Number(number.value)));
  number.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' || event.key === 'Escape') number.blur();
  });
  const total = element('span', { class: 'total' });
  const buttons = element(
    'div',
    { class: 'buttons', role: 'group', 'aria-label': 'Playback' },
    button('first', 'Before the first step', 'Home', () => events.do('first')),
    button('back', 'Step before', 'ArrowLeft', () => events.do('back')),
    play,
    button('next', 'Next step', 'ArrowRight', () => events.do('next')),
    button('last', 'Last step', 'End', () => events.do('last')),
  );
  const where = element('label', { class: 'where' }, element('span', {}, 'step '), number, total);
  const legend = element(
    'p',
    { class: 'legend' },
    ...['speech', 'problem', 'fork', 'found', 'judged'].map((kind) => element('span', { class: kind }, kind)),
  );
  const row = element('div', { class: 'controls' }, buttons, where, speed.element, agent.element, legend);
  return { element: element('footer', {}, row), play, speed, agent, number, total };
}

/** Tabs as readers aloud know them: arrows go from one to the next. */
function tabsOf(tabs: readonly Tab[]) {
  const buttons = tabs.map(({ id, text }) =>
    element('button', { type: 'button', role: 'tab', id: `tab-${id}`, 'aria-controls': `panel-${id}` }, text),
  );
  const counts = buttons.map((one) => {
    const made = element('span', { class: 'count' });
    one.append(made);
    return made;
  });
  const choose = (chosen: number, isFocused = false) => {
    tabs.forEach(({ panel }, i) => {
      panel.hidden = i !== chosen;
      buttons[i]?.setAttribute('aria-selected', String(i === chosen));
      buttons[i]?.setAttribute('tabindex', i === chosen ? '0' : '-1');
    });
    if (isFocused) buttons[chosen]?.focus();
    list.dispatchEvent(new Event('choose'));
  };
  const list = element('div', { role: 'tablist', 'aria-label': 'Words', class: 'tabs' }, ...buttons);
  list.addEventListener('keydown', (event) => {
    const along = { ArrowRight: 1, ArrowLeft: -1 }[event.key] ?? 0;
    if (along === 0) return;
    const now = buttons.findIndex((one) => one === document.activeElement);
    choose((now + along + tabs.length) % tabs.length, true);
  });
  buttons.forEach((one, i) => one.addEventListener('click', () => choose(i)));
  for (const { id, panel } of tabs) {
    panel.id = `panel-${id}`;
    panel.setAttribute('role', 'tabpanel');
    panel.setAttribute('aria-labelledby', `tab-${id}`);
    panel.setAttribute('tabindex', '0');
  }
  choose(0);
  return {
    element: element('div', { class: 'tabbed' }, list, ...tabs.map(({ panel }) => panel)),
    onChoose: (listener: () => void) => list.addEventListener('choose', listener),
    /** How often what is looked for stands in a tab. */
    count: (tab: string, hits: number) => {
      const place = counts[tabs.findIndex(({ id }) => id === tab)];
      if (place !== undefined) say(place, hits === 0 ? '' : ` ${hits} found`);
    },
  };
}

function helpOf(keys: readonly KeyLine[]): HTMLDialogElement {
  const rows = keys.map(({ shown, does }) =>
    element('div', {}, element('dt', {}, element('kbd', {}, shown)), element('dd', {}, does)),
  );
  const close = element('form', { method: 'dialog' }, element('button', {}, 'Close'));
  return element(
    'dialog',
    { 'aria-label': 'Keys' },
    element('h2', {}, 'Keys'),
    element('dl', {}, ...rows),
    close,
  );
}

/** The page's script: takes the data from where it is, opens the page, and hands on whatever comes later. */
import { App } from './page-store.js';
import { element } from './icons.js';
import { loadData } from './load.js';
import { restoreTheme } from './theme.js';

let app: App | null = null;

restoreTheme();
void loadData({
  onData: (data, keep) => {
    if (app === null && data.runs.length > 0) app = new App(data, keep);
    else app?.extend(data);
  },
  onLive: (state, words) => {
    if (app !== null) app.setLive(state, words);
    else if (words !== '')
      document.body.replaceChildren(element('p', { class: 'lost', role: 'alert' }, words));
  },
}).catch((error: unknown) => {
  const words = error instanceof Error ? error.message : String(error);
  document.body.replaceChildren(
    element('p', { class: 'lost', role: 'alert' }, `This page can't be shown: ${words}`),
  );
});

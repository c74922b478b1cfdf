/** The page's script: loads the data, opens the page, and passes later data on to it. */
import { errorMessage } from '../../base/errors.js';
import { render, type VNode } from 'preact';
import { loadData } from './load.js';
import { Page } from './page.js';
import { PageStore } from './page-store.js';
import { restoreTheme } from './theme.js';

let store: PageStore | null = null;
let isCleared = false;

/** Replaces the static content that the file has before its script runs. */
function draw(content: VNode): void {
  if (!isCleared) document.body.replaceChildren();
  isCleared = true;
  render(content, document.body);
}

function showLost(words: string): void {
  draw(
    <p class="lost" role="alert">
      {words}
    </p>,
  );
}

restoreTheme();
void loadData({
  onData: (data, save) => {
    if (store !== null || data.runs.length === 0) {
      store?.extend(data);
      return;
    }
    const opened: PageStore = new PageStore(data, save, (frame) =>
      draw(<Page store={opened} frame={frame} />),
    );
    store = opened;
  },
  onLive: (live, words) => {
    if (store !== null) store.setLive(live, words);
    else if (words !== '') showLost(words);
  },
}).catch((error: unknown) => showLost(`This page can't be shown: ${errorMessage(error)}`));

/** The page's parts and their layout: bar, pictures, words, transport, dialogs. */
import { useLayoutEffect, useMemo } from 'preact/hooks';
import { AnnotationDialog } from './annotation-panel.js';
import { classes, IconButton } from './icons.js';
import type { PageFrame, PageStore } from './page-store.js';
import { Stages } from './stage.js';
import { runOf, viewsOf } from './state.js';
import { statusOf } from './step-summary.js';
import { Transport } from './transport.js';
import { WordsPanel } from './words.js';

interface PageProps {
  store: PageStore;
  frame: PageFrame;
}

export function Page({ store, frame }: PageProps) {
  const { snapshot, settled } = frame;
  const { data, state } = snapshot;
  const isTextual = state.panels.every(({ run: id }) => {
    const run = runOf(data, id);
    return run === undefined || viewsOf(run).length === 0;
  });
  // Texts are updated after a pause, not with every frame.
  const wordsPanel = useMemo(() => <WordsPanel store={store} snapshot={settled} />, [settled]);
  const keys = useMemo(() => keyList(store), []);
  return (
    <div class={classes('page', data.runs.length > 1 && 'several', isTextual && 'textual')}>
      <Header store={store} frame={frame} />
      <main>
        <Stages store={store} frame={frame} />
        {wordsPanel}
      </main>
      <Transport store={store} now={snapshot} />
      <p class="aloud" role="status" aria-live="polite">
        {state.announcement}
      </p>
      {keys}
      {store.annotator !== null && <AnnotationDialog annotator={store.annotator} request={state.request} />}
    </div>
  );
}

function Header({ store, frame: { snapshot, settled } }: PageProps) {
  const { state, highlights } = snapshot;
  const { title, end } = settled.run;
  useLayoutEffect(() => {
    document.title = `${title} · step ${settled.state.step}`;
  }, [title, settled.state.step]);
  return (
    <header>
      <div class="heading">
        <ListLink />
        <h1>{title}</h1>
        <p class={classes('status', state.live, end !== null && 'over')}>
          {state.liveNote === '' ? statusOf(settled.run) : state.liveNote}
        </p>
        <p class="lack" role="alert">
          {state.missingText}
        </p>
      </div>
      <div class="tools">
        <SearchField store={store} />
        <span class="hits" role="status">
          {state.query === '' ? '' : `${highlights.found.size} found`}
        </span>
        <IconButton
          icon="beside"
          label="Second picture"
          shortcut="b"
          isPressed={state.panels.length > 1}
          onPress={() => store.perform('beside')}
        />
        <IconButton
          icon="theme"
          label="Light or dark colours"
          shortcut="t"
          onPress={() => store.perform('theme')}
        />
        <IconButton icon="help" label="Keys" shortcut="?" onPress={() => store.perform('help')} />
      </div>
    </header>
  );
}

/** The way back to the list of runs, if this page belongs to one. */
function ListLink() {
  const { list } = document.documentElement.dataset;
  return list === undefined ? null : (
    <a class="to-list" href={list}>
      ← All runs
    </a>
  );
}

function SearchField({ store }: { store: PageStore }) {
  return (
    <input
      type="search"
      placeholder="Find (/)"
      aria-label="Find words"
      aria-keyshortcuts="/"
      maxLength={200}
      ref={store.fields.search}
      onInput={(event) => store.set({ query: event.currentTarget.value })}
      onKeyDown={(event) => {
        if (event.key === 'Enter') store.perform(event.shiftKey ? 'foundBack' : 'found');
        if (event.key !== 'Escape') return;
        // Otherwise the browser empties the field without an event, and the search would stay active.
        event.preventDefault();
        event.currentTarget.blur();
      }}
    />
  );
}

function keyList({ keys, fields }: PageStore) {
  return (
    <dialog aria-label="Keys" ref={fields.help}>
      <h2>Keys</h2>
      <dl>
        {keys.map(({ label, description }) => (
          <div key={label}>
            <dt>
              <kbd>{label}</kbd>
            </dt>
            <dd>{description}</dd>
          </div>
        ))}
      </dl>
      <form method="dialog">
        <button>Close</button>
      </form>
    </dialog>
  );
}

/**
 * The page's parts and their layout: bar, pictures, words, transport, dialogs. In: a snapshot to show; out:
 * elements.
 */
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
  readonly store: PageStore;
  readonly frame: PageFrame;
}

export function Page({ store, frame }: PageProps) {
  const { now, rested } = frame;
  const { data, state } = now;
  const isTextual = state.panels.every(({ run: id }) => {
    const run = runOf(data, id);
    return run === undefined || viewsOf(run).length === 0;
  });
  // What is to be read follows when the page comes to rest, not with every frame.
  const words = useMemo(() => <WordsPanel store={store} shown={rested} />, [rested]);
  const keys = useMemo(() => keyList(store), []);
  return (
    <div class={classes('page', data.runs.length > 1 && 'several', isTextual && 'textual')}>
      <Header store={store} frame={frame} />
      <main>
        <Stages store={store} frame={frame} />
        {words}
      </main>
      <Transport store={store} now={now} />
      <p class="aloud" role="status" aria-live="polite">
        {state.aloud}
      </p>
      {keys}
      {store.annotator !== null && <AnnotationDialog annotator={store.annotator} request={state.request} />}
    </div>
  );
}

function Header({ store, frame: { now, rested } }: PageProps) {
  const { state, marks } = now;
  const { title, end } = rested.run;
  useLayoutEffect(() => {
    document.title = `${title} · step ${rested.state.step}`;
  }, [title, rested.state.step]);
  return (
    <header>
      <div class="heading">
        <ListLink />
        <h1>{title}</h1>
        <p class={classes('status', state.live, end !== null && 'over')}>
          {state.liveNote === '' ? statusOf(rested.run) : state.liveNote}
        </p>
        <p class="lack" role="alert">
          {state.lack}
        </p>
      </div>
      <div class="tools">
        <SearchField store={store} />
        <span class="hits" role="status">
          {state.query === '' ? '' : `${marks.found.size} found`}
        </span>
        <IconButton
          icon="beside"
          label="Second picture"
          shortcut="b"
          isPressed={state.panels.length > 1}
          onPress={() => store.do('beside')}
        />
        <IconButton
          icon="theme"
          label="Light or dark colours"
          shortcut="t"
          onPress={() => store.do('theme')}
        />
        <IconButton icon="help" label="Keys" shortcut="?" onPress={() => store.do('help')} />
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

function SearchField({ store }: { readonly store: PageStore }) {
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
        if (event.key === 'Enter') store.do(event.shiftKey ? 'foundBack' : 'found');
        if (event.key !== 'Escape') return;
        // A browser would empty the field and say nothing of it: the words are still looked for.
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
        {keys.map(({ shown, does }) => (
          <div key={shown}>
            <dt>
              <kbd>{shown}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <form method="dialog">
        <button>Close</button>
      </form>
    </dialog>
  );
}

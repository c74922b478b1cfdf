/** The foot of the page: the timeline, playback, the step's number, speed, and the filters for stepping. */
import { useLayoutEffect, useMemo, useState } from 'preact/hooks';
import { kindsOf, regionText, typedRegion } from './filter.js';
import { Choice, Icon, IconButton } from './icons.js';
import type { PageStore } from './page-store.js';
import type { PageSnapshot } from './snapshot.js';
import { SPEEDS } from './state.js';
import { Timeline } from './timeline.js';

const LEGEND = (
  <p class="legend">
    {['speech', 'problem', 'fork', 'found', 'judged'].map((kind) => (
      <span class={kind}>{kind}</span>
    ))}
  </p>
);

interface TransportProps {
  store: PageStore;
  now: PageSnapshot;
}

export function Transport({ store, now }: TransportProps) {
  const { run, state } = now;
  const playback = useMemo(() => playbackOf(store, state.isPlaying), [state.isPlaying]);
  return (
    <footer>
      <Timeline now={now} onStep={(step) => store.goTo(step)} />
      <div class="controls">
        {playback}
        <StepNumber store={store} now={now} />
        <Choice
          label="Speed"
          options={SPEEDS.map((one) => [String(one), `${one}×`])}
          value={String(state.speed)}
          onChoose={(speed) => store.set({ speed: Number(speed) })}
        />
        <Choice
          label="Agent whose steps are shown"
          options={[
            ['', 'steps of all agents'],
            ...run.agents.map(({ id, name }) => [id, `steps of ${name}`] as const),
          ]}
          value={state.agent ?? ''}
          onChoose={(agent) => store.set({ agent: agent === '' ? null : agent })}
        />
        <Choice
          label="Kind of event in the steps that are shown"
          options={[['', 'any event'], ...kindsOf(run).map((kind) => [kind, `with ${kind}`] as const)]}
          value={state.kind ?? ''}
          onChoose={(kind) => store.set({ kind: kind === '' ? null : kind })}
        />
        {run.start.map !== null && <PlaceFilter store={store} now={now} />}
        {state.region !== null && (
          <button type="button" class="region-chip" onClick={() => store.set({ region: null })}>
            within {regionText(state.region)} <Icon name="reject" />
            <span class="aloud">show all places</span>
          </button>
        )}
        {LEGEND}
      </div>
    </footer>
  );
}

/** Filters by a named place or by a typed region; a region can also be dragged in the picture. */
function PlaceFilter({ store, now: { run, state } }: TransportProps) {
  const { region } = state;
  /** Typed text that is not a region; '' for none. */
  const [invalidText, setWrong] = useState('');
  useLayoutEffect(() => setWrong(''), [region]);
  const choose = (name: string): void => {
    const place = run.places.find((one) => one.name === name);
    store.set({ region: place === undefined ? null : { name, areas: place.areas } });
  };
  const type = (text: string): void => {
    const typed = typedRegion(text);
    setWrong(typed === null ? text.trim() : '');
    if (typed !== null || text.trim() === '') store.set({ region: typed });
  };
  return (
    <>
      {run.places.length > 0 && (
        <Choice
          label="Place of the steps that are shown"
          options={[['', 'anywhere'], ...run.places.map(({ name }) => [name, `in ${name}`] as const)]}
          value={region?.name ?? ''}
          onChoose={choose}
        />
      )}
      <input
        class="region-typed"
        type="text"
        size={11}
        aria-label="Region of the steps that are shown, as two tiles"
        aria-invalid={invalidText !== ''}
        title="Two opposite corners, for example “3, 1 – 5, 2”; or drag over the picture"
        placeholder="x, y – x, y"
        value={invalidText || (region === null || region.name !== '' ? '' : regionText(region))}
        onChange={(event) => type(event.currentTarget.value)}
      />
    </>
  );
}

function playbackOf(store: PageStore, isPlaying: boolean) {
  const press = (action: 'first' | 'back' | 'play' | 'next' | 'last') => () => store.perform(action);
  return (
    <div class="buttons" role="group" aria-label="Playback">
      <IconButton icon="first" label="Before the first step" shortcut="Home" onPress={press('first')} />
      <IconButton icon="back" label="Previous step" shortcut="ArrowLeft" onPress={press('back')} />
      <IconButton
        class="play"
        icon={isPlaying ? 'pause' : 'play'}
        label={isPlaying ? 'Pause' : 'Play'}
        shortcut="Space"
        onPress={press('play')}
      />
      <IconButton icon="next" label="Next step" shortcut="ArrowRight" onPress={press('next')} />
      <IconButton icon="last" label="Last step" shortcut="End" onPress={press('last')} />
    </div>
  );
}

/** Not updated while the reader types into it. */
function StepNumber({ store, now: { state, last } }: TransportProps) {
  const { number } = store.fields;
  useLayoutEffect(() => {
    const { current } = number;
    if (current !== null && document.activeElement !== current) current.value = String(state.step);
  });
  return (
    <label class="where">
      <span>step </span>
      <input
        type="number"
        min={0}
        max={last}
        step={1}
        aria-label="Go to step"
        aria-keyshortcuts="g"
        ref={number}
        onChange={(event) => store.goTo(event.currentTarget.valueAsNumber)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' || event.key === 'Escape') event.currentTarget.blur();
        }}
      />
      <span class="total"> of {last}</span>
    </label>
  );
}

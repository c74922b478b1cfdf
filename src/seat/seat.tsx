/** The layout of a seat: the list of entities, or what one of them perceives next to what it can do. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { IconButton } from '../view/page/icons.js';
import { nextTheme } from '../view/page/theme.js';
import { Board } from './board.js';
import { Journal } from './journal-panel.js';
import { Lobby, Notice } from './lobby.js';
import { Offers } from './offers.js';
import type { SeatProps } from './seat-store.js';
import { nameOf, stateText, type SeatState } from './state.js';
import { Countdown } from './countdown.js';
import { CommandLine, SayLine } from './lines.js';
import { useArrows } from './arrows.js';

export function Seat({ store, state }: SeatProps) {
  const { world, lease, end } = state;
  const title = world?.title ?? 'A served world';
  useLayoutEffect(() => {
    document.title = lease === null ? `${title} · seats` : `${nameOf(state, lease.entity)} · ${title}`;
  }, [title, lease]);
  return (
    <div class="seat">
      <header>
        <div class="heading">
          <h1>{title}</h1>
          <p class="status">{headText(state)}</p>
        </div>
        <div class="tools">
          {lease !== null && (
            <button type="button" class="leave" onClick={() => store.leave()}>
              {end === null ? 'Give the seat back' : 'Close'}
            </button>
          )}
          <IconButton icon="theme" label="Light or dark colours" shortcut="" onPress={() => nextTheme()} />
        </div>
      </header>
      {lease === null ? <Lobby store={store} state={state} /> : <PlayView store={store} state={state} />}
      <p class="aloud" role="status" aria-live="polite">
        {announcedText(state)}
      </p>
    </div>
  );
}

function headText({ world, lease, observation, end, ...state }: SeatState): string {
  if (end !== null) return stateText(end.state);
  if (world === null) return '';
  if (lease === null) return `${stateText(world.state)} · run ${world.run}`;
  const name = nameOf({ world, lease, observation, end, ...state }, lease.entity);
  return observation === null ? `You are ${name}` : `You are ${name} · turn ${observation.tick}`;
}

/** What screen readers announce by themselves: a new turn and its news. */
function announcedText({ observation, journal, outcome, end, isAsked }: SeatState): string {
  if (end !== null) return `The run is over. ${end.reason}`;
  if (outcome !== null) return outcome.text;
  if (observation === null || !isAsked) return '';
  const news = journal.filter(({ tick, kind }) => tick === Number(observation.tick) - 1 && kind !== 'own');
  const lines = news.map(({ speaker, text }) => (speaker === '' ? text : `${speaker} says: ${text}`));
  return [`Turn ${observation.tick}.`, ...lines].join(' ');
}

/** What the entity perceives, and what it can do. */
function PlayView({ store, state }: SeatProps) {
  const { observation, end, outcome, notice } = state;
  useArrows(store, state);
  if (end !== null) return <Ending store={store} state={state} />;
  if (observation === null) return <Waiting state={state} />;
  return (
    <main class="table">
      <section class="left" aria-label="What you see">
        <Countdown state={state} />
        <Board store={store} observation={observation} isAsked={state.isAsked} />
      </section>
      <section class="doing" aria-label="What you can do">
        <Notice text={notice} />
        {outcome !== null && <p class={`outcome ${outcome.tone}`}>{outcome.text}</p>}
        <SayLine store={store} state={state} />
        <CommandLine store={store} isAsked={state.isAsked} />
        <Offers store={store} forms={observation.forms} isAsked={state.isAsked} />
      </section>
      <aside class="right" aria-label="What you perceive">
        <div class="words">
          <Briefing rules={state.briefing} />
          {observation.text.map(({ section, lines }) => (
            <p key={section} class="section">
              {lines.join('\n')}
            </p>
          ))}
          <Journal lines={state.journal} />
        </div>
      </aside>
    </main>
  );
}

function Waiting({ state: { world, entities, notice } }: { state: SeatState }) {
  const heldCount = entities.filter(({ controller }) => controller !== '').length;
  return (
    <main class="pause">
      <h2>You have the seat</h2>
      <Notice text={notice} />
      <p role="status">
        {world === null || world.tick === 0n
          ? `The world starts once enough seats are taken (${heldCount} of ${entities.length}).`
          : 'The others act first. Your turn comes next.'}
      </p>
    </main>
  );
}

function Ending({ store, state: { end, journal } }: SeatProps) {
  if (end === null) return null;
  return (
    <main class="pause">
      <h2>The run {stateText(end.state)}</h2>
      <p>{end.reason}</p>
      <p>
        <button type="button" class="main" onClick={() => store.leave()}>
          Back to the seats
        </button>
      </p>
      <Journal lines={journal} />
    </main>
  );
}

/** Open at first, because no one knows the rules yet. */
function Briefing({ rules }: { rules: string }) {
  const [isOpen, setOpen] = useState(true);
  const text = useRef<HTMLPreElement>(null);
  // Shows the end first: who the entity is, and its goals.
  useLayoutEffect(() => {
    if (text.current !== null) text.current.scrollTop = text.current.scrollHeight;
  }, [rules]);
  return (
    <details
      class="briefing"
      hidden={rules === ''}
      open={isOpen}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>Who you are, and the rules</summary>
      <pre ref={text} tabIndex={0}>
        {rules}
      </pre>
    </details>
  );
}

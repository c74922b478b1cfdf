/** The exact prompt of each call of a step, message by message, with the pictures in their places. */
import { useLayoutEffect, useRef } from 'preact/hooks';
import { at } from '../../base/assert.js';
import { WORLD_ID } from '../../base/ids.js';
import { counted } from '../../base/counted.js';
import type { PageCall, PageMessage, PageRun } from '../page-data.js';
import { messagesOf } from './messages.js';
import type { PageSnapshot } from './snapshot.js';
import { nameOf } from './state.js';
import type { WordsProps } from './step-words.js';
import type { TileCache } from './tiles.js';
import { factsOf } from './call-facts.js';

interface PromptProps extends WordsProps {
  tiles: TileCache;
}

/** All messages as they were sent; only the last one of each call is unfolded. */
export function PromptWords(props: PromptProps) {
  const calls = props.snapshot.step?.calls ?? [];
  if (calls.length === 0) return <p class="quiet">{noPromptText(props.snapshot)}</p>;
  return calls.map((call) => promptOf(call, props));
}

function noPromptText({ run, step }: PageSnapshot): string {
  if (step === null) return 'There is no prompt before the first step.';
  if (step.agent === WORLD_ID) return 'There is no prompt at the end of a turn.';
  if (step.acts.some(({ insteadOf }) => insteadOf?.code === 'uncontrolled'))
    return `Nobody controlled ${nameOf(run, step.agent)}, so nobody was asked in this step.`;
  return 'No agent was asked in this step.';
}

function promptOf(call: PageCall, props: PromptProps) {
  const messages = messagesOf(props.snapshot.run, call);
  const earlier = messages.slice(0, -1).map((message) => messageOf(message, props));
  const last = messages.at(-1);
  return (
    <section>
      <h3>
        Prompt <span class="quiet">{factsOf({ ...call, reply: { kind: 'none' } })}</span>
      </h3>
      {earlier.length > 0 && (
        <details class="earlier">
          <summary>{counted(earlier.length, 'message')} before</summary>
          {earlier}
        </details>
      )}
      {last === undefined ? <p class="quiet">No message was sent.</p> : messageOf(last, props, 'fresh')}
    </section>
  );
}

function messageOf({ role, pieces }: PageMessage, { snapshot, tiles, highlight }: PromptProps, age = '') {
  const body = pieces.map((piece) => {
    if ('text' in piece) return <pre>{highlight(at(snapshot.data.texts, piece.text))}</pre>;
    return <SentPicture tiles={tiles} run={snapshot.run} place={piece.picture} />;
  });
  return (
    <article class={`message ${role} ${age}`}>
      <h4>{role}</h4>
      {body}
    </article>
  );
}

interface SentPictureProps {
  tiles: TileCache;
  run: PageRun;
  /** Index into the page's table of pictures. */
  place: number;
}

function SentPicture({ tiles, run, place }: SentPictureProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useLayoutEffect(() => {
    if (canvas.current !== null) void tiles.showSent(canvas.current, run, place);
  }, [run.id, place]);
  return <canvas class="sent" role="img" aria-label="the picture as it was sent" ref={canvas} />;
}

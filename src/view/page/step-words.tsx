/**
 * The words of a step: what was requested and what happened, the reply with its accepted part highlighted,
 * speech, and how the run ended. The elements contain only text.
 */
import { WORLD_ID } from '../../base/ids.js';
import type { PageEnd, PageRun, PageSaid, PageStep } from '../page-data.js';
import type { HighlightText } from './highlighted-text.js';
import type { PageSnapshot } from './snapshot.js';
import { nameOf } from './state.js';
import { Tries } from './tries.js';

export interface WordsProps {
  snapshot: PageSnapshot;
  /** Shows a text with the searched words highlighted. */
  highlight: HighlightText;
}

export function StepWords({ snapshot: { data, run, step }, highlight }: WordsProps) {
  const end = (step?.step ?? 0) === run.steps.length ? run.end : null;
  if (step === null) return [<p class="quiet">Before the first step.</p>, endOf(end)];
  return (
    <>
      {!step.asLogged && (
        <p class="warning">
          The world replayed from this log differs from the logged one here: orchestrate verify shows why.
        </p>
      )}
      {step.acts.length === 0 && (
        <p class="quiet">{step.agent === WORLD_ID ? 'The turn ends.' : 'No action was taken.'}</p>
      )}
      <Tries data={data} step={step} highlight={highlight}>
        {step.said.map((said) => saidOf(run, said, { step, light: highlight }))}
      </Tries>
      {step.notes.map((note) => (
        <p class="quiet">{note}</p>
      ))}
      {endOf(end)}
    </>
  );
}

/** Who heard an utterance; with its words unless it is the step's own act. */
function saidOf(
  run: PageRun,
  { speaker, text, hearers }: PageSaid,
  { step, light }: { step: PageStep; light: HighlightText },
) {
  const names = hearers.filter((one) => one !== speaker).map((one) => nameOf(run, one));
  const hearersText = names.length === 0 ? 'Nobody heard it.' : `Heard by ${names.join(', ')}.`;
  if (speaker === step.agent) return <p class="heard">{hearersText}</p>;
  return (
    <blockquote>
      <cite>{nameOf(run, speaker)}</cite> “<span>{light(text)}</span>” {hearersText}
    </blockquote>
  );
}

function endOf(end: PageEnd | null) {
  if (end === null) return null;
  return (
    <p class={end.status === 'succeeded' ? 'end good' : 'end'}>
      <strong>{end.status}</strong> {end.reason}
    </p>
  );
}

/**
 * A person's verdict on a step: shown with it and, if a program serves the page, given with buttons and keys.
 * Typed text stays until it is stored.
 */
import { useLayoutEffect, useRef } from 'preact/hooks';
import { verdictOn, type Annotator } from './annotator.js';
import { classes, Icon } from './icons.js';
import type { PageStore } from './page-store.js';
import type { PageSnapshot } from './snapshot.js';
import { nameOf, stepKey, type AnnotationRequest } from './state.js';
import { canBeAnnotated } from './step-highlights.js';

/** The maximum length of a mark in UTF-16 units; the server refuses more. */
const MAX_CHARACTERS = 65_536;

const CHOICES = [
  ['accepted', 'accept', 'y', 'Accept'],
  ['rejected', 'reject', 'x', 'Reject'],
  ['corrected', 'correct', 'c', 'Correct'],
] as const;

interface AnnotationBarProps {
  store: PageStore;
  snapshot: PageSnapshot;
}

export function AnnotationBar({ store, snapshot: { run, step, state } }: AnnotationBarProps) {
  const mark = step === null ? undefined : run.marks.get(step.step);
  const { outcome } = state;
  const isOutcomeHere = outcome.key === stepKey(run, step?.step ?? 0);
  const isTextShown = mark !== undefined && (store.annotator === null || mark.text !== '');
  return (
    <div class="judging">
      {store.annotator !== null && (
        <div class="judge" role="group" aria-label="Your verdict on this step">
          {CHOICES.map(([verdict, action, key, text]) => (
            <button
              key={verdict}
              type="button"
              class={verdict}
              title={`${text} (${key})`}
              aria-label={text}
              aria-keyshortcuts={key}
              aria-pressed={verdictOn(state, run, step?.step ?? 0) === verdict}
              // Not `disabled`, so that a focused button keeps the focus while the step changes.
              aria-disabled={step === null || !canBeAnnotated(step)}
              onClick={() => store.perform(action)}
            >
              <Icon name={action} />
              <span>{text}</span>
            </button>
          ))}
        </div>
      )}
      <p class={classes('said', mark?.verdict ?? '')} hidden={!isTextShown}>
        {mark !== undefined && <b>{mark.verdict}</b>}
        {mark !== undefined && mark.text !== '' && `: ${mark.text}`}
      </p>
      {/* The outcome of saving a verdict. */}
      <p class={classes('told', !outcome.isSeen && 'unseen')} role="status">
        {isOutcomeHere ? outcome.words : ''}
      </p>
    </div>
  );
}

interface AnnotationDialogProps {
  annotator: Annotator;
  request: AnnotationRequest | null;
}

export function AnnotationDialog({ annotator, request }: AnnotationDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => {
    if (dialog.current !== null && field.current !== null)
      showRequest(dialog.current, field.current, request);
  }, [request]);
  const isReject = request?.verdict === 'rejected';
  const subject = request === null ? '' : `step ${request.step} of ${nameOf(request.run, request.agent)}`;
  return (
    <dialog
      class="judging-dialog"
      aria-labelledby="judging-heading"
      ref={dialog}
      // The dialog may be open again when this event arrives.
      onClose={(event) => !event.currentTarget.open && annotator.cancel()}
    >
      <h2 id="judging-heading">
        {isReject ? 'Reject' : 'Correct'} {subject}
      </h2>
      <form
        method="dialog"
        onSubmit={(event) => {
          event.preventDefault();
          void annotator.answer(request?.verdict ?? 'none', field.current?.value ?? '');
        }}
      >
        <label for="judging-words">
          {isReject ? 'Reason (optional)' : 'The reply that the agent should have given'}
        </label>
        <textarea
          id="judging-words"
          rows={7}
          maxLength={MAX_CHARACTERS}
          spellcheck
          required={!isReject}
          ref={field}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
            event.preventDefault();
            event.currentTarget.form?.requestSubmit();
          }}
        />
        <p class="warning" role="alert">
          {request?.failure}
        </p>
        <div class="row-of-buttons">
          <button type="submit" class="main">
            Save
          </button>
          <button type="button" onClick={() => dialog.current?.close()}>
            Cancel
          </button>
          <button
            type="button"
            class="take-back"
            hidden={request?.hasVerdict !== true}
            onClick={() => void annotator.answer('none', '')}
          >
            Remove the mark
          </button>
        </div>
        <p class="quiet">Ctrl+Enter saves, Escape cancels.</p>
      </form>
    </dialog>
  );
}

/** Opens the dialog with the request's text, or closes it. */
function showRequest(
  dialog: HTMLDialogElement,
  field: HTMLTextAreaElement,
  request: AnnotationRequest | null,
): void {
  if (request === null) {
    // Otherwise the field would still get what is typed before the next frame.
    field.blur();
    dialog.close();
    return;
  }
  field.value = request.text;
  if (!dialog.open) dialog.showModal();
  field.focus();
  // A text that could not be saved is not selected, so that the next key does not replace it.
  if (request.failure === '') field.select();
  else field.setSelectionRange(request.text.length, request.text.length);
}

/**
 * Sends a person's verdict on a step to the server, and keeps it in the page's state until the run's marks
 * contain it. The dialog closes immediately, and opens again with the typed text if saving failed.
 */
import { at } from '../../base/assert.js';
import type { PageData, PageMark, PageRun, PageStep } from '../page-data.js';
import type { PageChange } from './actions.js';
import type { SaveAnnotation } from './load.js';
import type { PageSnapshot } from './snapshot.js';
import { stepKey, type AnnotationRequest, type PageState } from './state.js';
import { canBeAnnotated } from './step-highlights.js';

/** After this time, a stored verdict has arrived with the run's marks. */
const CONFIRM_MS = 3000;

export type PageVerdict = AnnotationRequest['verdict'];

/** The page whose step is annotated. */
export interface AnnotatedPage {
  snapshot: PageSnapshot;
  set(change: PageChange): void;
  /** Draws immediately, so that what the person types next goes into the dialog. */
  flush(): void;
}

export class Annotator {
  readonly #saveAnnotation: SaveAnnotation;
  readonly #page: AnnotatedPage;

  constructor(save: SaveAnnotation, page: AnnotatedPage) {
    this.#saveAnnotation = save;
    this.#page = page;
  }

  /**
   * Gives the shown step this verdict; a rejection or a correction opens the dialog for its text first.
   * Accepting an accepted step removes the verdict.
   */
  annotate(verdict: PageVerdict): void {
    const { data, run, step, state } = this.#page.snapshot;
    if (step === null || !canBeAnnotated(step)) {
      const key = stepKey(run, step?.step ?? 0);
      this.#page.set({ outcome: { key, words: 'No agent replied in this step.', isSeen: true } });
      return;
    }
    if (verdict !== 'accepted') this.#setRequest(requestFor(data, run, { step, verdict }));
    else {
      const isRepeated = verdictOn(state, run, step.step) === 'accepted';
      void this.#send(run, { step: step.step, verdict: isRepeated ? 'none' : verdict, text: '' });
    }
  }

  /** The dialog was submitted. */
  async answer(verdict: PageMark['verdict'], text: string): Promise<void> {
    const { request } = this.#page.snapshot.state;
    if (request === null) return;
    this.#setRequest(null);
    const failure = await this.#send(request.run, { step: request.step, verdict, text });
    if (failure !== null && this.#page.snapshot.state.request === null)
      this.#setRequest({ ...request, text, failure });
  }

  /** The dialog was closed without an answer. */
  cancel(): void {
    this.#page.set({ request: null });
  }

  #setRequest(request: AnnotationRequest | null): void {
    this.#page.set({ request });
    this.#page.flush();
  }

  async #send(run: PageRun, mark: PageMark): Promise<string | null> {
    const key = stepKey(run, mark.step);
    this.#page.set({ sent: new Map(this.#page.snapshot.state.sent).set(key, mark) });
    const failure = await this.#saveAnnotation(run.id, mark);
    // Once stored, it arrives with the next data, unless another reader has stored a different verdict.
    if (failure === null) setTimeout(() => this.#forget(key, mark), CONFIRM_MS);
    else this.#forget(key, mark);
    const outcome = mark.verdict === 'none' ? 'mark removed' : mark.verdict;
    const words = failure === null ? `Step ${mark.step}: ${outcome}.` : `Not saved: ${failure}`;
    // The pressed button shows success, so only a failure is shown as text.
    this.#page.set({ outcome: { key, words, isSeen: failure !== null } });
    return failure;
  }

  #forget(key: string, mark: PageMark): void {
    const { sent } = this.#page.snapshot.state;
    if (sent.get(key) === mark) this.#page.set({ sent: new Map([...sent].filter(([one]) => one !== key)) });
  }
}

/** The current verdict on a step, including one that was sent but not yet confirmed. */
export function verdictOn({ sent }: PageState, run: PageRun, step: number): PageMark['verdict'] {
  return sent.get(stepKey(run, step))?.verdict ?? run.marks.get(step)?.verdict ?? 'none';
}

/** The sent verdicts that the run's marks don't contain yet. */
export function unconfirmed({ sent }: PageState, { runs }: PageData): PageState['sent'] {
  const isConfirmed = (key: string, { step, verdict }: PageMark) =>
    runs.some((run) => key === stepKey(run, step) && (run.marks.get(step)?.verdict ?? 'none') === verdict);
  return new Map([...sent].filter(([key, mark]) => !isConfirmed(key, mark)));
}

function requestFor(
  data: PageData,
  run: PageRun,
  { step, verdict }: { step: PageStep; verdict: PageVerdict },
): AnnotationRequest {
  const mark = run.marks.get(step.step);
  // The reply that settled the step, to correct it.
  const reply = step.calls.findLast((call) => call.reply.kind === 'replied')?.reply;
  const replyText = reply?.kind === 'replied' ? at(data.texts, reply.content) : '';
  const text = mark?.verdict === verdict ? mark.text : verdict === 'rejected' ? '' : replyText;
  return {
    run,
    step: step.step,
    agent: step.agent,
    verdict,
    hasVerdict: mark !== undefined,
    text,
    failure: '',
  };
}

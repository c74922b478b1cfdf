/**
 * What a person thinks of a step: shown with it, and, where a program serves the page, said by buttons and keys. In: the step, and how a word is kept; out:
 * the bar over the step's words and a dialog for those that take words. What was typed stays until it is kept.
 */
import { at } from '../../base/assert.js';
import type { PageData, PageMark, PageRun, PageStep } from '../page-data.js';
import { element, face, say, type IconName } from './icons.js';
import type { SaveAnnotation } from './load.js';
import { nameOf } from './state.js';
import { canBeJudged } from './step-highlights.js';

/** As long as a mark may be, in UTF-16 units: the program refuses more. */
const MOST_CHARACTERS = 65_536;

/** By then a word that was kept has come back from the program. */
const RETURN_MS = 3000;

type PageVerdict = Exclude<PageMark['verdict'], 'none'>;

const CHOICES: readonly (readonly [
  verdict: PageVerdict,
  deed: 'accept' | 'reject' | 'correct',
  key: string,
  text: string,
])[] = [
  ['accepted', 'accept', 'y', 'Accept'],
  ['rejected', 'reject', 'x', 'Reject'],
  ['corrected', 'correct', 'c', 'Correct'],
];

/** A step that something is said of. */
interface AnnotatedStep {
  readonly data: PageData;
  readonly run: PageRun;
  readonly step: PageStep | null;
}

/** What the dialog asks for. */
interface AnnotationTarget {
  readonly run: PageRun;
  readonly step: number;
  readonly agent: string;
  readonly verdict: PageVerdict;
  /** Whether something was said before, which can be taken back. */
  readonly isHeld: boolean;
}

export interface JudgingEvents {
  /** A button was pressed. */
  do(deed: 'accept' | 'reject' | 'correct'): void;
}

export class AnnotationPanel {
  readonly element: HTMLElement;
  readonly dialog: HTMLDialogElement;
  readonly #keep: SaveAnnotation | null;
  readonly #buttons = new Map<PageVerdict, HTMLButtonElement>();
  readonly #said = element('p', { class: 'said', hidden: '' });
  /** What became of a word, for eyes and for readers aloud. */
  readonly #told = element('p', { class: 'told unseen', role: 'status' });
  readonly #heading = element('h2', { id: 'judging-heading' });
  readonly #label = element('label', { for: 'judging-words' });
  readonly #field = element('textarea', {
    id: 'judging-words',
    rows: '7',
    maxlength: String(MOST_CHARACTERS),
    spellcheck: 'true',
  });
  readonly #failed = element('p', { class: 'warning', role: 'alert' });
  readonly #back = element('button', { type: 'button', class: 'take-back' }, 'Take back what was said');
  /** What the dialog is about; null while it is closed. */
  #asked: AnnotationTarget | null = null;
  /** The step over whose words the bar stands. */
  #shown: AnnotatedStep | null = null;
  /** Said, and not yet among the run's marks: the next key may come before. */
  readonly #sent = new Map<string, PageMark['verdict']>();

  constructor(keep: SaveAnnotation | null, events: JudgingEvents) {
    this.#keep = keep;
    const group = element('div', { class: 'judge', role: 'group', 'aria-label': 'Your word on this step' });
    for (const [verdict, deed, key, text] of CHOICES) {
      const made = element('button', {
        type: 'button',
        class: verdict,
        'aria-pressed': 'false',
        'aria-keyshortcuts': key,
        title: `${text} (${key})`,
      });
      face(made, deed satisfies IconName, text);
      made.append(element('span', {}, text));
      made.addEventListener('click', () => events.do(deed));
      this.#buttons.set(verdict, made);
      group.append(made);
    }
    this.element = element('div', { class: 'judging' }, keep === null ? null : group, this.#said, this.#told);
    this.dialog = this.#dialogOf();
  }

  /** Shows what holds for a step. */
  show(judged: AnnotatedStep): void {
    const { run, step } = judged;
    this.#shown = judged;
    const mark = step === null ? undefined : run.marks.get(step.step);
    const isOpen = step !== null && canBeJudged(step);
    const held = this.#heldOn(run, step?.step ?? 0);
    for (const [verdict, made] of this.#buttons) {
      made.setAttribute('aria-pressed', String(held === verdict));
      // Still there for whoever goes along with the focus on it.
      made.setAttribute('aria-disabled', String(!isOpen));
    }
    this.#said.hidden = mark === undefined || (this.#keep !== null && mark.text === '');
    this.#said.className = `said ${mark?.verdict ?? ''}`;
    const key = JSON.stringify(mark ?? null);
    if (this.#said.dataset['key'] !== key) {
      this.#said.dataset['key'] = key;
      const words =
        mark === undefined ? [] : [element('b', {}, mark.verdict), mark.text === '' ? '' : `: ${mark.text}`];
      this.#said.replaceChildren(...words);
    }
    if (this.#told.dataset['step'] !== `${run.id} ${step?.step ?? 0}`) say(this.#told, '');
  }

  /** Says it of a step, after asking for the words that it takes; the same a second time takes it back. */
  judge({ data, run, step }: AnnotatedStep, verdict: PageVerdict): void {
    if (this.#keep === null) return;
    if (step === null || !canBeJudged(step)) {
      this.#tell(run, step?.step ?? 0, 'Nobody answered in this step.');
      return;
    }
    if (verdict !== 'accepted') this.#ask({ data, run, step }, verdict);
    else if (this.#heldOn(run, step.step) === 'accepted')
      void this.#send(run, { step: step.step, verdict: 'none', text: '' });
    else void this.#send(run, { step: step.step, verdict, text: '' });
  }

  /** What somebody said of a step, be it back from the program yet or not. */
  #heldOn(run: PageRun, step: number): PageMark['verdict'] {
    const key = `${run.id} ${step}`;
    const [sent, told] = [this.#sent.get(key), run.marks.get(step)?.verdict ?? 'none'];
    if (sent === told) this.#sent.delete(key);
    return this.#sent.get(key) ?? told;
  }

  #ask({ data, run, step }: AnnotatedStep & { readonly step: PageStep }, verdict: PageVerdict): void {
    const held = run.marks.get(step.step);
    const isReject = verdict === 'rejected';
    const text = held?.verdict === verdict ? held.text : isReject ? '' : replyIn(data, step);
    this.#open(
      { run, step: step.step, agent: step.agent, verdict, isHeld: held !== undefined },
      { text, why: '' },
    );
  }

  #open(asked: AnnotationTarget, { text, why }: { readonly text: string; readonly why: string }): void {
    const { run, step, agent, verdict, isHeld } = asked;
    const isReject = verdict === 'rejected';
    say(this.#heading, `${isReject ? 'Reject' : 'Correct'} step ${step} of ${nameOf(run, agent)}`);
    say(this.#label, isReject ? 'Why? (may be empty)' : 'What should have been answered, as a reply');
    this.#field.required = !isReject;
    this.#field.value = text;
    this.#back.hidden = !isHeld;
    this.dialog.showModal();
    this.#asked = asked;
    say(this.#failed, why);
    this.#field.focus();
    // What somebody typed and could not keep is theirs to mend: the next key must not replace all of it.
    if (why === '') this.#field.select();
    else this.#field.setSelectionRange(text.length, text.length);
  }

  #dialogOf(): HTMLDialogElement {
    const keep = element('button', { type: 'submit', class: 'main' }, 'Keep it');
    const cancel = element('button', { type: 'button' }, 'Cancel');
    const back = this.#back;
    const note = element('p', { class: 'quiet' }, 'Ctrl Enter keeps it, Escape cancels.');
    const row = element('div', { class: 'row-of-buttons' }, keep, cancel, back);
    const form = element('form', { method: 'dialog' }, this.#label, this.#field, this.#failed, row, note);
    const dialog = element(
      'dialog',
      { class: 'judging-dialog', 'aria-labelledby': 'judging-heading' },
      this.#heading,
      form,
    );
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      void this.#answer(this.#asked?.verdict ?? 'none', this.#field.value);
    });
    cancel.addEventListener('click', () => dialog.close());
    back.addEventListener('click', () => void this.#answer('none', ''));
    this.#field.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      form.requestSubmit();
    });
    return dialog;
  }

  /** The dialog closes at once: whoever types on means the page. It comes back with what was typed where that was not kept. */
  async #answer(verdict: PageMark['verdict'], text: string): Promise<void> {
    const asked = this.#asked;
    if (asked === null) return;
    this.#asked = null;
    // Else what is typed before the next frame would still be its own.
    this.#field.blur();
    this.dialog.close();
    const why = await this.#send(asked.run, { step: asked.step, verdict, text });
    if (why === null || this.dialog.open) return;
    this.#open(asked, { text, why });
  }

  async #send(run: PageRun, mark: PageMark): Promise<string | null> {
    const key = `${run.id} ${mark.step}`;
    this.#sent.set(key, mark.verdict);
    const why = (await this.#keep?.(run.id, mark)) ?? null;
    // Kept, it comes back with the next answer, unless somebody else was quicker to say something other.
    if (why === null) setTimeout(() => this.#sent.delete(key), RETURN_MS);
    else {
      this.#sent.delete(key);
      if (this.#shown !== null) this.show(this.#shown);
    }
    const told = mark.verdict === 'none' ? 'what was said is taken back' : mark.verdict;
    this.#tell(
      run,
      mark.step,
      why === null ? `Step ${mark.step}: ${told}.` : `Not kept: ${why}`,
      why !== null,
    );
    return why;
  }

  /** Eyes see that a word is kept by its button; that it is not has to be said. */
  #tell(run: PageRun, step: number, words: string, isSeen = true): void {
    this.#told.dataset['step'] = `${run.id} ${step}`;
    this.#told.classList.toggle('unseen', !isSeen);
    say(this.#told, words);
  }
}

/** The reply that settled the step; '' where there was none. */
function replyIn({ texts }: PageData, { calls }: PageStep): string {
  const reply = calls.findLast((call) => call.reply.kind === 'replied')?.reply;
  return reply?.kind === 'replied' ? at(texts, reply.content) : '';
}

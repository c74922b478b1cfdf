/**
 * Navigation in a logged run: the next or previous step, of all or of one agent, and the next step whose text
 * contains given words.
 */
import type { LogReader } from '../../log/reader.js';
import { stepText } from '../text/replay-text.js';
import type { StepText } from '../text/replay-text.js';
import { lineText } from '../terminal/styled-lines.js';

/** The number of steps read at once when searching backwards for an agent's step. */
const WINDOW = 64;
/** The number of steps between two checks for keys. */
const STEPS_PER_BREAK = 16;

export interface StepsSource {
  reader: LogReader;
  runId: string;
  names: StepText['names'];
}

export class StepWalker {
  readonly #source: StepsSource;
  #last: number;

  constructor(source: StepsSource, last: number) {
    this.#source = source;
    this.#last = last;
  }

  /** The last known step in the log. */
  get last(): number {
    return this.#last;
  }

  /** Reads it again, because a run in progress writes more steps. */
  refresh(): void {
    const { reader, runId } = this.#source;
    this.#last = reader.runs().find((one) => one.runId === runId)?.steps ?? this.#last;
  }

  /** Null if there is none; `agent` null: steps of all agents. */
  next(step: number, agent: string | null): number | null {
    if (step >= this.#last) this.refresh();
    if (agent === null) return step < this.#last ? step + 1 : null;
    const { reader, runId } = this.#source;
    for (const record of reader.steps(runId, { agent, from: step + 1, to: this.#last })) return record.step;
    return null;
  }

  previous(step: number, agent: string | null): number | null {
    if (agent === null) return step > 1 ? step - 1 : null;
    const { reader, runId } = this.#source;
    for (let to = step - 1, width = WINDOW; to >= 1; to -= width, width *= 2) {
      const from = Math.max(1, to - width + 1);
      const found = [...reader.steps(runId, { agent, from, to })].at(-1);
      if (found !== undefined) return found.step;
    }
    return null;
  }

  /** The text of a step; null if the step does not exist. */
  textOf(step: number): StepText | null {
    const { reader, runId, names } = this.#source;
    const record = reader.step(runId, step);
    if (record === null) return null;
    return { step: record, calls: reader.calls(runId, step), names };
  }

  /**
   * The nearest step beyond `from` whose text contains the search text, in any case; the search wraps around
   * at the ends. Null for none. Rejects with the signal's reason; keys are handled between steps, and
   * `onStep` reports progress.
   */
  async find(
    searchText: string,
    {
      from,
      agent,
      isForwards,
      signal,
      onStep,
    }: {
      from: number;
      agent: string | null;
      isForwards: boolean;
      signal: AbortSignal;
      onStep: (step: number) => void;
    },
  ): Promise<number | null> {
    const lowerCase = searchText.toLowerCase();
    const advance = (step: number) => (isForwards ? this.next(step, agent) : this.previous(step, agent));
    const start = isForwards ? 0 : this.#last + 1;
    let [step, hasWrapped, searchedSteps]: [number | null, boolean, number] = [advance(from), false, 0];
    for (;;) {
      if (step === null) {
        if (hasWrapped) return null;
        hasWrapped = true;
        step = advance(start);
        continue;
      }
      if (hasWrapped && (isForwards ? step > from : step < from)) return null;
      const text = this.textOf(step);
      if (text !== null && stepText(text).some((line) => lineText(line).toLowerCase().includes(lowerCase)))
        return step;
      searchedSteps += 1;
      if (searchedSteps % STEPS_PER_BREAK === 0) {
        onStep(step);
        await new Promise((resolve) => setImmediate(resolve));
        signal.throwIfAborted();
      }
      step = advance(step);
    }
  }
}

/**
 * The outside of a run, played from its log: what the loop writes is held against what was written, what it asks for is answered with what
 * was answered. So `verify` is the loop itself with recordings in place of minds, tools, clock and disk, and nothing of the loop is told twice.
 *
 * A log may end before its run did (interrupted, failed, killed). Where it has nothing more, the run is stopped as it was stopped.
 */
import { known } from '../base/assert.js';
import { ModelError } from '../base/errors.js';
import type { LoggedCall } from '../log/reader.js';
import type { CallEnd, CallRequest, OutsideRecord, RunEnd, RunRecord, StepRecord } from '../log/records.js';
import type { RunSink } from '../log/sink.js';
import { NOTHING_SPENT, overBudget } from '../orchestrator/budget.js';
import type { Clock, StopSignals } from '../orchestrator/parts.js';
import { compareEnd, compareRequest, compareStates, compareStep, same, unlikeFiles } from './comparison.js';
import type { PartsOf } from './comparison.js';
import { DifferenceFound } from './difference.js';
import type { LoggedStep, Recording } from './recording.js';
import { samePixels } from './pixels.js';

/** Thrown where the log of a run without an end has nothing more. */
export class RecordingEnds extends Error {
  override readonly name = 'RecordingEnds';
}

/** An agent's part in the step being played. */
interface Playing {
  readonly step: number;
  readonly call: LoggedCall;
  /** Settled before the reply is handed out: pictures whose files differ are compared pixel by pixel. */
  readonly pictures: Promise<void> | null;
  /** How many outputs from outside were handed out for the step. */
  outputs: number;
}

export class Playback implements RunSink {
  /** Compared so far. */
  steps = 0;
  frames = 0;
  /** Whether the end was found to be the same. */
  hasEnded = false;
  readonly #recording: Recording;
  readonly #partsOf: PartsOf;
  readonly #soft = new AbortController();
  readonly #hard = new AbortController();
  readonly #playing = new Map<string, Playing>();
  /** By step, the numbers that its calls have here. */
  readonly #numbers = new Map<number, number[]>();
  readonly #outside = new Map<number, readonly OutsideRecord[]>();

  constructor(recording: Recording, partsOf: PartsOf) {
    this.#recording = recording;
    this.#partsOf = partsOf;
  }

  get stop(): StopSignals {
    return { soft: this.#soft.signal, hard: this.#hard.signal };
  }

  /** Time stands still, and is over where the log says that it was. */
  get clock(): Clock {
    const { run, end, last } = this.#recording;
    const { seconds } = run.scenario.budget;
    const over = (seconds ?? 0) * 1000;
    const onlyTime = { steps: null, tokens: null, cost: null, seconds };
    const isTimed = seconds !== null && end?.reason === overBudget(onlyTime, NOTHING_SPENT, over);
    return { now: () => run.startedAt + (isTimed && this.steps >= last ? over : 0) };
  }

  begin(_run: RunRecord, initialState: unknown): void {
    const states = { logged: this.#recording.initialState, made: initialState };
    compareStates({ step: null, agent: null }, ['initialState'], states, this.#partsOf);
    this.#stopWhereLogStops();
  }

  request(made: CallRequest): void {
    const { step, agent } = made;
    const logged = this.#recording.at(step);
    const numbers = this.#numbers.get(step) ?? [];
    const call = logged.calls[numbers.length];
    if (call === undefined) this.#nothingLogged({ step, agent, what: made.purpose, index: numbers.length });
    compareRequest(call.request, made, numbers.length);
    this.#numbers.set(step, [...numbers, made.call]);
    if (made.frameHash !== null) this.frames += 1;
    const unlike = unlikeFiles(call.request.messages, made.messages);
    const pictures = unlike.length === 0 ? null : samePixels({ step, agent }, unlike);
    // Nobody may wait for it: what it found is told all the same, by whoever does.
    pictures?.catch(() => undefined);
    const outputs = this.#playing.get(agent)?.step === step ? (this.#playing.get(agent)?.outputs ?? 0) : 0;
    this.#playing.set(agent, { step, call, pictures, outputs });
  }

  /** It is the log's own. */
  reply(_runId: string, _call: number, _end: CallEnd, _durable: boolean): void {}

  outside(made: OutsideRecord): void {
    const { step, agent } = made;
    const playing = known(this.#playing.get(agent), `a call of ${agent}`);
    const logged = this.#outsideOf(step)[playing.outputs];
    if (logged === undefined)
      this.#nothingLogged({ step, agent, what: made.action, index: playing.outputs, part: 'outside' });
    const aspect = {
      part: 'outside',
      at: ['outside', playing.outputs],
      note: 'something else reached outside',
    };
    const kept = ({ action, args, output }: OutsideRecord) => ({ agent, action, args, output });
    same({ step, agent }, aspect, { ...kept(logged), agent: logged.agent }, kept(made));
    playing.outputs += 1;
  }

  step(made: StepRecord): void {
    const { step, agent } = made;
    const logged = this.#recording.at(step);
    if (logged.record === null) this.#nothingLogged({ step, agent, what: 'step', index: null });
    compareStep(logged.record, this.#renumbered(made, logged), this.#partsOf);
    this.#numbers.delete(step);
    this.#outside.delete(step);
    this.#recording.forget(step);
    this.steps = step;
    this.#stopWhereLogStops();
  }

  flush(): void {}

  end(_runId: string, made: RunEnd): void {
    const { end, last } = this.#recording;
    if (made.steps < last) this.#moreLogged(made);
    if (end !== null) compareEnd(end, made, this.#partsOf);
    this.hasEnded = true;
  }

  onDurable(): void {}

  /** What is logged of the call that the agent is in. */
  async answered(agent: string): Promise<Extract<CallEnd, { kind: 'replied' }>> {
    const { call, pictures } = known(this.#playing.get(agent), `a call of ${agent}`);
    if (pictures !== null) await pictures;
    if (call.end?.kind === 'replied') return call.end;
    return this.#cutOff(call.request.step, agent);
  }

  /** Who was asked. */
  nameOf(agent: string): string {
    return this.#playing.get(agent)?.call.request.controller ?? 'recorded';
  }

  /** Whether words that are no action were got from the agent in the step that comes. */
  tells(agent: string): boolean {
    const { scenario } = this.#recording.run;
    for (let step = this.steps + 1; step <= this.steps + scenario.agents.length; step++) {
      const { record, calls, beside } = this.#recording.at(step);
      const own = [...calls, ...beside].filter(({ request }) => request.agent === agent);
      if (own.some(({ request }) => request.purpose === 'summary' || request.purpose === 'probe'))
        return true;
      if (record?.agent === agent || own.length > 0) return false;
    }
    return false;
  }

  /** The next output from outside; null where the log holds none, which `outside` tells. */
  output(agent: string): OutsideRecord['output'] {
    const { step, outputs } = known(this.#playing.get(agent), `a call of ${agent}`);
    return this.#outsideOf(step)[outputs]?.output ?? null;
  }

  #outsideOf(step: number): readonly OutsideRecord[] {
    const held = this.#outside.get(step) ?? this.#recording.outside(step);
    this.#outside.set(step, held);
    return held;
  }

  /** The made step with the log's numbers of its calls: they depend on who was asked first, which is no part of a run's meaning. */
  #renumbered(made: StepRecord, { calls }: LoggedStep): StepRecord {
    if (made.calls.length === 0) return made;
    const numbers = this.#numbers.get(made.step) ?? [];
    const logged = (call: number): number => calls[numbers.indexOf(call)]?.request.call ?? 0;
    return {
      ...made,
      calls: made.calls.map(logged),
      acts: made.acts.map((act) => (act.call === null ? act : { ...act, call: logged(act.call) })),
    };
  }

  /** After its last step the log's run was stopped, or goes no further. */
  #stopWhereLogStops(): void {
    const { end, last } = this.#recording;
    if (this.steps < last || this.#recording.isCutOff) return;
    if (end === null) throw new RecordingEnds('the log has no more steps');
    if (end.status === 'interrupted') this.#soft.abort();
  }

  #nothingLogged(wanted: {
    readonly step: number;
    readonly agent: string;
    readonly what: string;
    readonly index: number | null;
    readonly part?: string;
  }): never {
    const { step, agent, what, index, part = index === null ? 'step' : 'call' } = wanted;
    const { last } = this.#recording;
    const { record } = this.#recording.at(step);
    if (step > last) return this.#cutOff(step, agent);
    const isMissing = record === null;
    throw new DifferenceFound({
      step,
      agent,
      part: isMissing ? 'step' : part,
      path: isMissing || index === null ? [] : [part === 'outside' ? 'outside' : 'calls', index],
      logged: undefined,
      made: isMissing ? { step, agent } : what,
      note: isMissing
        ? `step ${step} is missing in the log`
        : `the log holds no ${part} here; ${agent} is asked`,
    });
  }

  /** The run was stopped here, in the midst of a step. */
  #cutOff(step: number, agent: string): never {
    const { end, last } = this.#recording;
    if (step > last && end === null) throw new RecordingEnds('the log has nothing more');
    if (step > last && end?.status === 'interrupted') {
      this.#hard.abort();
      throw this.#hard.signal.reason as Error;
    }
    if (step > last && end?.status === 'error') throw new ModelError(end.reason, { isRetryable: false });
    const { status, reason } = end ?? { status: 'running', reason: '' };
    throw new DifferenceFound({
      step,
      agent,
      part: step > last ? 'end' : 'reply',
      path: step > last ? ['end', 'status'] : ['calls'],
      logged: step > last ? status : undefined,
      made: step > last ? 'running' : { agent },
      note: step > last ? `the run goes on where the log ends: ${reason}` : 'a reply is missing in the log',
    });
  }

  #moreLogged(made: RunEnd): never {
    const step = made.steps + 1;
    const { record } = this.#recording.at(step);
    throw new DifferenceFound({
      step,
      agent: record?.agent ?? null,
      part: 'step',
      path: [],
      logged: { step, agent: record?.agent ?? null },
      made: undefined,
      note: `the run is over before this step: ${made.reason}`,
    });
  }
}

/**
 * Everything outside a run, played from its log: the loop's writes are compared with the logged ones, and its
 * requests get the logged answers. So `verify` is the loop itself with recordings in place of models, tools,
 * clock and disk, and nothing of the loop is duplicated.
 */
import { known } from '../base/assert.js';
import { ModelError } from '../base/errors.js';
import type {
  CallEnd,
  CallRequest,
  LoggedCall,
  OutsideRecord,
  ProbeRecord,
  RunEnd,
  RunRecord,
  StepRecord,
} from '../trajectory/records.js';
import type { RunSink } from '../trajectory/sink.js';
import type { WallClock, StopSignals } from '../orchestrator/run-context.js';
import {
  compareEnd,
  compareOwner,
  compareRequest,
  compareStates,
  compareStep,
  assertSame,
  differingImages,
} from './comparison.js';
import type { PartsOf } from './comparison.js';
import { DifferenceFound } from './difference.js';
import { LogEnd } from './log-end.js';
import { MatchedCalls } from './matched-calls.js';
import { requireSamePixels } from './pixels.js';
import type { Recording } from './recording.js';

/** An agent's part in the step being played. */
interface PlayedCall {
  step: number;
  call: LoggedCall;
  /** The pixel comparison of pictures whose files differ; awaited before the reply is returned. */
  pictures: Promise<void> | null;
  /** The outputs from outside that were returned for the step. */
  outputs: number;
}

export class Playback implements RunSink {
  /** The last step that was compared and is identical. */
  steps = 0;
  frames = 0;
  /** Whether the end is identical. */
  hasEnded = false;
  /**
   * The first difference by step. Agents that act at once may find several; a run that is being stopped
   * reports none.
   */
  difference: DifferenceFound | null = null;
  readonly #recording: Recording;
  readonly #partsOf: PartsOf;
  readonly #end: LogEnd;
  readonly #calls: MatchedCalls;
  readonly #playing = new Map<string, PlayedCall>();
  readonly #outside = new Map<number, readonly OutsideRecord[]>();

  constructor(recording: Recording, partsOf: PartsOf) {
    this.#recording = recording;
    this.#partsOf = partsOf;
    this.#end = new LogEnd(recording);
    this.#calls = new MatchedCalls(recording);
  }

  get stop(): StopSignals {
    return this.#end.stop;
  }

  get clock(): WallClock {
    return this.#end.clock;
  }

  begin(_run: RunRecord, initialState: unknown): void {
    this.steps = this.#recording.first - 1;
    this.#recordingDifferences(() => this.#compareBegin(initialState));
  }

  /**
   * A verified run never continues another one: a run is replayed from its beginning, a fork from its own
   * first step.
   */
  resume(): void {}

  request(made: CallRequest): void {
    this.#recordingDifferences(() => this.#compareRequest(made));
  }

  /** The reply comes from the log, so there is nothing to compare. */
  reply(_runId: string, _call: number, _end: CallEnd, _durable: boolean): void {}

  probe(made: ProbeRecord): void {
    this.#recordingDifferences(() => this.#compareProbe(made));
  }

  outside(made: OutsideRecord): void {
    this.#recordingDifferences(() => this.#compareOutside(made));
  }

  step(made: StepRecord): void {
    this.#recordingDifferences(() => this.#compareStep(made));
  }

  flush(): void {}

  end(_runId: string, made: RunEnd): void {
    this.#recordingDifferences(() => this.#compareEnd(made));
  }

  onDurable(): void {}

  /** The answer to the call that the agent is making. */
  async answer(agent: string): Promise<Extract<CallEnd, { kind: 'replied' }>> {
    const { step, call, pictures } = this.#callOf(agent);
    await pictures?.catch((error: unknown) => {
      throw this.#recordDifference(error);
    });
    const { request, end } = call;
    if (end?.kind === 'replied') return end;
    // The run continued without the text that it did not get.
    if (this.#wasSkipped(call))
      throw new ModelError(end?.error ?? 'no answer was stored', { isRetryable: false });
    const what = `the reply to call ${request.call}`;
    return this.#end.stopAtEnd({ step, agent, part: 'reply', what, index: 0 });
  }

  /** The name of the controller that was asked. */
  nameOf(agent: string): string {
    return this.#playing.get(agent)?.call.request.controller ?? 'recorded';
  }

  /** Whether the agent gave a text that is not an action: in the next step, or as a reflection. */
  givesText(agent: string): boolean {
    if (this.hasEnded) return this.#recording.reflection(agent) !== undefined;
    const { agents } = this.#recording.run.scenario;
    for (let step = this.steps + 1; step <= this.steps + agents.length; step++) {
      const { record, calls, probes } = this.#recording.at(step);
      const agentCalls = [...calls, ...probes].filter(({ request }) => request.agent === agent);
      if (agentCalls.some(({ request: { purpose } }) => purpose === 'summary' || purpose === 'probe'))
        return true;
      if (record?.agent === agent || agentCalls.length > 0) return false;
    }
    return false;
  }

  /** Whether no one decided for the agent in the next step: it lists no calls, and no act names one. */
  isVacant(agent: string): boolean {
    const { agents } = this.#recording.run.scenario;
    for (let step = this.steps + 1; step <= this.steps + agents.length; step++) {
      const { record } = this.#recording.at(step);
      if (record?.agent === agent)
        return record.calls.length === 0 && record.acts.every(({ call }) => call === null);
    }
    return false;
  }

  /** The next output from outside; null if the log has none, which `outside` then reports. */
  output(agent: string): OutsideRecord['output'] {
    const { step, outputs } = this.#callOf(agent);
    return this.#outsideOf(step)[outputs]?.output ?? null;
  }

  /** Any exception is passed on; a difference is recorded as well. */
  #recordingDifferences(work: () => void): void {
    try {
      work();
    } catch (error) {
      throw this.#recordDifference(error);
    }
  }

  #recordDifference(error: unknown): unknown {
    if (!(error instanceof DifferenceFound)) return error;
    const [before, now] = [this.difference?.difference.step ?? Infinity, error.difference.step ?? 0];
    if (now < before) this.difference = error;
    return error;
  }

  #compareBegin(initialState: unknown): void {
    const { run, first } = this.#recording;
    if (run.parent === undefined) {
      const states = { logged: this.#recording.initialState, made: initialState };
      compareStates({ step: null, agent: null }, ['initialState'], states, this.#partsOf);
    }
    this.#end.stepReached(first - 1);
  }

  #compareRequest(made: CallRequest): void {
    const { step, agent, purpose } = made;
    const { index, call } = this.#calls.match(made);
    const record = purpose === 'reflection' ? null : this.#recording.at(step).record;
    if (record !== null) compareOwner(record, made);
    if (call === undefined) this.#end.stopAtEnd({ step, agent, part: 'call', what: purpose, index });
    compareRequest(call.request, made, index);
    const imagePairs = differingImages(call.request.messages, made.messages);
    const pictures = imagePairs.length === 0 ? null : requireSamePixels({ step, agent }, imagePairs);
    // If the run is stopped first, nothing waits for it.
    pictures?.catch(() => undefined);
    if (made.frameHash !== null) this.frames += 1;
    const before = this.#playing.get(agent);
    this.#playing.set(agent, { step, call, pictures, outputs: before?.step === step ? before.outputs : 0 });
  }

  #compareProbe(made: ProbeRecord): void {
    const { step, agent } = this.#requestOf(made);
    const logged = this.#recording.probe(this.#calls.number(step, made.call));
    // Stored together with whatever came next, which may be nothing.
    if (logged === undefined && step > this.#recording.last) return;
    const aspect = {
      part: 'probe',
      at: ['probe'],
      note: 'a different question, or an answer that is parsed differently',
    };
    const loggedFields = logged === undefined ? undefined : fieldsOf(logged);
    assertSame({ step, agent }, aspect, loggedFields, fieldsOf(made));
  }

  #compareOutside(made: OutsideRecord): void {
    const { step, agent, action } = made;
    const playing = this.#callOf(agent);
    const index = playing.outputs;
    const logged = this.#outsideOf(step)[index];
    if (logged === undefined) this.#end.stopAtEnd({ step, agent, part: 'outside', what: action, index });
    const aspect = {
      part: 'outside',
      at: ['outside', index],
      note: 'a different effect outside the program',
    };
    assertSame({ step, agent }, aspect, effectOf(logged), effectOf(made));
    // Reported before its consequences appear.
    const act = this.#recording.at(step).record?.acts.find((one) => one.call === playing.call.request.call);
    const note = 'the logged output from outside differs from what the action received';
    const output = { part: 'outside', at: ['outside', index, 'output'], note };
    if (act?.intent != null) assertSame({ step, agent }, output, logged.output, act.intent.outside);
    playing.outputs += 1;
  }

  #compareStep(made: StepRecord): void {
    const { step, agent } = made;
    const { record } = this.#recording.at(step);
    if (record === null) this.#end.stopAtEnd({ step, agent, part: 'step', what: 'a step', index: 0 });
    compareStep(record, this.#calls.renumbered(made), this.#partsOf);
    this.#calls.forget(step);
    this.#outside.delete(step);
    this.#recording.forget(step);
    this.steps = step;
    this.#end.stepReached(step);
  }

  #compareEnd(made: RunEnd): void {
    const { end, last } = this.#recording;
    if (made.steps < last) throw this.#stepAfterEnd(made);
    if (end === null) throw endMissing(made);
    compareEnd(end, made, this.#partsOf);
    this.hasEnded = true;
  }

  #callOf(agent: string): PlayedCall {
    return known(this.#playing.get(agent), `a call of ${agent}`);
  }

  #requestOf({ call }: ProbeRecord): CallRequest {
    const playing = [...this.#playing.values()].find(
      (one) => this.#calls.number(one.step, call) === one.call.request.call,
    );
    return known(playing, `the call ${call}`).call.request;
  }

  #outsideOf(step: number): readonly OutsideRecord[] {
    const outputs = this.#outside.get(step) ?? this.#recording.outside(step);
    this.#outside.set(step, outputs);
    return outputs;
  }

  /** A side question, or a reflection, that was never answered while the run went on. */
  #wasSkipped({ request }: LoggedCall): boolean {
    if (request.purpose === 'reflection') return true;
    if (request.purpose !== 'probe') return false;
    const { record, calls, probes } = this.#recording.at(request.step);
    return record !== null || [...calls, ...probes].some((one) => one.request.call > request.call);
  }

  #stepAfterEnd(made: RunEnd): DifferenceFound {
    const step = made.steps + 1;
    const agent = this.#recording.at(step).record?.agent ?? null;
    const note = `the run ended before this step: ${made.reason}`;
    return new DifferenceFound({
      step,
      agent,
      part: 'step',
      path: [],
      logged: { step, agent },
      made: undefined,
      note,
    });
  }
}

function endMissing({ status, reason }: RunEnd): DifferenceFound {
  const note = 'the run ended after its last step, but the log has no end record';
  const position = { step: null, agent: null, part: 'end', path: ['end'] };
  return new DifferenceFound({ ...position, logged: undefined, made: { status, reason }, note });
}

function fieldsOf({ kind, question, options, expected, answer, verdict, picture }: ProbeRecord): object {
  return { kind, question, options, expected, answer, verdict, picture };
}

/** An effect without its times. */
function effectOf({ agent, action, args, output }: OutsideRecord): object {
  return { agent, action, args, output };
}

/**
 * Computes the figures (statistics) of runs while they are written, so that they can be stored with a run's
 * end (`kept-figures.ts`). For a resumed run or a fork, the earlier steps are first counted from the log. If
 * these are too many to read while the run waits, no figures are stored, and reports read all steps instead.
 */
import { LIMITS } from '../base/limits.js';
import { playedCall, RunFiguresSum } from '../trajectory/run-figures.js';
import type { CountCall, PlayedCall, RunFigures } from '../trajectory/run-figures.js';
import type { CallEnd, CallRequest, ProbeRecord, RunRecord, StepRecord } from '../trajectory/records.js';
import { callsAfter, sumFigures } from './read-figures.js';
import { LogReader } from './reader.js';

/** A call that has not been counted yet. */
interface OpenCall {
  /** As it is now: without an answer until one arrives. */
  call: PlayedCall;
  isAnswered: boolean;
  messages: () => CallRequest['messages'];
  /** How to count it; null before its step is written. */
  count: CountCall | null;
}

interface LiveRun {
  sum: RunFiguresSum;
  agents: number;
  calls: Map<number, OpenCall>;
  /** The agent that a probe asks, by its call. */
  probed: Map<number, string>;
  lastStep: number;
}

export class FiguresKeeper {
  readonly #path: string;
  readonly #runs = new Map<string, LiveRun>();

  constructor(path: string) {
    this.#path = path;
  }

  /** The run and its session are in the file. */
  begin(run: RunRecord): void {
    if (run.parent !== undefined) return this.resume(run, run.parent.step);
    const { scenario, controllers } = run;
    const sum = new RunFiguresSum({ scenario, sessions: [{ firstStep: 1, controllers }] });
    this.#runs.set(run.runId, liveRun(sum, scenario.agents.length, 0));
  }

  resume({ runId }: RunRecord, firstStep: number): void {
    this.#runs.delete(runId);
    if (firstStep > LIMITS.figuresRereadSteps) return;
    const reader = new LogReader(this.#path, 'unchecked');
    try {
      const run = reader.run(runId);
      const { sum, lastStep } = sumFigures(reader, run, firstStep - 1);
      const live = liveRun(sum, run.scenario.agents.length, lastStep);
      for (const open of callsAfter(reader, run, firstStep - 1)) {
        // Where the server counted none, they follow from the messages, which are in the log.
        const tokens = open.tokens();
        const call = { ...open, tokens: () => tokens };
        track(live, { call, isAnswered: call.reply !== null, messages: () => [], count: null });
      }
      this.#runs.set(runId, live);
    } finally {
      reader.close();
    }
  }

  request(request: CallRequest): void {
    const run = this.#runs.get(request.runId);
    const messages = (): CallRequest['messages'] => request.messages;
    if (run !== undefined)
      track(run, { call: playedCall(request, null, messages), isAnswered: false, messages, count: null });
  }

  reply(runId: string, number: number, end: CallEnd): void {
    const calls = this.#runs.get(runId)?.calls;
    const open = calls?.get(number);
    if (calls === undefined || open === undefined) return;
    open.call = playedCall(open.call, end.kind === 'replied' ? end.reply : null, open.messages);
    open.isAnswered = true;
    if (open.count === null) return;
    open.count(open.call);
    calls.delete(number);
  }

  probe({ runId, call, ...probe }: ProbeRecord): void {
    const run = this.#runs.get(runId);
    const agent = run?.probed.get(call);
    if (agent !== undefined) run?.sum.probe({ ...probe, agent });
  }

  step(record: StepRecord): void {
    const run = this.#runs.get(record.runId);
    if (run === undefined) return;
    const count = run.sum.step(record);
    run.lastStep = record.step;
    for (const [number, open] of run.calls) {
      if (open.call.step !== record.step) continue;
      // A speculative call that its step lists was the call that acted.
      const hasActed = open.call.purpose === 'speculation' && record.calls.includes(number);
      open.count = hasActed ? (call) => count({ ...call, purpose: 'act' }) : count;
      if (!open.isAnswered) continue;
      open.count(open.call);
      run.calls.delete(number);
    }
  }

  /** The figures of a run that ends now; null if it was not counted. */
  end(runId: string): RunFigures | null {
    const run = this.#runs.get(runId);
    this.#runs.delete(runId);
    if (run === undefined) return null;
    for (const { call, count } of run.calls.values()) {
      if (count !== null) count(call);
      else if (call.step > run.lastStep && call.step <= run.lastStep + run.agents) run.sum.unplayed(call);
    }
    return run.sum.figures();
  }
}

function liveRun(sum: RunFiguresSum, agents: number, lastStep: number): LiveRun {
  return { sum, agents, lastStep, calls: new Map(), probed: new Map() };
}

function track({ calls, probed }: LiveRun, open: OpenCall): void {
  const { call, agent, purpose } = open.call;
  calls.set(call, open);
  if (purpose === 'probe') probed.set(call, agent);
}

/**
 * The log's content as records in the terms of the loop; `log/schema.ts` defines their storage in SQLite. The
 * orchestrator writes them, readers return the same records.
 */
import type { Json, JsonObject } from '../base/json.js';
import type { Event } from '../environment/action.js';
import type { Observation } from '../environment/observation.js';
import type { Message, Reply } from '../model/chat.js';
import type { ProbeKind, Scenario } from '../scenario/scenario.js';
import type { ActRecord } from './act.js';

/**
 * Written once, before the first step. `versions`, `controllers` and `startedAt` are those of the run's first
 * session; the log stores them for each session.
 */
export interface RunRecord {
  /** Created at the start of the run; identifies it in a log with several runs. */
  runId: string;
  /**
   * For a fork: the run in the same file whose steps before `step` it shares. Absent for a run that is not a
   * fork.
   */
  parent?: { runId: string; step: number };
  /** The text of the scenario file; '' if there was none. */
  source: string;
  /** The scenario that took effect. */
  scenario: Scenario;
  seed: string;
  versions: {
    program: string;
    log: number;
    rules: number;
    parser: number;
    prompt: number;
    render: number;
    node: string;
  };
  /** The tileset that was used: manifest and PNG, so that frames can be drawn again from the log alone. */
  tileset: { manifest: string; images: Readonly<Record<string, Uint8Array>> };
  /** By agent: the controller's name and, for models, the server's information about itself. No secrets. */
  controllers: Readonly<Record<string, Json>>;
  /** By agent: what an earlier run stored for its memory; absent if there is nothing. */
  kept: Readonly<Record<string, Json>>;
  /** Wall clock, milliseconds since 1970: informative, not part of any hash. */
  startedAt: number;
  /** The hash that the chain of steps begins with: 64 hexadecimal digits. */
  genesisHash: string;
}

/**
 * `speculation`: a speculative call that was discarded. While it is pending, its outcome is unknown; one that
 * was used is read as `act`.
 */
export type CallPurpose = 'act' | 'repair' | 'summary' | 'probe' | 'reflection' | 'interview' | 'speculation';

/** A call to a controller: opened before it is sent, closed when the reply has arrived. */
export interface CallRequest {
  runId: string;
  /** Counts the run's calls from 1. */
  call: number;
  step: number;
  turn: number;
  agent: string;
  /** Counts the calls for one step from 1. */
  attempt: number;
  purpose: CallPurpose;
  controller: string;
  observation: Observation;
  messages: readonly Message[];
  /**
   * The contents of the request besides its messages: model, sampling, further fields, as sent. Null if
   * nothing was sent. May contain fractions, and is not part of any hash.
   */
  settings: JsonObject | null;
  /** The hash of the sent picture, which is in the messages; null if there was none. */
  frameHash: string | null;
  /** The time in milliseconds since 1970. */
  startedAt: number;
}

/** How a call ended. All texts of a reply are well-formed Unicode: the client replaces lone surrogates. */
export type CallEnd = { kind: 'replied'; reply: Reply; memory: Json } | { kind: 'failed'; error: string };

/**
 * A question with a known answer that an agent was asked during a step, and its result; its call holds the
 * rest.
 */
export interface ProbeRecord {
  runId: string;
  call: number;
  kind: ProbeKind;
  question: string;
  /** The possible answers; null if the answer is a whole number. */
  options: readonly string[] | null;
  expected: string;
  /** The answer as parsed, or the start of the reply if it could not be parsed. */
  answer: string;
  verdict: 'right' | 'wrong' | 'unreadable';
}

/** A change of a served entity's lease. Not part of the chain, because each call names its controller. */
export interface LeaseRecord {
  runId: string;
  entity: string;
  /** Increases with each lease of the entity, even across restarts. */
  epoch: number;
  event: 'granted' | 'released' | 'expired' | 'superseded' | 'restarted';
  /** The holder's own name. */
  controller: string;
  /** The holder's identity, from its token or certificate. */
  principal: string;
  /** The tick that was open at the time, or the next one. */
  tick: number;
  /** The time in milliseconds since 1970. */
  at: number;
}

/** How a session of a run was served: `serve LOG --resume` uses the same options. */
export interface ServingRecord {
  pace: 'clock' | 'lockstep';
  /** The period of the clock; 0 for `lockstep`. */
  periodMs: number;
  windowMs: number;
  ttlMs: number;
  /** How many entities had to be held before the first tick. */
  waitFor: number;
  staleness: number;
  /** Agents that the server played itself. */
  own: readonly string[];
}

/** The timing of a tick of a served run, in milliseconds of a monotonic clock; outside the chain. */
export interface TickTiming {
  /** How much later than planned the tick began; for agents that act in turn, the sum over their windows. */
  overrunMs: number;
  /** The time from the end of the decision window until the tick's last step was written. */
  settleMs: number;
}

/** Why an intent for a served entity came at the wrong time and was ignored. */
export type UntimelyReason = 'late' | 'early' | 'decided' | 'other-attempt' | 'out-of-play' | 'stale';

/** How many intents for an entity came at the wrong time between two steps, for one reason; outside the chain. */
export interface UntimelyCount {
  entity: string;
  reason: UntimelyReason;
  /**
   * Only for the reason `late`: the tick that they answer, if the entity had to wait in it because no intent
   * came in time.
   */
  missed?: number;
  count: number;
}

/**
 * For each entity, late intents are matched with only so many of the newest ticks that it missed. This limits
 * the counts of one tick, because a client may name any tick.
 */
export const MISSED_TICKS = 64;

/** An output from outside the program, stored before it is passed to `apply`. */
export interface OutsideRecord {
  runId: string;
  step: number;
  agent: string;
  action: string;
  args: Json;
  /** Only safe integers, as in state: effect handlers write fractions as decimal text. */
  output: Json;
  /** The time in milliseconds since 1970. */
  startedAt: number;
  durationMs: number;
}

/** What a reward is paid for: the keys of the scenario's `rewards`. */
export type RewardName = 'success' | 'failure' | 'step' | 'refused' | 'unreadable' | 'progress';

/** The rewards for a step. */
export interface StepRewards {
  /** The rewards by agent; absent for agents without a reward. */
  paid: Readonly<Record<string, number>>;
  /** The same by agent and name; absent if nothing was paid, and in logs of earlier programs. */
  byName?: Readonly<Record<string, Readonly<Partial<Record<RewardName, number>>>>>;
  /** Agents for which this step decided how the run ends; absent if there are none. */
  outcomes?: Readonly<Record<string, 'succeeded' | 'failed' | 'ended'>>;
  /**
   * After a turn, if progress is rewarded: turns until success in the plan that the solver found; `never` if
   * there is none; null if it gave up, so nothing was paid.
   */
  distance?: number | 'never' | null;
}

/** The record of one agent's (or the world's) part in one turn. */
export interface StepRecord {
  runId: string;
  /** Counts the run's steps from 1. */
  step: number;
  /** Counts from 1. */
  turn: number;
  /** Agent id, or `world` for the end of a turn. */
  agent: string;
  /**
   * The calls whose results shaped this step, in order; empty for `world`. Abandoned calls (interrupted, or
   * speculative and discarded) and calls that only asked about the step (probes, interviews) are in the log
   * but not listed here.
   */
  calls: readonly number[];
  acts: readonly ActRecord[];
  events: readonly Event[];
  /** The hash of the whole state after the step: 64 hexadecimal digits. */
  stateHash: string;
  /** Hashes of the state's parts, by name. */
  parts: Readonly<Record<string, string>>;
  /** The hash over this step and the one before (docs/reference/log.md). */
  chain: string;
  /**
   * Present if the scenario has rewards. They follow from the rest of the record, so the chain does not cover
   * them; `verify` computes them again.
   */
  rewards?: StepRewards;
  /** Present for the end of a turn of a served run. */
  timing?: TickTiming;
  /**
   * Present in a served run: the intents of any entity that came at the wrong time since the previous step.
   */
  untimely?: readonly UntimelyCount[];
  /** The whole state after the step, stored every SNAPSHOT_EVERY steps. */
  snapshot?: Json;
  /** The time in milliseconds since 1970. */
  finishedAt: number;
}

/** What was done in a step, and what happened. */
export type StepActs = Pick<StepRecord, 'agent' | 'acts' | 'events'>;

export const SNAPSHOT_EVERY = 256;

export type RunStatus = 'running' | 'succeeded' | 'failed' | 'ended' | 'interrupted' | 'error';

/** How a session ended; the run's end is that of its newest session. */
export interface RunEnd {
  status: Exclude<RunStatus, 'running'>;
  /** The reason for the end, in one sentence. */
  reason: string;
  /** The turn of the last step; 0 if there was none. */
  turns: number;
  /** The last step; 0 if there was none. */
  steps: number;
  stateHash: string;
  /** The hash over the last step's hash, or the genesis hash, and this end (docs/reference/log.md). */
  chain: string;
  finalState: Json;
  /** The time in milliseconds since 1970. */
  endedAt: number;
}

/** The sent picture with a frame hash. */
export interface LoggedFrame {
  png: Uint8Array;
  /** The size of the PNG in pixels. */
  width: number;
  height: number;
}

/** One call of a controller or model. */
export interface LoggedCall {
  request: CallRequest;
  /** Null if no reply was stored. */
  end: CallEnd | null;
}

/** A call without its request, which is stored in many rows. */
export interface CallOutline extends Pick<
  CallRequest,
  'call' | 'agent' | 'attempt' | 'purpose' | 'controller'
> {
  end: CallEnd | null;
  /** The text of the last message that was sent. */
  text(): string;
  /** With the exact messages. */
  request(): CallRequest;
}

/** A picture as sent; `hash` is over its pixels. */
export interface SentFrame {
  hash: string;
  png: Uint8Array;
}

/** A request whose parts are read on demand; reading throws StorageError if the part is damaged. */
export interface SentRequest extends Omit<CallRequest, 'observation' | 'messages' | 'frameHash'> {
  observation: () => Observation;
  messages: () => readonly Message[];
  /** The picture of the turn; null if none was sent. */
  picture: () => SentFrame | null;
}

/** A call in a form for reading its messages. */
export interface SentCall {
  request: SentRequest;
  /** Null if none was stored or the call failed. */
  reply: Reply | null;
}

/** The acts of a step, without the resulting state. */
export interface StepOutline extends Omit<
  StepRecord,
  'events' | 'stateHash' | 'parts' | 'chain' | 'snapshot'
> {
  /** Read on demand; throws StorageError if they are damaged. */
  events: () => readonly Event[];
}

/** A part of a run that one process played. */
export interface SessionRecord {
  firstStep: number;
  versions: RunRecord['versions'];
  /** By agent: its controller, as in a run's record. */
  controllers: Readonly<Record<string, Json>>;
  startedAt: number;
  /** Null if the session is in progress or its process was killed. */
  endedAt: number | null;
  /** When the last step before its end was finished; null if there is none. */
  lastStepAt: number | null;
}

/** A step with the calls for it, including abandoned ones. */
export interface PlayedStep {
  step: StepOutline;
  /** Read on demand; observations are read only when they are needed. */
  calls: () => readonly SentCall[];
}

/** A probe with the step that it asked about. */
export interface LoggedProbe extends ProbeRecord {
  step: number;
  turn: number;
  agent: string;
}

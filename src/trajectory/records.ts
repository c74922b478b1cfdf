/**
 * The log's content as records in the terms of the loop; `log/schema.ts` defines their storage in SQLite. The
 * orchestrator writes them, readers return the same records.
 */
import type { Json, JsonObject } from '../base/json.js';
import type { Problem } from '../base/problem.js';
import type { ActResult } from '../environment/environment.js';
import type { Event, Intent } from '../environment/action.js';
import type { Observation } from '../environment/observation.js';
import type { Message, Reply } from '../model/chat.js';
import type { ReplyReading } from '../parse/reading.js';
import type { ProbeKind, Scenario } from '../scenario/scenario.js';

/**
 * Written once, before the first step. `versions`, `controllers` and `startedAt` are those of the run's first
 * session; the log stores them for each session.
 */
export interface RunRecord {
  /** Created at the start of the run; identifies it in a log with several runs. */
  readonly runId: string;
  /**
   * For a fork: the run in the same file whose steps before `step` it shares. Absent for a run that is not a
   * fork.
   */
  readonly parent?: { readonly runId: string; readonly step: number };
  /** The text of the scenario file; '' if there was none. */
  readonly source: string;
  /** The scenario that took effect. */
  readonly scenario: Scenario;
  readonly seed: string;
  readonly versions: {
    readonly program: string;
    readonly log: number;
    readonly rules: number;
    readonly parser: number;
    readonly prompt: number;
    readonly render: number;
    readonly node: string;
  };
  /** The tileset that was used: manifest and PNG, so that frames can be drawn again from the log alone. */
  readonly tileset: { readonly manifest: string; readonly images: Readonly<Record<string, Uint8Array>> };
  /** By agent: the controller's name and, for models, the server's information about itself. No secrets. */
  readonly controllers: Readonly<Record<string, Json>>;
  /** By agent: what an earlier run stored for its memory; absent if there is nothing. */
  readonly kept: Readonly<Record<string, Json>>;
  /** Wall clock, milliseconds since 1970: informative, not part of any hash. */
  readonly startedAt: number;
  /** The hash that the chain of steps begins with: 64 hexadecimal digits. */
  readonly genesisHash: string;
}

/**
 * `speculation`: a speculative call that was discarded. While it is pending, its outcome is unknown; one that
 * was used is read as `act`.
 */
export type CallPurpose = 'act' | 'repair' | 'summary' | 'probe' | 'reflection' | 'interview' | 'speculation';

/** A call to a controller: opened before it is sent, closed when the reply has arrived. */
export interface CallRequest {
  readonly runId: string;
  /** Counts the run's calls from 1. */
  readonly call: number;
  readonly step: number;
  readonly turn: number;
  readonly agent: string;
  /** Counts the calls for one step from 1. */
  readonly attempt: number;
  readonly purpose: CallPurpose;
  readonly controller: string;
  readonly observation: Observation;
  readonly messages: readonly Message[];
  /**
   * The contents of the request besides its messages: model, sampling, further fields, as sent. Null if
   * nothing was sent. May contain fractions, and is not part of any hash.
   */
  readonly settings: JsonObject | null;
  /** The hash of the sent picture, which is in the messages; null if there was none. */
  readonly frameHash: string | null;
  /** The time in milliseconds since 1970. */
  readonly startedAt: number;
}

/** How a call ended. All texts of a reply are well-formed Unicode: the client replaces lone surrogates. */
export type CallEnd =
  | { readonly kind: 'replied'; readonly reply: Reply; readonly memory: Json }
  | { readonly kind: 'failed'; readonly error: string };

/** One act within a step: a free action, a refused try, or the action that settled the step. */
export interface ActRecord {
  /** Counts from 0 within the step. */
  readonly index: number;
  /** The call whose reply requested it; null for the world's acts and for a forced wait. */
  readonly call: number | null;
  /** How the reply was parsed; null if there was none. */
  readonly reading: ReplyReading | null;
  /** The requested action; null if nothing could be understood. */
  readonly intent: Intent | null;
  readonly result: ActResult;
  /**
   * The reason if this act replaces one of the agent, because the agent gave no usable reply; otherwise null.
   */
  readonly insteadOf: Problem | null;
}

/**
 * A question with a known answer that an agent was asked during a step, and its result; its call holds the
 * rest.
 */
export interface ProbeRecord {
  readonly runId: string;
  readonly call: number;
  readonly kind: ProbeKind;
  readonly question: string;
  /** The possible answers; null if the answer is a whole number. */
  readonly options: readonly string[] | null;
  readonly expected: string;
  /** The answer as parsed, or the start of the reply if it could not be parsed. */
  readonly answer: string;
  readonly verdict: 'right' | 'wrong' | 'unreadable';
}

/** A change of a served entity's lease. Not part of the chain, because each call names its controller. */
export interface LeaseRecord {
  readonly runId: string;
  readonly entity: string;
  /** Increases with each lease of the entity, even across restarts. */
  readonly epoch: number;
  readonly event: 'granted' | 'released' | 'expired' | 'superseded' | 'restarted';
  /** The holder's own name. */
  readonly controller: string;
  /** The holder's identity, from its token or certificate. */
  readonly principal: string;
  /** The tick that was open at the time, or the next one. */
  readonly tick: number;
  /** The time in milliseconds since 1970. */
  readonly at: number;
}

/** How a session of a run was served: `serve LOG --resume` uses the same options. */
export interface ServingRecord {
  readonly pace: 'clock' | 'lockstep';
  /** The period of the clock; 0 for `lockstep`. */
  readonly periodMs: number;
  readonly windowMs: number;
  readonly ttlMs: number;
  /** How many entities had to be held before the first tick. */
  readonly waitFor: number;
  readonly staleness: number;
  /** Agents that the server played itself. */
  readonly own: readonly string[];
}

/** The timing of a tick of a served run, in milliseconds of a monotonic clock; outside the chain. */
export interface TickTiming {
  /** How much later than planned the tick began; for agents that act in turn, the sum over their windows. */
  readonly overrunMs: number;
  /** The time from the end of the decision window until the tick's last step was written. */
  readonly settleMs: number;
}

/** Why an intent for a served entity came at the wrong time and was ignored. */
export type UntimelyReason = 'late' | 'early' | 'decided' | 'other-attempt' | 'out-of-play' | 'stale';

/** How many intents for an entity came at the wrong time between two steps, for one reason; outside the chain. */
export interface UntimelyCount {
  readonly entity: string;
  readonly reason: UntimelyReason;
  /**
   * Only for the reason `late`: the tick that they answer, if the entity had to wait in it because no intent
   * came in time.
   */
  readonly missed?: number;
  readonly count: number;
}

/**
 * For each entity, late intents are matched with only so many of the newest ticks that it missed. This limits
 * the counts of one tick, because a client may name any tick.
 */
export const MISSED_TICKS = 64;

/** An output from outside the program, stored before it is passed to `apply`. */
export interface OutsideRecord {
  readonly runId: string;
  readonly step: number;
  readonly agent: string;
  readonly action: string;
  readonly args: Json;
  /** Only safe integers, as in state: effect handlers write fractions as decimal text. */
  readonly output: Json;
  /** The time in milliseconds since 1970. */
  readonly startedAt: number;
  readonly durationMs: number;
}

/** What a reward is paid for: the keys of the scenario's `rewards`. */
export type RewardName = 'success' | 'failure' | 'step' | 'refused' | 'unreadable' | 'progress';

/** The rewards for a step. */
export interface StepRewards {
  /** The rewards by agent; absent for agents without a reward. */
  readonly paid: Readonly<Record<string, number>>;
  /** The same by agent and name; absent if nothing was paid, and in logs of earlier programs. */
  readonly byName?: Readonly<Record<string, Readonly<Partial<Record<RewardName, number>>>>>;
  /** Agents for which this step decided how the run ends; absent if there are none. */
  readonly outcomes?: Readonly<Record<string, 'succeeded' | 'failed' | 'ended'>>;
  /**
   * After a turn, if progress is rewarded: turns until success in the plan that the solver found; `never` if
   * there is none; null if it gave up, so nothing was paid.
   */
  readonly distance?: number | 'never' | null;
}

/** The record of one agent's (or the world's) part in one turn. */
export interface StepRecord {
  readonly runId: string;
  /** Counts the run's steps from 1. */
  readonly step: number;
  /** Counts from 1. */
  readonly turn: number;
  /** Agent id, or `world` for the end of a turn. */
  readonly agent: string;
  /**
   * The calls whose results shaped this step, in order; empty for `world`. Abandoned calls (interrupted, or
   * speculative and discarded) and calls that only asked about the step (probes, interviews) are in the log
   * but not listed here.
   */
  readonly calls: readonly number[];
  readonly acts: readonly ActRecord[];
  readonly events: readonly Event[];
  /** The hash of the whole state after the step: 64 hexadecimal digits. */
  readonly stateHash: string;
  /** Hashes of the state's parts, by name. */
  readonly parts: Readonly<Record<string, string>>;
  /** The hash over this step and the one before (docs/reference/log.md). */
  readonly chain: string;
  /**
   * Present if the scenario has rewards. They follow from the rest of the record, so the chain does not cover
   * them; `verify` computes them again.
   */
  readonly rewards?: StepRewards;
  /** Present for the end of a turn of a served run. */
  readonly timing?: TickTiming;
  /**
   * Present in a served run: the intents of any entity that came at the wrong time since the previous step.
   */
  readonly untimely?: readonly UntimelyCount[];
  /** The whole state after the step, stored every SNAPSHOT_EVERY steps. */
  readonly snapshot?: Json;
  /** The time in milliseconds since 1970. */
  readonly finishedAt: number;
}

/** What was done in a step, and what happened. */
export type StepActs = Pick<StepRecord, 'agent' | 'acts' | 'events'>;

export const SNAPSHOT_EVERY = 256;

export type RunStatus = 'running' | 'succeeded' | 'failed' | 'ended' | 'interrupted' | 'error';

/** How a session ended; the run's end is that of its newest session. */
export interface RunEnd {
  readonly status: Exclude<RunStatus, 'running'>;
  /** The reason for the end, in one sentence. */
  readonly reason: string;
  /** The turn of the last step; 0 if there was none. */
  readonly turns: number;
  /** The last step; 0 if there was none. */
  readonly steps: number;
  readonly stateHash: string;
  /** The hash over the last step's hash, or the genesis hash, and this end (docs/reference/log.md). */
  readonly chain: string;
  readonly finalState: Json;
  /** The time in milliseconds since 1970. */
  readonly endedAt: number;
}

/** The sent picture with a frame hash. */
export interface LoggedFrame {
  readonly png: Uint8Array;
  /** The size of the PNG in pixels. */
  readonly width: number;
  readonly height: number;
}

/** One call of a controller or model. */
export interface LoggedCall {
  readonly request: CallRequest;
  /** Null if no reply was stored. */
  readonly end: CallEnd | null;
}

/** A call without its request, which is stored in many rows. */
export interface CallOutline extends Pick<
  CallRequest,
  'call' | 'agent' | 'attempt' | 'purpose' | 'controller'
> {
  readonly end: CallEnd | null;
  /** The text of the last message that was sent. */
  text(): string;
  /** With the exact messages. */
  request(): CallRequest;
}

/** A picture as sent; `hash` is over its pixels. */
export interface SentFrame {
  readonly hash: string;
  readonly png: Uint8Array;
}

/** A request whose parts are read on demand; reading throws StorageError if the part is damaged. */
export interface SentRequest extends Omit<CallRequest, 'observation' | 'messages' | 'frameHash'> {
  readonly observation: () => Observation;
  readonly messages: () => readonly Message[];
  /** The picture of the turn; null if none was sent. */
  readonly picture: () => SentFrame | null;
}

/** A call in a form for reading its messages. */
export interface SentCall {
  readonly request: SentRequest;
  /** Null if none was stored or the call failed. */
  readonly reply: Reply | null;
}

/** The acts of a step, without the resulting state. */
export interface StepOutline extends Omit<
  StepRecord,
  'events' | 'stateHash' | 'parts' | 'chain' | 'snapshot'
> {
  /** Read on demand; throws StorageError if they are damaged. */
  readonly events: () => readonly Event[];
}

/** A part of a run that one process played. */
export interface SessionRecord {
  readonly firstStep: number;
  readonly versions: RunRecord['versions'];
  /** By agent: its controller, as in a run's record. */
  readonly controllers: Readonly<Record<string, Json>>;
  readonly startedAt: number;
  /** Null if the session is in progress or its process was killed. */
  readonly endedAt: number | null;
  /** When the last step before its end was finished; null if there is none. */
  readonly lastStepAt: number | null;
}

/** A step with the calls for it, including abandoned ones. */
export interface PlayedStep {
  readonly step: StepOutline;
  /** Read on demand; observations are read only when they are needed. */
  readonly calls: () => readonly SentCall[];
}

/** A probe with the step that it asked about. */
export interface LoggedProbe extends ProbeRecord {
  readonly step: number;
  readonly turn: number;
  readonly agent: string;
}

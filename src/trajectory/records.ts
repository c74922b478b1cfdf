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
 * Written once, before the first step. `versions`, `controllers` and `startedAt` are those of the run's first session: the
 * log keeps them for each stretch that one process played.
 */
export interface RunRecord {
  /** Made at the start of the run; names it in a log that holds several. */
  readonly runId: string;
  /** For a fork: the run in the same file whose steps before `step` it shares. Absent for a run of its own. */
  readonly parent?: { readonly runId: string; readonly step: number };
  /** The scenario file's text as read, '' where there was none. */
  readonly source: string;
  /** As it took effect. */
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
  /** The tileset as used: manifest and PNG, so that frames can be drawn again from the log alone. */
  readonly tileset: { readonly manifest: string; readonly images: Readonly<Record<string, Uint8Array>> };
  /** Per agent: the controller's name and, for models, what the server said of itself. No secrets. */
  readonly controllers: Readonly<Record<string, Json>>;
  /** Per agent: what an earlier run left to its memory; agents to whom nothing was left are absent. */
  readonly kept: Readonly<Record<string, Json>>;
  /** Wall clock, milliseconds since 1970: advisory, outside every hash. */
  readonly startedAt: number;
  /** The hash that the chain of steps begins with: 64 hexadecimal digits. */
  readonly genesisHash: string;
}

/**
 * `speculation`: a discarded early call. While it is being sent its outcome is unknown: a used one is read as
 * `act`.
 */
export type CallPurpose = 'act' | 'repair' | 'summary' | 'probe' | 'reflection' | 'interview' | 'speculation';

/** A call to a controller: opened before it is sent, closed when the reply is there. */
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
   * What the request held besides its messages: model, sampling, further fields, as sent. Null where nothing is sent. It may
   * hold fractions, and is outside every hash.
   */
  readonly settings: JsonObject | null;
  /** Of the sent picture, which is in the messages; null if there was none. */
  readonly frameHash: string | null;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
}

/** How a call ended. Every text of a reply is well-formed Unicode: the client replaces lone surrogates on arrival. */
export type CallEnd =
  | { readonly kind: 'replied'; readonly reply: Reply; readonly memory: Json }
  | { readonly kind: 'failed'; readonly error: string };

/** One act within a step: a free one, a refused try, or the one that settled it. */
export interface ActRecord {
  /** From 0 within the step. */
  readonly index: number;
  /** The call whose reply asked for it; null for the world's acts and for a forced wait. */
  readonly call: number | null;
  /** How the reply was read; null where there was none. */
  readonly reading: ReplyReading | null;
  /** What was asked of the world; null where nothing could be understood. */
  readonly intent: Intent | null;
  readonly result: ActResult;
  /** Why this act replaces another one: the agent gave no usable reply; null otherwise. */
  readonly insteadOf: Problem | null;
}

/** A question with a known answer that an agent was asked beside a step, and how it did; its call holds the rest. */
export interface ProbeRecord {
  readonly runId: string;
  readonly call: number;
  readonly kind: ProbeKind;
  readonly question: string;
  /** What could be answered; null: a whole number. */
  readonly options: readonly string[] | null;
  readonly expected: string;
  /** What was read of the reply, or its beginning where nothing could be. */
  readonly answer: string;
  readonly verdict: 'right' | 'wrong' | 'unreadable';
}

/** Something that happened to the lease of a served entity: outside the chain, since who decided is in each call. */
export interface LeaseRecord {
  readonly runId: string;
  readonly entity: string;
  /** Grows with each lease of the entity, over restarts too. */
  readonly epoch: number;
  readonly event: 'granted' | 'released' | 'expired' | 'superseded' | 'restarted';
  /** What the holder calls itself. */
  readonly controller: string;
  /** Who the holder is by its token or certificate. */
  readonly principal: string;
  /** The tick that was open or came next. */
  readonly tick: number;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** How a session of a run was served: `serve LOG --resume` goes on in the same way. */
export interface ServingRecord {
  readonly pace: 'clock' | 'lockstep';
  /** 0 for `lockstep`. */
  readonly periodMs: number;
  readonly windowMs: number;
  readonly ttlMs: number;
  /** How many entities had to be held before the first tick. */
  readonly waitFor: number;
  readonly staleness: number;
  /** Agents that the server played itself. */
  readonly own: readonly string[];
}

/** How punctual a tick of a served run was, in milliseconds of a monotonic clock: advisory, outside the chain. */
export interface TickTiming {
  /** By how much it began later than planned; where agents act in turn, of its windows together. */
  readonly overrunMs: number;
  /** From the end of its time to decide until its last step was written. */
  readonly settleMs: number;
}

/** An effect on the outside, stored before it is handed to `apply`. */
export interface OutsideRecord {
  readonly runId: string;
  readonly step: number;
  readonly agent: string;
  readonly action: string;
  readonly args: Json;
  /** Safe integers only, as in state: effect handlers write fractions as decimal text. */
  readonly output: Json;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly durationMs: number;
}

/** What agents got for a step. */
export interface StepRewards {
  /** By agent; who got nothing is absent. */
  readonly paid: Readonly<Record<string, number>>;
  /** Agents for whom this step decided how the run ends; absent where there are none. */
  readonly outcomes?: Readonly<Record<string, 'succeeded' | 'failed' | 'ended'>>;
  /**
   * After a turn, where progress is rewarded: turns until success by the way that the solver found, `never` where there is none, null
   * where it gave up and so paid nothing.
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
   * The calls whose ends shaped this step, in order; empty for `world`. An abandoned call (interrupted, or a
   * discarded speculative one) or a call that only observed (probe, interview) is in the log but not listed
   * here.
   */
  readonly calls: readonly number[];
  readonly acts: readonly ActRecord[];
  readonly events: readonly Event[];
  /** Of the whole state after the step: 64 hexadecimal digits. */
  readonly stateHash: string;
  /** Hashes of the state's parts, by name. */
  readonly parts: Readonly<Record<string, string>>;
  /** Over this step and the one before (docs/reference/log.md). */
  readonly chain: string;
  /** Present where the scenario has rewards. They follow from the rest, so the chain does not cover them; `verify` counts them again. */
  readonly rewards?: StepRewards;
  /** Present for the end of a turn of a served run. */
  readonly timing?: TickTiming;
  /** Present every SNAPSHOT_EVERY steps: the whole state after the step. */
  readonly snapshot?: Json;
  /** Milliseconds since 1970. */
  readonly finishedAt: number;
}

export const SNAPSHOT_EVERY = 256;

export type RunStatus = 'running' | 'succeeded' | 'failed' | 'ended' | 'interrupted' | 'error';

/** How a session ended; the newest one's is the run's. */
export interface RunEnd {
  readonly status: Exclude<RunStatus, 'running'>;
  /** One sentence. */
  readonly reason: string;
  /** The turn of the last step; 0 where none was played. */
  readonly turns: number;
  /** The last step; 0 where none was played. */
  readonly steps: number;
  readonly stateHash: string;
  /** Over the last step's, or the genesis hash, and this end (docs/reference/log.md). */
  readonly chain: string;
  readonly finalState: Json;
  /** Milliseconds since 1970. */
  readonly endedAt: number;
}

/** The picture that was sent under a frame hash. */
export interface LoggedFrame {
  readonly png: Uint8Array;
  /** Pixels of the PNG. */
  readonly width: number;
  readonly height: number;
}

/** One call of a controller or model. */
export interface LoggedCall {
  readonly request: CallRequest;
  /** Null: no reply was stored. */
  readonly end: CallEnd | null;
}

/** A call without its request, which is made of many rows. */
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

/** A picture as it was sent; `hash` is over its pixels. */
export interface SentFrame {
  readonly hash: string;
  readonly png: Uint8Array;
}

/** A request whose parts are read where they are asked for; StorageError then where it is damaged, whichever of them that is. */
export interface SentRequest extends Omit<CallRequest, 'observation' | 'messages' | 'frameHash'> {
  readonly observation: () => Observation;
  readonly messages: () => readonly Message[];
  /** The picture of the turn; null where none was sent. */
  readonly picture: () => SentFrame | null;
}

/** A call in the form for reading its messages. */
export interface SentCall {
  readonly request: SentRequest;
  /** Null: none was stored, or the call failed. */
  readonly reply: Reply | null;
}

/** What was done in a step, without what the state came to. */
export interface StepOutline extends Omit<
  StepRecord,
  'events' | 'stateHash' | 'parts' | 'chain' | 'snapshot'
> {
  /** Read where they are asked for; StorageError then where they are damaged. */
  readonly events: () => readonly Event[];
}

/** A stretch of a run that one process played. */
export interface SessionRecord {
  readonly firstStep: number;
  readonly versions: RunRecord['versions'];
  /** Per agent who decided, as in a run's record. */
  readonly controllers: Readonly<Record<string, Json>>;
  readonly startedAt: number;
  /** Null: it is in progress, or its process was killed. */
  readonly endedAt: number | null;
}

/** A step with the calls that were made for it, those that were abandoned included. */
export interface PlayedStep {
  readonly step: StepOutline;
  /** Read where they are asked for; their observations again only where those are. */
  readonly calls: () => readonly SentCall[];
}

/** A probe with the step that it was asked beside. */
export interface LoggedProbe extends ProbeRecord {
  readonly step: number;
  readonly turn: number;
  readonly agent: string;
}

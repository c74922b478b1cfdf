/**
 * The log's content as records in the terms of the loop. The orchestrator writes them, readers return the same
 * records. Fields that have a column of their own follow from it (`columns.ts`); those that are named here
 * are stored in another form.
 */
import type { Json, JsonObject } from '../base/json.js';
import type { Event } from '../environment/action.js';
import type { Observation } from '../environment/observation.js';
import type { Message, Reply } from '../model/chat.js';
import type { Scenario } from '../scenario/scenario.js';
import type { RecordOf } from './column-kinds.js';
import type {
  CALL_COLUMNS,
  END_COLUMNS,
  LEASE_COLUMNS,
  OUTSIDE_COLUMNS,
  PROBE_COLUMNS,
  RUN_COLUMNS,
  SESSION_COLUMNS,
  STEP_COLUMNS,
} from './columns.js';

/**
 * Written once, before the first step. `versions`, `controllers` and `startedAt` are those of the run's first
 * session; the log stores them for each session.
 */
export interface RunRecord extends RecordOf<typeof RUN_COLUMNS>, RecordOf<typeof SESSION_COLUMNS> {
  /**
   * For a fork: the run in the same file whose steps before `step` it shares. Absent for a run that is not a
   * fork.
   */
  parent?: { runId: string; step: number };
  /** The text of the scenario file; '' if there was none. */
  source: string;
  /** The scenario that took effect. */
  scenario: Scenario;
  /** The tileset that was used: manifest and PNG, so that frames can be drawn again from the log alone. */
  tileset: { manifest: string; images: Readonly<Record<string, Uint8Array>> };
  /** By agent: what an earlier run stored for its memory; absent if there is nothing. */
  kept: Readonly<Record<string, Json>>;
}

/** A call to a controller: opened before it is sent, closed when the reply has arrived. */
export interface CallRequest extends RecordOf<typeof CALL_COLUMNS> {
  runId: string;
  observation: Observation;
  messages: readonly Message[];
  /**
   * The contents of the request besides its messages: model, sampling, further fields, as sent. Null if
   * nothing was sent. May contain fractions, and is not part of any hash.
   */
  settings: JsonObject | null;
  /** The hash of the sent picture, which is in the messages; null if there was none. */
  frameHash: string | null;
}

/** How a call ended. All texts of a reply are well-formed Unicode: the client replaces lone surrogates. */
export type CallEnd = { kind: 'replied'; reply: Reply; memory: Json } | { kind: 'failed'; error: string };

/**
 * A question with a known answer that an agent was asked during a step, and its result; its call holds the
 * rest.
 */
export interface ProbeRecord extends RecordOf<typeof PROBE_COLUMNS> {
  runId: string;
}

/** A change of a served entity's lease. Not part of the chain, because each call names its controller. */
export interface LeaseRecord extends RecordOf<typeof LEASE_COLUMNS> {
  runId: string;
}

/**
 * For each entity, late intents are matched with only so many of the newest ticks that it missed. This limits
 * the counts of one tick, because a client may name any tick.
 */
export const MISSED_TICKS = 64;

/** An output from outside the program, stored before it is passed to `apply`. */
export interface OutsideRecord extends RecordOf<typeof OUTSIDE_COLUMNS> {
  runId: string;
  /** Only safe integers, as in state: effect handlers write fractions as decimal text. */
  output: Json;
}

/** The record of one agent's (or the world's) part in one turn. */
export interface StepRecord extends RecordOf<typeof STEP_COLUMNS> {
  runId: string;
  /** The whole state after the step, stored every SNAPSHOT_EVERY steps. */
  snapshot?: Json;
}

/** What was done in a step, and what happened. */
export type StepActs = Pick<StepRecord, 'agent' | 'acts' | 'events'>;

export const SNAPSHOT_EVERY = 256;

export type RunStatus = 'running' | RunEnd['status'];

/** How a session ended; the run's end is that of its newest session. */
export interface RunEnd extends RecordOf<typeof END_COLUMNS> {
  finalState: Json;
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
export interface SessionRecord extends RecordOf<typeof SESSION_COLUMNS> {
  firstStep: number;
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

/**
 * The parts of a run: the environment, a seat for each agent, the painter, the record sink, and the outside
 * world as injected functions. `assembly/` builds them to play a run, `replay/` to verify one, and the loop
 * uses them.
 */
import type { Json } from '../base/json.js';
import type { SpriteDescriptions } from '../agent/aids.js';
import type { Composer } from '../agent/prompt.js';
import type { Memory } from '../agent/memory.js';
import type { Controller } from '../agent/controller.js';
import type { Args } from '../environment/action.js';
import type { Environment } from '../environment/environment.js';
import type { Scene } from '../environment/scene.js';
import type { RunSink } from '../trajectory/sink.js';
import type { LoggedCall, RunEnd, RunRecord, RunStatus, StepRecord } from '../trajectory/records.js';
import type { RunHistory } from './run-history.js';
import type { Protocol } from '../parse/protocol.js';
import type { AgentSpec, Scenario } from '../scenario/scenario.js';
import type { SearchPosition } from '../solve/position.js';

/** An agent with its controller, protocol and prompt. */
export interface Seat {
  spec: AgentSpec;
  controller: Controller;
  protocol: Protocol;
  composer: Composer;
  /**
   * Gets the true position before each call; absent unless its controller is an oracle, the only one that may
   * know it.
   */
  receivePosition?: (position: SearchPosition<unknown>) => void;
  /** The memory that it begins with; if absent, the one that the scenario sets. */
  memory?: Memory;
}

export interface WallClock {
  /** The wall clock, in milliseconds since 1970: only ever written outside the hashed content of the log. */
  now(): number;
}

/** Draws the picture to send, a PNG with the hash of its pixels, and describes its appearance. */
export interface Painter extends SpriteDescriptions {
  /** `isGrey`: as a control, uniformly grey; by default only if the scenario says so. */
  paint(scene: Scene, isGrey?: boolean): { png: Uint8Array; hash: string };
}

/**
 * Performs the effects of actions outside the program; an output is stored before the world gets it. Never
 * throws because of an error outside the program: the error is the output.
 */
export type EffectHandler = (args: Args, agent: string, signal: AbortSignal) => Promise<Json>;

/** Observes a run, for the terminal or a live page. Gets a step only once it is durable. */
export interface RunWatcher {
  /** The run's record has been stored. */
  runStarted?(run: RunRecord): void;
  /** A turn begins; `turn` counts from 1. */
  turnStarted?(turn: number): void;
  /** An agent is about to be called for the given attempt of its step, from 1. */
  thinking?(agent: string, turn: number, attempt: number): void;
  /** A step is durable. */
  stepDone?(step: StepRecord): void;
  /**
   * After the end: an agent's explanation of its decisions; null if its model could not be asked, and `error`
   * says why.
   */
  reflected?(agent: string, text: string | null, error: string | null): void;
  /** Called after everything else. `agentSteps` are the steps of the run that its budget counts. */
  runEnded?(end: RunEnd, agentSteps: number): void;
}

/** `agents` act in the step, and `active` are all that still act in the run. */
export type BeforeStep = (
  agents: readonly string[],
  turn: number,
  active: readonly string[],
) => Promise<void>;

export interface RunContext<S> {
  run: RunRecord;
  scenario: Scenario;
  environment: Environment<S>;
  /** The seats of the agents, in turn order. */
  seats: readonly Seat[];
  /** Null if nothing is drawn: the environment has no picture, or it is a text-only run. */
  painter: Painter | null;
  effectHandlers: Readonly<Record<string, EffectHandler>>;
  sink: RunSink;
  clock: WallClock;
  watcher: RunWatcher;
  /** The past of a continued run; absent for a new one. */
  past?: RunHistory<S>;
  /** When a log is replayed: discarded speculative calls of a step. Absent when a run is played. */
  discardedCalls?: (step: number) => readonly LoggedCall[];
  /** Stores what agents pass on to later runs, by agent; called once, after the end is in the log. */
  storeMemories?: (memories: Readonly<Record<string, Json>>) => void;
  /** Awaited before each step (each tick, if all agents act at once): `run --step` waits for a key here. */
  beforeStep?: BeforeStep;
  /**
   * Awaited once all agents of a step (of a tick, if all act at once) have decided, before it is settled: a
   * served world waits for its deadline.
   */
  beforeSettle?: (turn: number) => Promise<void>;
}

/** Why a run ends. */
export interface RunVerdict {
  status: Exclude<RunStatus, 'running'>;
  /** The reason for the end, in one sentence. */
  reason: string;
}

/**
 * How a run is stopped from outside: `soft` ends it after the current step, `hard` also cancels a pending
 * call.
 */
export interface StopSignals {
  soft: AbortSignal;
  hard: AbortSignal;
}

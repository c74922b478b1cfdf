/**
 * A controller decides for an agent. It gets what the agent may know and answers with a reply in text, as a
 * model would; the same parser reads all replies. What it must remember between steps is JSON in `memory`,
 * which the log stores with the step, so that a run can continue in another process.
 */
import type { Json, JsonObject } from '../base/json.js';
import type { Problem } from '../base/problem.js';
import type { Intent } from '../environment/action.js';
import type { Observation } from '../environment/observation.js';
import type { IsAhead, Message, Reply, RequestForm } from '../model/chat.js';

/** What an agent's controller may know before the first step. */
export interface Introduction {
  /** Its id. */
  readonly agent: string;
  readonly name: string;
  /** The system text: the rules, how to answer, who the agent is and what it is after. */
  readonly instructions: string;
}

/** What a controller is asked with. */
export interface ControllerInput {
  /** The agent's id. */
  readonly agent: string;
  /** From 1. */
  readonly turn: number;
  /** From 1; more than 1 after a problem, a free action counts as one too. */
  readonly attempt: number;
  readonly observation: Observation;
  /** The exact messages that a model would be sent; the image part is last. */
  readonly messages: readonly Message[];
  /** What the request asks of a server besides its messages: native tools, a guided form. */
  readonly form: RequestForm;
  /** What it gave back with its last decision; null before the first. */
  readonly memory: Json;
  /**
   * Returns whether the call is speculative and no step waits for the answer yet. Absent: a step waits for
   * it.
   */
  readonly isAhead?: IsAhead;
}

/** What a controller answers. */
export interface Decision {
  /** What it says, in the agent's protocol; `embeddedReply` makes one out of words. */
  readonly reply: Reply;
  /** What it must remember: JSON with whole numbers only, kept in the log. */
  readonly memory: Json;
}

/**
 * What became of a reply: it settles the agent's turn, was a free action that is done, or was refused. `problem` is what the agent
 * is shown of it; null where there is nothing to show.
 */
export interface Judgement {
  readonly turn: number;
  readonly attempt: number;
  readonly kind: 'settled' | 'free' | 'refused';
  /** Whether its words were read as a command at all. */
  readonly isRead: boolean;
  readonly intent: Intent | null;
  readonly problem: Problem | null;
}

/** The finish reason of a reply that did not come before the turn was settled: no further attempt follows, and the agent waits. */
export const DEADLINE = 'deadline';

/**
 * Decides for an agent. It may be asked several times in a turn (free actions, problems), but never
 * concurrently unless it allows speculative calls.
 */
export interface Controller {
  /** Such as `model:qwen`, `scripted`. */
  readonly name: string;
  /** Remote controllers cost time and money: their request is committed to the log before it is sent. */
  readonly isRemote: boolean;
  /**
   * Whether it may be asked before its turn, several times at once, and what it says be thrown away: its answer is of the messages alone, and it
   * keeps nothing between them. Absent: no.
   */
  readonly mayBeAskedAhead?: boolean;
  /** What its next request holds besides the messages, for the log: no secrets. Absent where nothing is sent. */
  readonly settings?: (form: RequestForm) => JsonObject | null;
  /** One reply. What it throws ends the run: ModelError or ControllerError where what it asks can't be used; the reason of `signal` when that is aborted. */
  decide(input: ControllerInput, signal: AbortSignal): Promise<Decision>;
  /**
   * Whether nobody decides for the agent in this turn: then it is not asked, and the world's idle action stands in. Must not change
   * within a turn. Absent: never.
   */
  readonly isVacant?: (turn: number) => boolean;
  /** What became of the reply that it gave last, before it is asked again or its turn is settled. */
  readonly judged?: (judgement: Judgement) => void;
  /** Words that are no action: a summary, an explanation. Absent where the controller can only act. */
  readonly tell?: ((messages: readonly Message[], signal: AbortSignal) => Promise<Reply>) | undefined;
  /** Before anything is logged: throws where it can't be used. */
  readonly prepare?: (introduction: Introduction, signal: AbortSignal) => Promise<void>;
  /** After the last step, however the run ended; may be called without `prepare` and more than once. Never throws. */
  readonly close?: () => Promise<void>;
}

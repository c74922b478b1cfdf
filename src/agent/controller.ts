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

/** What a controller learns about its agent before the first step. */
export interface Introduction {
  /** The id of the agent. */
  agent: string;
  name: string;
  /** The system text: the rules, how to answer, the agent's character and its goals. */
  instructions: string;
  /** The same without how to answer, for a person who answers by other means. */
  briefing: string;
}

/** What a controller gets with each call. */
export interface ControllerInput {
  /** The id of the agent. */
  agent: string;
  /** From 1. */
  turn: number;
  /** Counts from 1 within the turn; increases after a problem or a free action. */
  attempt: number;
  observation: Observation;
  /** The exact messages that a model would get; the image part is last. */
  messages: readonly Message[];
  /** What the request asks of a server besides its messages: native tools, a guided form. */
  form: RequestForm;
  /** The memory that it returned with its last decision; null before the first. */
  memory: Json;
  /**
   * Returns whether the call is speculative and no step waits for the answer yet. If absent, a step waits for
   * it.
   */
  isAhead?: IsAhead;
}

/** A controller's answer. */
export interface Decision {
  /** The reply, in the agent's protocol; `embeddedReply` makes one from text. */
  reply: Reply;
  /** What it must remember between calls: JSON with whole numbers only, stored in the log. */
  memory: Json;
}

/**
 * The outcome of a reply: it settled the agent's turn, was a free action that was done, or was refused.
 * `problem` is the message that the agent gets about it; null if there is none.
 */
export interface ReplyOutcome {
  turn: number;
  attempt: number;
  kind: 'settled' | 'free' | 'refused';
  /** Whether a command could be read in the reply, whatever came of it. */
  isRead: boolean;
  /** Null if the reply could not be understood. */
  intent: Intent | null;
  problem: Problem | null;
}

/**
 * The finish reason of a reply that did not come before the turn was settled: no further attempt follows, and
 * the agent waits.
 */
export const DEADLINE = 'deadline';

/**
 * Decides for an agent. It may be called several times in a turn (free actions, problems), but concurrently
 * only if it allows speculative calls.
 */
export interface Controller {
  /** For example `model:qwen` or `scripted`. */
  name: string;
  /** Whether calls cost time and money: then each request is committed to the log before it is sent. */
  isRemote: boolean;
  /**
   * Whether it may be called before its agent's turn and several times at once, and its replies may be
   * discarded. This requires that a reply depends only on the messages and that nothing is remembered between
   * calls. Default: no.
   */
  mayBeAskedAhead?: boolean;
  /**
   * What its next request contains besides the messages, for the log; no secrets. Absent if nothing is sent.
   */
  settings?: (form: RequestForm) => JsonObject | null;
  /**
   * Returns one reply. An exception ends the run: ModelError or ControllerError if the model or program can't
   * be used; the reason of `signal` if that is aborted.
   */
  decide(input: ControllerInput, signal: AbortSignal): Promise<Decision>;
  /**
   * The same decision at once, if it depends on the input alone and not on the messages: a search predicts by
   * it what agents of the world do.
   */
  predict?: ((input: ControllerInput) => Decision) | undefined;
  /**
   * Whether nobody decides for the agent in this turn: then no reply is requested, and the world's idle
   * action is used. Must not change within a turn. Default: never.
   */
  isVacant?: (turn: number) => boolean;
  /** Reports the outcome of its last reply, before the next call or before the turn is settled. */
  judged?: (judgement: ReplyOutcome) => void;
  /**
   * Returns text that is not an action: a summary or an explanation. Absent if the controller can only act.
   */
  answer?: ((messages: readonly Message[], signal: AbortSignal) => Promise<Reply>) | undefined;
  /** Called before anything is logged; throws if the controller can't be used. */
  prepare?: (introduction: Introduction, signal: AbortSignal) => Promise<void>;
  /**
   * Called after the last step, however the run ended; may be called without `prepare` and more than once.
   * Never throws.
   */
  close?: () => Promise<void>;
}

/** A controller whose decisions depend on the input alone. */
export function predictable(name: string, predict: (input: ControllerInput) => Decision): Controller {
  return { name, isRemote: false, predict, decide: async (input) => predict(input) };
}

/** The same controller with what it gets, and what it answers, changed. */
export function adapted(
  controller: Controller,
  change: {
    input?: (input: ControllerInput) => ControllerInput;
    decision: (decision: Decision, input: ControllerInput) => Decision;
  },
): Controller {
  const { input: changed = (input) => input, decision: adapt } = change;
  const { predict } = controller;
  return {
    ...controller,
    decide: async (input, signal) => adapt(await controller.decide(changed(input), signal), input),
    ...(predict === undefined ? {} : { predict: (input) => adapt(predict(changed(input)), input) }),
  };
}

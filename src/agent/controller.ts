/**
 * A controller: whatever decides for an agent. It gets what the agent may know and answers with a reply, in words, as a
 * model would; the same parser reads them all. What it must remember between steps is JSON in `memory`, which the
 * log stores with the step, so that a run can go on in another process.
 */
import type { Json, JsonObject } from '../base/json.js';
import type { Observation } from '../environment/observation.js';
import type { Message, Reply, RequestForm } from '../model/chat.js';

export interface ControllerInput {
  readonly agent: string;
  readonly turn: number;
  /** From 1; more than 1 after a problem, a free action counts as one too. */
  readonly attempt: number;
  readonly observation: Observation;
  /** The exact messages that a model would be sent; the image part is last. */
  readonly messages: readonly Message[];
  /** What the request asks of a server besides its messages: native tools, a guided form. */
  readonly form: RequestForm;
  readonly memory: Json;
}

export interface Decision {
  readonly reply: Reply;
  readonly memory: Json;
}

export interface Controller {
  /** Such as `model:qwen`, `scripted`. */
  readonly name: string;
  /** Remote controllers cost time and money: their request is committed to the log before it is sent. */
  readonly isRemote: boolean;
  /** What its next request holds besides the messages, for the log: no secrets. Absent where nothing is sent. */
  readonly settings?: (form: RequestForm) => JsonObject;
  decide(input: ControllerInput, signal: AbortSignal): Promise<Decision>;
  /** Words that are no action: a summary, an explanation. Absent where the controller can only act. */
  tell?(messages: readonly Message[], signal: AbortSignal): Promise<Reply>;
}

/**
 * The chat contract: requests to a model and its replies, in terms that every OpenAI-compatible server
 * shares. A reply is untrusted and stored raw; `parse/` decides whether it may act.
 */
import type { JsonObject } from '../base/json.js';

/** A part of a message. */
export type MessagePart =
  | { kind: 'text'; text: string }
  /** A PNG; `frameHash` is the frame's hash over pixels. */
  | { kind: 'image'; png: Uint8Array; frameHash: string };

/**
 * One message to a model. The system text comes first; pictures are only in messages with the role `user`.
 */
export interface Message {
  role: 'system' | 'user' | 'assistant';
  parts: readonly MessagePart[];
}

export interface Usage {
  promptTokens: number | null;
  completionTokens: number | null;
  cachedTokens: number | null;
  imageTokens: number | null;
  reasoningTokens: number | null;
}

export const NO_USAGE: Usage = {
  promptTokens: null,
  completionTokens: null,
  cachedTokens: null,
  imageTokens: null,
  reasoningTokens: null,
};

/** A native tool as offered: its parameters are a JSON Schema of one object. */
export interface ChatTool {
  name: string;
  description: string;
  parameters: JsonObject;
  /**
   * The parameters for a server that enforces the form of calls: this schema also says which parameters can
   * be combined. If omitted, `parameters` is used.
   */
  guidedParameters?: JsonObject;
}

/**
 * The same set of acceptable answers in the languages that servers support; each client uses the one that its
 * server supports. All allow only the current offers, and all let the model reason before the answer if the
 * protocol does.
 */
export interface GuidedForm {
  /** A regular expression over the whole reply, without look-around, back-references or anchors. */
  regex: string;
  /** The same as a GBNF grammar that starts at `root`. */
  gbnf: string;
  /** A JSON Schema, if the answer is one JSON object; otherwise null. */
  schema: JsonObject | null;
}

/** What a request asks of the server in addition to an answer to its messages. */
export interface RequestForm {
  tools: readonly ChatTool[];
  /** Null if the reply is not guided. */
  guided: GuidedForm | null;
  /**
   * The sampling seed if the model's settings contain none, from 0 to `LIMITS.samplingSeed`; if absent, a
   * fixed seed is used.
   */
  samplingSeed?: number;
}

/** The same form, with its own sampling seed. */
export function seededForm(form: RequestForm, samplingSeed: number): RequestForm {
  return new SeededForm(form, samplingSeed);
}

/** A class because of its getters: a form may compute its guided part on demand. */
class SeededForm implements RequestForm {
  readonly samplingSeed: number;
  readonly #form: RequestForm;

  constructor(form: RequestForm, samplingSeed: number) {
    this.#form = form;
    this.samplingSeed = samplingSeed;
  }

  get tools(): readonly ChatTool[] {
    return this.#form.tools;
  }

  get guided(): GuidedForm | null {
    return this.#form.guided;
  }
}

/** A reply in free text. */
export const FREE_FORM: RequestForm = { tools: [], guided: null };

/** One call of a native tool, as the server returned it; arguments are unparsed text. */
export interface ToolCall {
  name: string;
  arguments: string;
}

/** The finish reason of a reply in which the model declined to answer; the content is what it said. */
export const REFUSAL = 'refusal';
/** The finish reason of an answer that a filter held back. */
export const CONTENT_FILTER = 'content_filter';
/** The finish reason of an answer without a choice, or whose choice has no message. */
export const NO_CHOICE = 'no-choice';
/** The finish reason of a reply that stands for a request at which the server failed, after all retries. */
export const SERVER_ERROR = 'server-error';

/**
 * An answer with everything known about it. `latencyMs` is in milliseconds; tokens are null if the server did
 * not report them.
 */
export interface Reply {
  /**
   * The answer as received; '' if there was none. At most LIMITS.replyBytes; a longer one is truncated, with
   * finish reason `length`.
   */
  content: string;
  /** The model's reasoning if the server returns it separately; never parsed for actions. */
  reasoning: string | null;
  toolCalls: readonly ToolCall[];
  /**
   * How the answer ended: OpenAI's word for the server's finish reason, or one of `REFUSAL`, `NO_CHOICE` and
   * `SERVER_ERROR`. Only replies with `stop` or `tool_calls` can lead to an action. Null if there was none.
   */
  finishReason: string | null;
  /** The name of the model that answered, from the server; null for embedded controllers. */
  model: string | null;
  usage: Usage;
  /**
   * The server's whole answer as JSON text (log probabilities and any other fields), without the text in
   * `content` and `reasoning`. `{"omitted_bytes":N}` beyond LIMITS.replyRawBytes; N is null if it is nested
   * too deeply. Null for embedded controllers.
   */
  raw: string | null;
  /**
   * How the answered request differed from the intended one, because the server refused that: `system-folded`
   * if the system text was put at the start of the first user message, `guided-dropped` if the reply was not
   * constrained; and `unguided` if it was constrained but has another form. `based-on:TURN` if the reply
   * answers the observation of that earlier turn, in a served world that allows it. Empty if nothing
   * differed.
   */
  adaptations: readonly string[];
  latencyMs: number;
  /**
   * Failed tries before this one, newest last, each with the milliseconds since the call began. Not part of
   * the chain.
   */
  tries: readonly { problem: string; afterMs: number }[];
}

/**
 * Whether no step waits for the answer yet, because the call is speculative (`turns.speculate`); this may
 * change during the call.
 */
export type IsAhead = () => boolean;

/**
 * A model that answers messages. Implement it yourself for anything that `openChatModel` does not support.
 */
export interface ChatModel {
  /**
   * Everything in the next request besides its messages, as sent: the model (null if none is specified and
   * `prepare` was not called) and every setting, so numbers may be fractions. Never contains a key.
   */
  settings(form?: RequestForm): JsonObject;
  /**
   * Returns one answer. Throws ModelError if the server can't be used, after its own limited retries;
   * AbortError on signal. If `isAhead` returns true, no step waits for it yet, and other requests may be sent
   * first.
   */
  complete(
    messages: readonly Message[],
    signal: AbortSignal,
    form?: RequestForm,
    isAhead?: IsAhead,
  ): Promise<Reply>;
  /** Finds out the server's model if none is specified; called once before a run. */
  prepare(signal: AbortSignal): Promise<{ model: string; server: string | null }>;
}

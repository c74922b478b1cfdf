/**
 * The chat contract: what is asked of a model and what came back, in terms that every OpenAI-compatible server shares.
 * A reply is untrusted and kept raw; whether it may act is decided by `parse/`.
 */
import type { JsonObject } from '../base/json.js';

/** A piece of a message. */
export type MessagePart =
  | { readonly kind: 'text'; readonly text: string }
  /** A PNG; `frameHash` is the frame's hash over pixels. */
  | { readonly kind: 'image'; readonly png: Uint8Array; readonly frameHash: string };

/** One message as a model gets it. The system text comes first; pictures are only in messages of the user. */
export interface Message {
  readonly role: 'system' | 'user' | 'assistant';
  readonly parts: readonly MessagePart[];
}

export interface Usage {
  readonly promptTokens: number | null;
  readonly completionTokens: number | null;
  readonly cachedTokens: number | null;
  readonly imageTokens: number | null;
  readonly reasoningTokens: number | null;
}

export const NO_USAGE: Usage = {
  promptTokens: null,
  completionTokens: null,
  cachedTokens: null,
  imageTokens: null,
  reasoningTokens: null,
};

/** A native tool as it is offered: its parameters are a JSON Schema of one object. */
export interface ChatTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonObject;
  /** The same for a server that holds calls to them: says too which parameters go together. `parameters` where left out. */
  readonly guidedParameters?: JsonObject;
}

/**
 * The same set of acceptable answers in the languages that servers know; each client picks the one that its server has. All
 * hold only what is offered now, and all leave the model room to think before the answer where the protocol has such room.
 */
export interface GuidedForm {
  /** A regular expression over the whole reply, without look-around, back-references or anchors. */
  readonly regex: string;
  /** The same as a GBNF grammar whose start is `root`. */
  readonly gbnf: string;
  /** A JSON Schema, where the answer is one JSON object; null elsewhere. */
  readonly schema: JsonObject | null;
}

/** What a request asks of the server besides answering its messages. */
export interface RequestForm {
  readonly tools: readonly ChatTool[];
  /** Null where the reply is free. */
  readonly guided: GuidedForm | null;
  /** The seed that the server samples with where the model's settings name none, 0 to `LIMITS.samplingSeed`; absent: a fixed one. */
  readonly samplingSeed?: number;
}

/** The same form, sampled with a seed of its own. */
export function seededForm(form: RequestForm, samplingSeed: number): RequestForm {
  return new SeededForm(form, samplingSeed);
}

/** A class for its getters: a form may work out its guided part only when it is asked for. */
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

/** A reply in free words. */
export const FREE_FORM: RequestForm = { tools: [], guided: null };

/** One call of a native tool, as the server gave it; arguments are unparsed text. */
export interface ToolCall {
  readonly name: string;
  readonly arguments: string;
}

/**
 * An answer with everything known of it. `latencyMs` is in milliseconds; tokens are null if the server did
 * not report them.
 */
export interface Reply {
  /** The answer as it came, '' where there was none. At most LIMITS.replyBytes, cut there with finish reason `length`. */
  readonly content: string;
  /** The model's reasoning where the server gives it apart; never read for actions. */
  readonly reasoning: string | null;
  readonly toolCalls: readonly ToolCall[];
  /** The server's own word; only `stop` and `tool_calls` may act. Null where none came. */
  readonly finishReason: string | null;
  /** The model that answered, as the server names it; null for embedded controllers. */
  readonly model: string | null;
  readonly usage: Usage;
  /**
   * The server's whole answer as JSON text (log probabilities and any other fields), without the text in
   * `content` and `reasoning`. `{"omitted_bytes":N}` beyond LIMITS.replyRawBytes, N null if it nests too deep
   * to be written; null for embedded controllers.
   */
  readonly raw: string | null;
  /**
   * How the answered request differed from what was meant, because the server refused it: `system-folded` where the system
   * text opened the first user message instead, `guided-dropped` where the reply was not constrained; and `unguided` where it was,
   * and the reply does not keep to it. `based-on:TURN` where the reply answers the observation of that earlier turn, in a served world
   * that allows it. Empty where nothing was different.
   */
  readonly adaptations: readonly string[];
  readonly latencyMs: number;
  /**
   * Failed tries before this one, newest last, each with when it failed, in milliseconds since the call began:
   * transport is not part of the chain.
   */
  readonly tries: readonly { readonly problem: string; readonly afterMs: number }[];
}

/**
 * Whether no step waits for the answer yet, because the call is speculative (`turns.speculate`); this may
 * change during the call.
 */
export type IsAhead = () => boolean;

/** A model that answers messages. Implement it yourself for anything that `openChatModel` can't reach. */
export interface ChatModel {
  /**
   * Everything in the next request besides its messages, as sent: the model (null if none is named and it was
   * not prepared) and every setting, so numbers may be fractions. Never a key, which is not part of a
   * request's body.
   */
  settings(form?: RequestForm): JsonObject;
  /**
   * One answer. Throws ModelError when the server can't be used, after its own limited retries; AbortError on
   * signal. If `isAhead` returns true, no step waits for it yet, and other requests may go first.
   */
  complete(
    messages: readonly Message[],
    signal: AbortSignal,
    form?: RequestForm,
    isAhead?: IsAhead,
  ): Promise<Reply>;
  /** Finds out the server's model where none is named; called once before a run. */
  prepare(signal: AbortSignal): Promise<{ readonly model: string; readonly server: string | null }>;
}

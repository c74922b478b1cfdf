/**
 * An agent that plays one entity of a served world with a model: it gets the messages that the server would
 * send itself, and answers with the model's text. A model is often slower than a tick. Then its answer counts
 * for the tick that is open when it arrives, and names the observation that it answers; the server accepts it
 * if the observation is not too old.
 */
import type { ChatModel, Message, Reply, RequestForm } from '../../model/chat.js';
import { withLostRequests } from '../../model/lost-request.js';
import { setTimeout as wait } from 'node:timers/promises';
import { UsageError } from '../../base/errors.js';
import { oneLine } from '../../base/text.js';
import { receivedJson, receivedObject } from './received-json.js';
import { Part } from '../gen/orchestrate/world/v1/world_pb.js';
import type { IntentAck, Lease, Observation, Prompt } from '../gen/orchestrate/world/v1/world_pb.js';
import type { IntentInit, WorldClient } from './world-client.js';

/** The part that makes an answer. */
export interface Player {
  /** The parts of the observation that it needs. */
  parts: readonly Part[];
  /** Throws if it can't answer; then the agent ends. */
  answer(observation: Observation, signal: AbortSignal): Promise<IntentInit>;
}

export interface RemoteAgentOptions {
  client: WorldClient;
  lease: Lease;
  player: Player;
  /** Called with each acknowledgement. */
  onAck: (ack: IntentAck, observation: Observation) => void;
}

/**
 * How the run ended for the agent: the last message of its stream, without which nothing is known of the
 * run.
 */
export type LastObservation = Pick<Observation, 'state' | 'reason' | 'tick'>;

export async function playRemotely(
  options: RemoteAgentOptions,
  signal: AbortSignal,
): Promise<LastObservation> {
  const { client, lease, player } = options;
  // An agent that can't go on must not wait for the next observation: there may be none.
  const failing = new AbortController();
  const pending = new PendingAnswer(options, signal, (error) => failing.abort(error));
  const either = AbortSignal.any([signal, failing.signal]);
  for await (const observation of client.observations(lease, player.parts, either)) {
    if (observation.isFinal) {
      await pending.untilAcknowledged();
      return observation;
    }
    // The first message only confirms that the stream is open.
    if (observation.tick === 0n) continue;
    pending.requestAnswer(observation);
  }
  throw new UsageError('the served world ended the stream of observations before the run was over');
}

/**
 * How long an acknowledgement and the stream's last message may be apart: a server that owes one of them may
 * never send it.
 */
const ACK_MS = 5000;

/** One answer at a time; meanwhile, only the newest request is kept. */
class PendingAnswer {
  readonly #options: RemoteAgentOptions;
  readonly #signal: AbortSignal;
  #newest: Observation | null = null;
  #isAnswering = false;
  #answering: Promise<void> = Promise.resolve();
  /** The intent that was sent and has not been acknowledged yet. */
  #sent: Promise<unknown> = Promise.resolve();
  readonly #onFailure: (error: unknown) => void;

  constructor(options: RemoteAgentOptions, signal: AbortSignal, onFailure: (error: unknown) => void) {
    this.#options = options;
    this.#signal = signal;
    this.#onFailure = onFailure;
  }

  requestAnswer(observation: Observation): void {
    this.#newest = observation;
    if (this.#isAnswering) return;
    this.#isAnswering = true;
    this.#answering = this.#answerRequests(observation).catch(this.#onFailure);
  }

  /** The intent was acknowledged; an answer in progress no longer counts. */
  async untilAcknowledged(): Promise<void> {
    await Promise.race([this.#sent.catch(() => undefined), wait(ACK_MS, undefined, { ref: false })]);
    if (!this.#isAnswering) await this.#answering;
  }

  async #answerRequests(first: Observation): Promise<void> {
    let observation: Observation | null = first;
    while (observation !== null && !this.#signal.aborted) {
      const intent = await this.#options.player.answer(observation, this.#signal);
      const answeredRequest = await this.#send(observation, intent);
      // A request that arrived meanwhile, if the answer did not count for it.
      const newest: Observation | null = this.#newest;
      observation = newest !== answeredRequest && newest !== null ? newest : null;
    }
    this.#isAnswering = false;
  }

  /** Returns the request for which the answer counted. */
  async #send(observation: Observation, intent: IntentInit): Promise<Observation> {
    const { client, lease, onAck } = this.#options;
    const open = this.#newest ?? observation;
    const isStale = open.tick !== observation.tick;
    const target = { tick: open.tick, attempt: open.attempt, basedOnTick: isStale ? observation.tick : 0n };
    const requestId = `${open.tick}-${open.attempt}`;
    const sending = client
      .submit(lease, target, { intent, requestId }, this.#signal)
      .then((ack) => onAck(ack, observation));
    this.#sent = sending;
    try {
      await sending;
    } catch (error) {
      // The stream may be about to say that the run is over.
      await wait(ACK_MS, undefined, { ref: false });
      throw error;
    }
    return open;
  }
}

/** A model as a player: the messages are sent unchanged, and its reply is returned unchanged. */
export function modelPlayer(model: ChatModel): Player {
  const askForTurn = withLostRequests(model);
  return {
    parts: [Part.PROMPT],
    answer: async ({ prompt, tick }, signal) => {
      const reply = await askForTurn(Number(tick), messagesOf(prompt), signal, formOf(prompt));
      return { case: 'words', value: wordsMessage(reply) };
    },
  };
}

function messagesOf(prompt: Prompt | undefined): readonly Message[] {
  return (prompt?.messages ?? []).map(({ role, parts }) => ({
    role: receivedRole(role),
    parts: parts.map(({ part }) =>
      part.case === 'frame'
        ? { kind: 'image' as const, png: part.value.png, frameHash: part.value.hash }
        : { kind: 'text' as const, text: part.value ?? '' },
    ),
  }));
}

function receivedRole(role: string): Message['role'] {
  if (role === 'system' || role === 'user' || role === 'assistant') return role;
  throw new UsageError(`the served world sent a message of the role "${oneLine(role.slice(0, 40))}"`);
}

function formOf(prompt: Prompt | undefined): RequestForm {
  const { toolsJson = '', guidedRegex = '', guidedGbnf = '', guidedSchemaJson = '' } = prompt ?? {};
  return {
    tools:
      toolsJson === '' ? [] : (receivedJson('tools_json', toolsJson, Array.isArray) as RequestForm['tools']),
    guided:
      guidedRegex === ''
        ? null
        : {
            regex: guidedRegex,
            gbnf: guidedGbnf,
            schema: guidedSchemaJson === '' ? null : receivedObject('guided_schema_json', guidedSchemaJson),
          },
    ...(prompt === undefined ? {} : { samplingSeed: Number(prompt.samplingSeed) }),
  };
}

function wordsMessage({ content, reasoning, finishReason, model, usage, latencyMs, toolCalls }: Reply) {
  const count = (tokens: number | null): bigint => BigInt(tokens ?? 0);
  return {
    $typeName: 'orchestrate.world.v1.Words' as const,
    content,
    reasoning: reasoning ?? '',
    finishReason: finishReason ?? '',
    model: model ?? '',
    latencyMs: BigInt(Math.round(latencyMs)),
    usage: {
      $typeName: 'orchestrate.world.v1.Usage' as const,
      promptTokens: count(usage.promptTokens),
      completionTokens: count(usage.completionTokens),
      imageTokens: count(usage.imageTokens),
    },
    toolCalls: toolCalls.map((call) => ({
      $typeName: 'orchestrate.world.v1.NativeCall' as const,
      name: call.name,
      argumentsJson: call.arguments,
    })),
  };
}

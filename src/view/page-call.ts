/**
 * Calls as the page has them: messages as additions to the agent's previous call, texts and pictures by
 * index. A picture is stored as its scene only if the tiles give exactly the sent pixels.
 */
import { answeredTurn } from '../trajectory/answered-turn.js';
import { callPlayer } from '../trajectory/player-names.js';
import type { CallRequest, LoggedCall } from '../trajectory/records.js';
import type { Message, MessagePart } from '../model/chat.js';
import { drawFrame } from '../render/draw.js';
import type { PageCall, PageMessage, PagePicture, PagePiece, PageReply } from './page-data.js';
import type { RunSource } from './run-source.js';
import type { PageTables } from './tables.js';

/** An agent's newest call: its number and its messages as keys. */
interface NewestCall {
  call: number;
  keys: readonly string[];
}

/** Packs the calls of one run, which must come in order. */
export class CallPacker {
  readonly #source: RunSource;
  readonly #tables: PageTables;
  readonly #newest = new Map<string, NewestCall>();

  constructor(source: RunSource, tables: PageTables) {
    this.#source = source;
    this.#tables = tables;
  }

  pack({ request, end }: LoggedCall): PageCall {
    const { call, agent, attempt, purpose } = request;
    const { reader, run } = this.#source;
    const player = callPlayer(reader.sessions(run.runId), request);
    const picture = this.#sentPicture(request);
    const messages = request.messages.map((message) => this.#message(message));
    const keys = messages.map((message) => JSON.stringify(message));
    const previousCall = this.#newest.get(agent);
    const kept = previousCall === undefined ? 0 : sharedStart(previousCall.keys, keys);
    this.#newest.set(agent, { call, keys });
    const previous = kept === 0 ? null : (previousCall?.call ?? null);
    const added = messages.slice(kept);
    const reply = this.#reply(end);
    return { call, agent, attempt, purpose, player, previous, kept, added, picture, reply };
  }

  #message({ role, parts }: Message): PageMessage {
    return { role, pieces: parts.map((part) => this.#piece(part)) };
  }

  #piece(part: MessagePart): PagePiece {
    if (part.kind === 'text') return { text: this.#tables.text(part.text) };
    const { frameHash, png } = part;
    return { picture: this.#tables.picture(this.#key(frameHash), () => fileOf(frameHash, png)) };
  }

  #sentPicture({ frameHash, observation: { scene } }: CallRequest): number | null {
    if (frameHash === null) return null;
    return this.#tables.picture(this.#key(frameHash), (): PagePicture => {
      const index = scene === null || !this.#draws(scene, frameHash) ? null : this.#tables.scene(scene);
      if (index !== null) return { scene: index, hash: frameHash };
      return fileOf(frameHash, this.#source.reader.frame(frameHash)?.png ?? new Uint8Array());
    });
  }

  /** Includes the run, because two runs of one page may draw a scene with different tiles and sizes. */
  #key(frameHash: string): string {
    return `${this.#source.run.runId} ${frameHash}`;
  }

  #draws(scene: NonNullable<CallRequest['observation']['scene']>, frameHash: string): boolean {
    const { tileset, run } = this.#source;
    const { tilePixels: cell, ruler, blank = false } = run.scenario.render;
    if (blank) return false;
    try {
      return drawFrame(scene, tileset, { cell, ruler }).hash === frameHash;
    } catch {
      // An untrusted log may contain a scene that can't be drawn; its picture is then shown as it is stored.
      return false;
    }
  }

  #reply(end: LoggedCall['end']): PageReply {
    if (end === null) return { kind: 'none' };
    if (end.kind === 'failed') return { kind: 'failed', error: end.error };
    const { content, reasoning, toolCalls, finishReason, model, latencyMs, usage } = end.reply;
    return {
      kind: 'replied',
      content: this.#tables.text(content),
      reasoning: reasoning === null ? null : this.#tables.text(reasoning),
      tools: toolCalls.map((tool) => ({ name: tool.name, arguments: tool.arguments })),
      finish: finishReason,
      model,
      latencyMs,
      promptTokens: usage.promptTokens,
      completionTokens: usage.completionTokens,
      answeredTurn: answeredTurn(end.reply),
    };
  }
}

function fileOf(hash: string, png: Uint8Array): PagePicture {
  return { png: Buffer.from(png).toString('base64'), hash };
}

/** The length of the longest common prefix. */
function sharedStart(one: readonly string[], other: readonly string[]): number {
  const shorter = Math.min(one.length, other.length);
  for (let i = 0; i < shorter; i++) if (one[i] !== other[i]) return i;
  return shorter;
}

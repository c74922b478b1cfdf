/**
 * Requests: the exact messages of each call, stored as differences. A request is its predecessor of the same
 * agent, the number of messages that it keeps from it, and the messages that it appends, each with its texts
 * and pictures by number. So a growing history costs each turn only what is new. If the chain back to a full
 * request would be longer than the request's own list, the request is stored in full, so reading one costs as
 * much as its list, and the log still grows linearly.
 */
import type { Message } from '../model/chat.js';
import type { BlobWriter } from './blobs.js';
import type { MessageContent } from '../trajectory/content.js';
import { contentOfMessage, messageHashes } from '../trajectory/content.js';
import type { FrameWriter } from './frames.js';
import type { MessageReference, RequestColumns } from './request-walk.js';
import type { CallRequest } from '../trajectory/records.js';
import type { CallPurpose } from '../trajectory/record-values.js';

/** A chain this short is never cut. */
const CHAIN_LENGTH_MIN = 16;

interface PreviousRequest {
  call: number;
  /** Its messages' hashes. */
  hashes: readonly string[];
  /** Number of requests back to the one that is stored in full. */
  chainLength: number;
}

export class RequestWriter {
  readonly #blobs: BlobWriter;
  readonly #frames: FrameWriter;
  /** By run and agent, then by purpose; a new process starts with a request that is stored in full. */
  readonly #last = new Map<string, Map<CallPurpose, PreviousRequest>>();

  constructor(blobs: BlobWriter, frames: FrameWriter) {
    this.#blobs = blobs;
    this.#frames = frames;
  }

  /** Stores new texts and pictures. */
  columns(run: number, request: CallRequest): RequestColumns {
    const { call, messages } = request;
    const hashes = messageHashes(messages);
    const previousRequests = this.#previousOf(`${run}/${request.agent}`);
    const { last, kept } = mostSimilar([...previousRequests.values()], hashes);
    const isFull = last === null || last.chainLength >= Math.max(CHAIN_LENGTH_MIN, messages.length);
    previousRequests.set(request.purpose, { call, hashes, chainLength: isFull ? 0 : last.chainLength + 1 });
    const from = isFull ? 0 : kept;
    const appended = JSON.stringify(messages.slice(from).map((message) => this.#reference(message)));
    return { previous: isFull ? null : last.call, kept: from, appended };
  }

  #reference(message: Message): MessageReference {
    const { role, parts } = contentOfMessage(message);
    return { role, parts: parts.map((part) => this.#part(part)) };
  }

  #part(part: MessageContent['parts'][number]): MessageReference['parts'][number] {
    if ('text' in part) return { text: this.#blobs.plain(part) };
    return { frame: this.#frames.store(part.frameHash, part.png) };
  }

  #previousOf(key: string): Map<CallPurpose, PreviousRequest> {
    const previousRequests = this.#last.get(key) ?? new Map<CallPurpose, PreviousRequest>();
    this.#last.set(key, previousRequests);
    return previousRequests;
  }
}

/**
 * The request with the longest common beginning: a summary in between must not separate one turn's request
 * from the next.
 */
function mostSimilar(
  previousRequests: readonly PreviousRequest[],
  hashes: readonly string[],
): { last: PreviousRequest | null; kept: number } {
  let best: { last: PreviousRequest | null; kept: number } = { last: null, kept: 0 };
  for (const last of previousRequests) {
    const kept = sharedPrefix(last.hashes, hashes);
    if (kept > best.kept) best = { last, kept };
  }
  return best;
}

function sharedPrefix(a: readonly string[], b: readonly string[]): number {
  let length = 0;
  while (length < a.length && length < b.length && a[length] === b[length]) length++;
  return length;
}

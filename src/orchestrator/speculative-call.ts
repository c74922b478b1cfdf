/**
 * Speculative calls: committed to the log before they are sent, all in one commit, and the end of each on
 * arrival. One may be cancelled at any moment; it then counts as failed, whatever arrives later. Until its
 * turn has come, no step waits for it: other requests go to the server first.
 */
import { errorMessage } from '../base/errors.js';
import { at } from '../base/assert.js';
import type { ControllerInput } from '../agent/controller.js';
import type { CallEnd, CallRequest } from '../trajectory/records.js';
import type { RunSink } from '../trajectory/sink.js';
import { unlessAborted, withEither } from '../model/abort.js';
import type { RunContext, Seat } from './run-context.js';
import type { RunState } from './run-state.js';
import { withCallNumber } from './request.js';
import type { EarlyCall, PlannedCall } from './request.js';

export interface EarlyCallOptions {
  seat: Seat;
  planned: PlannedCall;
  input: ControllerInput;
  /** Cancels all speculative calls. */
  signal: AbortSignal;
}

export interface PendingCall extends EarlyCall {
  /** Cancels the call because it is no longer needed; if it had already ended, that end counts. */
  discard(): void;
}

/** Throws StorageError if they can't be logged; then nothing was sent. */
export function sendSpeculativeCalls<S>(
  { sink }: RunContext<S>,
  progress: RunState<S>,
  calls: readonly EarlyCallOptions[],
): readonly PendingCall[] {
  const requests = calls.map(({ planned }) => withCallNumber(planned, progress.nextCall(), 'speculation'));
  for (const request of requests) sink.request(request, false);
  sink.flush();
  return calls.map((call, i) => sendCall(sink, at(requests, i), call));
}

function sendCall(
  sink: RunSink,
  request: CallRequest,
  { seat, input, signal }: EarlyCallOptions,
): PendingCall {
  const discarded = new AbortController();
  let end: CallEnd | null = null;
  let isAhead = true;
  const decide = (eitherSignal: AbortSignal) =>
    seat.controller.decide({ ...input, isAhead: () => isAhead }, eitherSignal);
  const callAndLog = async (): Promise<CallEnd> => {
    try {
      const { reply, memory } = await withEither([signal, discarded.signal], async (eitherSignal) => {
        const decision = await unlessAborted(decide(eitherSignal), eitherSignal);
        eitherSignal.throwIfAborted();
        return decision;
      });
      end = { kind: 'replied', reply, memory };
    } catch (error) {
      end = { kind: 'failed', error: errorMessage(error) };
    }
    sink.reply(request.runId, request.call, end, true);
    return end;
  };
  const ended = callAndLog();
  // If a step waits for the call, it gets the exception; otherwise the exception must not crash the process.
  ended.catch(() => undefined);
  return {
    request,
    ended,
    get end() {
      return end;
    },
    markAwaited: () => {
      isAhead = false;
    },
    discard: () => discarded.abort(new Error('speculative call discarded')),
  };
}

/** Ctrl-C: the first ends the run after its step, the second also abandons the pending call. */
import type { StopSignals } from '../../orchestrator/run-context.js';
import type { Io } from './io.js';

export interface Interrupts {
  stop: StopSignals;
  /** Like the first Ctrl-C, but prints nothing. */
  stopSoftly: () => void;
  /** Like the second one: abandons the pending call, with the reason for the log. */
  stopNow: (reason: Error) => void;
  close: () => void;
}

export function listenForInterrupts(io: Io, print: (message: string) => void): Interrupts {
  const soft = new AbortController();
  const hard = new AbortController();
  const close = io.onInterrupt(() => {
    if (!soft.signal.aborted) {
      print('stopping after this step; press Ctrl-C again to cancel the pending call');
      soft.abort();
    } else {
      hard.abort();
    }
  });
  return {
    stop: { soft: soft.signal, hard: hard.signal },
    stopSoftly: () => soft.abort(),
    stopNow: (reason) => hard.abort(reason),
    close,
  };
}

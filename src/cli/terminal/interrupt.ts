/** Ctrl-C: the first ends the run after its step, the second gives up the pending call too. */
import type { StopSignals } from '../../orchestrator/run-context.js';
import type { Io } from './io.js';

export interface Interrupts {
  readonly stop: StopSignals;
  /** As the first Ctrl-C, without a word. */
  readonly stopSoftly: () => void;
  /** As the second one: gives up the pending call, with the reason that the log keeps of it. */
  readonly stopNow: (reason: Error) => void;
  readonly close: () => void;
}

export function listenForInterrupts(io: Io, tell: (message: string) => void): Interrupts {
  const soft = new AbortController();
  const hard = new AbortController();
  const close = io.onInterrupt(() => {
    if (!soft.signal.aborted) {
      tell('stopping after this step; press Ctrl-C again to give up the pending call');
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

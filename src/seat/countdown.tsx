/** How long commands are still accepted in this turn, and whether one is needed. */
import { useEffect, useState } from 'preact/hooks';
import type { SeatState } from './state.js';

const BEAT_MS = 200;

export function Countdown({ state: { isAsked, sending, closesAt, openMs } }: { state: SeatState }) {
  const [now, setNow] = useState(performance.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(performance.now()), BEAT_MS);
    return () => clearInterval(timer);
  }, []);
  const leftMs = Math.max(0, closesAt - now);
  return (
    <div class={isAsked && leftMs > 0 ? 'countdown asked' : 'countdown'}>
      <span>{statusText({ isAsked, sending, leftMs })}</span>
      <progress aria-label="Time left in this turn" max={Math.max(1, openMs)} value={isAsked ? leftMs : 0} />
    </div>
  );
}

function statusText({
  isAsked,
  sending,
  leftMs,
}: {
  isAsked: boolean;
  sending: string;
  leftMs: number;
}): string {
  if (!isAsked) return sending === '' ? 'Wait for the next turn.' : `${sending} · waiting for the others`;
  if (leftMs === 0) return 'Time is up: you wait this turn.';
  return `Your turn · ${Math.ceil(leftMs / 1000)} s`;
}

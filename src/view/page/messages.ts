/** A call's messages, which the page's data stores as additions to an earlier call. */
import type { PageCall, PageMessage, PageRun } from '../page-data.js';

/** All messages of a call. */
export function messagesOf(run: PageRun, call: PageCall): readonly PageMessage[] {
  const parts: (readonly PageMessage[])[] = [];
  let [current, needed]: [PageCall | undefined, number] = [call, Number.POSITIVE_INFINITY];
  while (current !== undefined) {
    const count = Math.max(0, needed - current.kept);
    parts.unshift(current.added.slice(0, count));
    needed = Math.min(needed, current.kept);
    const previous: number | null = current.previous;
    current = previous === null || needed === 0 ? undefined : callOf(run, previous);
  }
  return parts.flat();
}

const callsByRun = new WeakMap<PageRun, ReadonlyMap<number, PageCall>>();

function callOf(run: PageRun, number: number): PageCall | undefined {
  let calls = callsByRun.get(run);
  if (calls === undefined) {
    calls = new Map(run.steps.flatMap((step) => step.calls.map((call) => [call.call, call] as const)));
    callsByRun.set(run, calls);
  }
  return calls.get(number);
}

/**
 * A call's messages, which the page's data contains as differences from an earlier call. In: a run and a
 * call; out: all that was sent, in order.
 */
import type { PageCall, PageMessage, PageRun } from '../page-data.js';

/** The list that a call's differences stand for. */
export function messagesOf(run: PageRun, call: PageCall): readonly PageMessage[] {
  const kept: (readonly PageMessage[])[] = [];
  let [current, wanted]: [PageCall | undefined, number] = [call, Number.POSITIVE_INFINITY];
  while (current !== undefined) {
    const own = Math.max(0, wanted - current.kept);
    kept.unshift(current.added.slice(0, own));
    wanted = Math.min(wanted, current.kept);
    const before: number | null = current.previous;
    current = before === null || wanted === 0 ? undefined : callOf(run, before);
  }
  return kept.flat();
}

const callsOf = new WeakMap<PageRun, ReadonlyMap<number, PageCall>>();

function callOf(run: PageRun, number: number): PageCall | undefined {
  let calls = callsOf.get(run);
  if (calls === undefined) {
    calls = new Map(run.steps.flatMap((step) => step.calls.map((call) => [call.call, call] as const)));
    callsOf.set(run, calls);
  }
  return calls.get(number);
}

/**
 * The effect handlers of the user's own tools. An exception of a tool becomes an error result and never
 * reaches the loop.
 */
import { errorMessage } from '../../../base/errors.js';
import type { Json } from '../../../base/json.js';
import { LIMITS } from '../../../base/limits.js';
import { cutText } from '../../../base/text.js';
import type { EffectHandler } from '../../../orchestrator/run-context.js';
import type { OwnTool } from '../scenario/own-tools.js';
import { toolEffect } from '../definition.js';

/** `{ value }`, or `{ error, trace }`: the agent sees the error, the trace stays in the log. */
export function toolEffectHandlers(
  tools: readonly OwnTool[],
  timeoutMs: number = LIMITS.toolTimeoutMs,
): Readonly<Record<string, EffectHandler>> {
  return Object.fromEntries(
    tools.map((tool) => [
      toolEffect(tool.name),
      (args, _agent, signal) => perform(tool, args, { signal, timeoutMs }),
    ]),
  );
}

async function perform(
  { run }: OwnTool,
  args: Parameters<EffectHandler>[0],
  { signal, timeoutMs }: { signal: AbortSignal; timeoutMs: number },
): Promise<Json> {
  const timeout = AbortSignal.timeout(timeoutMs);
  const combined = AbortSignal.any([signal, timeout]);
  try {
    const value = await Promise.race([
      Promise.resolve().then(() => run(args, combined)),
      rejectOnAbort(combined),
    ]);
    return { value: toOutputText(value) };
  } catch (error) {
    signal.throwIfAborted();
    if (timeout.aborted) return { error: `it took longer than ${timeoutMs} ms` };
    const trace = error instanceof Error ? cutText(error.stack ?? '', LIMITS.traceCharacters) : '';
    return { error: cutText(messageOf(error), LIMITS.toolOutputCharacters), trace: trace.toWellFormed() };
  }
}

function messageOf(error: unknown): string {
  const message = errorMessage(error);
  return (message === '' ? 'it failed without a word' : message).toWellFormed();
}

function rejectOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}

/**
 * The output as text, cut to the length limit, because a log contains neither fractions nor unlimited text.
 */
function toOutputText(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing');
  return cutText(text, LIMITS.toolOutputCharacters).toWellFormed();
}

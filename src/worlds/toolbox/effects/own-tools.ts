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
    // A log contains neither fractions nor unlimited text.
    const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing');
    return { value: cutText(text, LIMITS.toolOutputCharacters).toWellFormed() };
  } catch (error) {
    signal.throwIfAborted();
    if (timeout.aborted) return { error: `it took longer than ${timeoutMs} ms` };
    const trace = error instanceof Error ? cutText(error.stack ?? '', LIMITS.traceCharacters) : '';
    const message = (errorMessage(error) || 'it failed without a word').toWellFormed();
    return { error: cutText(message, LIMITS.toolOutputCharacters), trace: trace.toWellFormed() };
  }
}

function rejectOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}

/**
 * Actions with outside effects, which are performed here and not by the world. Output, error and time are
 * stored first and then passed to the action as data, so that a replay uses what was stored and calls nothing
 * outside.
 */
import { known } from '../base/assert.js';
import { canonicalJson } from '../base/canonical.js';
import { errorMessage, UsageError } from '../base/errors.js';
import type { Json } from '../base/json.js';
import { lookUp } from '../base/look-up.js';
import type { Intent } from '../environment/action.js';
import { unlessAborted, withEither } from '../model/abort.js';
import type { RunContext } from './run-context.js';
import type { RunState } from './run-state.js';

export interface OutsideOptions {
  intent: Intent;
  step: number;
  signal: AbortSignal;
}

/** Throws UsageError if an action needs an effect handler that the run does not have. */
export function requireEffectHandlers<S>(parts: Pick<RunContext<S>, 'environment' | 'effectHandlers'>): void {
  for (const { name, outside } of parts.environment.actions.list()) {
    if (outside === undefined || Object.hasOwn(parts.effectHandlers, outside.handler)) continue;
    throw new UsageError(
      `the action ${name} needs the effect handler "${outside.handler}", which is missing`,
      [`add an effect handler of that name to the environment "${parts.environment.kind}"`],
    );
  }
}

/**
 * The intent with the output of its effect handler, if its action has one; an output that was stored before
 * an interruption is not requested again.
 */
export async function performOutsideEffect<S>(
  parts: RunContext<S>,
  progress: RunState<S>,
  options: OutsideOptions,
): Promise<Intent> {
  const { intent, step, signal } = options;
  const outside = parts.environment.actions.get(intent.action)?.outside;
  if (outside === undefined) return intent;
  const handler = known(
    lookUp(parts.effectHandlers, outside.handler),
    `an effect handler "${outside.handler}"`,
  );
  const stored = progress.pending.takeOutput(step, intent);
  if (stored !== undefined) return { ...intent, outside: stored };
  const startedAt = parts.clock.now();
  const output = await outputOf((callSignal) => handler(intent.args, intent.agent, callSignal), signal);
  parts.sink.outside({
    runId: parts.run.runId,
    step,
    agent: intent.agent,
    action: intent.action,
    args: intent.args,
    output,
    startedAt,
    durationMs: Math.max(0, Math.round(parts.clock.now() - startedAt)),
  });
  return { ...intent, outside: output };
}

/**
 * A failing effect handler is reported to the agent and does not end the run. Each call has its own signal,
 * so listeners that a handler leaves on it are dropped with the call.
 */
async function outputOf(
  perform: (callSignal: AbortSignal) => Promise<Json>,
  signal: AbortSignal,
): Promise<Json> {
  try {
    return requireStorable(
      await withEither([signal], (callSignal) => unlessAborted(perform(callSignal), callSignal)),
    );
  } catch (error) {
    signal.throwIfAborted();
    return { error: errorMessage(error) };
  }
}

/**
 * Effect handlers are external: an output that no log could store (a fraction, `undefined`, half a character)
 * counts as a failure of the handler.
 */
function requireStorable(output: Json): Json {
  try {
    canonicalJson(output);
  } catch (error) {
    throw new Error(`the answer can't be kept: ${errorMessage(error)}`, {
      cause: error,
    });
  }
  return output;
}

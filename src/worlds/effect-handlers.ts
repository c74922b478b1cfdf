/**
 * The outside effects of an environment's actions: effect handlers by name, and the scenario's data on which
 * they may depend.
 */
import { UsageError } from '../base/errors.js';
import type { Json } from '../base/json.js';
import type { EffectHandler } from '../orchestrator/run-context.js';

export type EffectHandlers = Readonly<Record<string, EffectHandler>>;

/** What effect handlers may depend on. */
export interface EffectOrigin {
  definition: Json;
  /** The scenario's folder on disk; null if it has none. */
  folder: string | null;
  /** The folder of files that the user named instead of the scenario's; null for none. */
  root: string | null;
  /** The scenario comes from a log, which does not contain the location of its folder. */
  isLogged?: boolean;
}

export function effectHandlersOf(
  { effectHandlers }: { effectHandlers: EffectHandlers | ((origin: EffectOrigin) => EffectHandlers) },
  origin: EffectOrigin,
): EffectHandlers {
  if (typeof effectHandlers === 'function') return effectHandlers(origin);
  if (origin.root !== null) throw new UsageError('the scenario has no files to read', ['leave out --root']);
  return effectHandlers;
}

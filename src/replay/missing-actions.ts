/**
 * What a logged run used and this program lacks: a custom action whose module was not given. Results without
 * these actions would be meaningless.
 */
import { UsageError } from '../base/errors.js';
import { textsIn } from '../base/json.js';
import type { Environment } from '../environment/environment.js';
import type { LoggedCall } from '../trajectory/records.js';

/** Throws UsageError if an agent had actions that this world doesn't have. */
export function requireActions(
  runId: string,
  calls: readonly LoggedCall[],
  { actions }: Environment<unknown>,
): void {
  // An untrusted log may contain anything in place of a list of names.
  const names = new Set(calls.flatMap(({ request }) => textsIn(request.observation.scope)));
  const missing = [...names].filter((name) => actions.get(name) === undefined);
  if (missing.length === 0) return;
  const subject = missing.length === 1 ? 'the action' : 'the actions';
  throw new UsageError(
    `run ${runId} was played with ${subject} ${missing.join(', ')}, which this program does not have`,
    ['load the module that it was played with: --modules my-actions.mjs'],
  );
}

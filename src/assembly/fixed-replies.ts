/**
 * Checks of fixed replies: each is parsed as it will be in the run, and a reply that names an unknown action
 * is reported, because a user's module is probably missing. Other mistakes depend on the run.
 */
import type { Environment } from '../environment/environment.js';
import { protocolOf } from '../parse/protocols.js';
import type { MistakeReport } from '../scenario/report.js';
import type { Scenario } from '../scenario/scenario.js';

/** Warns of each reply in the scenario that names no action of its world. */
export function tellUnknownActions(
  { agents }: Scenario,
  { actions }: Environment<unknown>,
  report: Pick<MistakeReport, 'warning'>,
): void {
  const vocabulary = actions.list();
  for (const [i, { controller, protocol }] of agents.entries()) {
    if (controller.kind !== 'replies') continue;
    for (const [j, content] of controller.replies.entries()) {
      const reply = { content, reasoning: null, toolCalls: [], finishReason: 'stop' };
      const read = protocolOf(protocol).read(reply, vocabulary);
      if (read.ok || read.problem.code !== 'unknown-action') continue;
      report.warning(
        ['agents', i, 'replies', j],
        'this reply names no action of the world',
        'an action of your own comes with its module: --modules my-actions.mjs',
      );
    }
  }
}

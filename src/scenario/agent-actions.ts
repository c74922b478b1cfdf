/** The key `actions` of an agent, which the worlds share: what it may use. */
import { z } from 'zod';
import { LIMITS } from '../base/limits.js';
import type { MistakeReport } from './report.js';
import { suggestAction } from './suggest.js';
import type { YamlPath } from './tree.js';
import type { KnownNames } from './world.js';

export const agentActionsSchema = z
  .array(z.string().min(1).max(LIMITS.nameCharacters))
  .max(64)
  .optional()
  .describe("The actions that it may use; all of the world's by default. WAIT is always offered.");

/** The actions as verbs; null if it may use all. Reports those that don't exist. */
export function readAgentActions(
  actions: readonly string[] | undefined,
  { known, report }: { known: KnownNames; report: MistakeReport },
  path: YamlPath,
): readonly string[] | null {
  const verbs = actions?.map((verb) => verb.toUpperCase()) ?? null;
  verbs?.forEach((verb, i) => {
    if (known.actions === null || known.actions.includes(verb)) return;
    const suggestion = suggestAction(verb, known.actions);
    report.error([...path, 'actions', i], `there is no action called '${verb.slice(0, 40)}'`, suggestion);
  });
  return verbs;
}

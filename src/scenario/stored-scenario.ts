/**
 * Checks a scenario as stored in a log, complete and with every default filled in: a log may be untrusted,
 * and readers must not crash on it. The checks of sections follow from their schemas (`section.ts`). The
 * environment checks its own definition when it opens it; fields added by a newer program are accepted.
 */
import { z } from 'zod';
import { ID_PATTERN } from '../base/ids.js';
import { LIMITS } from '../base/limits.js';
import { VERB } from '../environment/action.js';
import { PLAIN_CONTROLLERS } from './controllers.js';
import { PARSE_ONCE } from './parse-once.js';
import { PROTOCOL_NAMES } from './scenario.js';
import { AGENT_KEYS, SCENARIO_KEYS } from './schema.js';
import { modelSchema } from './schema-model.js';
import { stored, storedKeys } from './section.js';

const texts = z.array(z.string());

const controller = z.discriminatedUnion('kind', [
  z.looseObject({ kind: z.literal('model'), model: z.string() }),
  z.looseObject({ kind: z.enum(PLAIN_CONTROLLERS) }),
  z.looseObject({
    kind: z.literal('replies'),
    replies: texts,
    // oxlint-disable-next-line unicorn/no-thenable -- a word of the scenario, never awaited
    then: z.enum(['wait', 'repeat', 'stop']),
  }),
]);

const agent = z.looseObject({
  id: z.string().regex(ID_PATTERN),
  name: z.string(),
  tags: z.array(z.string()).optional(),
  part: z.literal('world').optional(),
  persona: z.string(),
  goals: z.array(
    z.looseObject({
      priority: z.int(),
      name: z.string(),
      description: z.string(),
      kind: z.enum(['task', 'rule', 'example']),
    }),
  ),
  controller,
  protocol: z.enum(PROTOCOL_NAMES),
  memory: stored(AGENT_KEYS.memory),
  reflection: stored(SCENARIO_KEYS.reflection),
});

export const storedScenario = z.looseObject({
  ...storedKeys(SCENARIO_KEYS, ['actions', 'reflection']),
  name: z.string(),
  title: z.string(),
  description: z.string(),
  seed: z.string(),
  environment: z.string(),
  spokenNames: z.record(z.string(), z.string().regex(VERB)).optional(),
  definition: z.unknown(),
  agents: z.array(agent).max(LIMITS.agents),
  models: z.record(z.string(), stored(modelSchema)),
  // Logs from before this setting have none.
  probes: stored(SCENARIO_KEYS.probes).optional(),
});

/** The position where a value is not a scenario, such as `turns.max: Too big`; null if it is one. */
export function scenarioFault(value: unknown): string | null {
  const issue = storedScenario.safeParse(value, PARSE_ONCE).error?.issues[0];
  if (issue === undefined) return null;
  const place = issue.path.join('.');
  return issue.message.endsWith('received undefined') ? `${place} is missing` : `${place}: ${issue.message}`;
}

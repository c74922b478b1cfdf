/**
 * Warns of keys that are valid but have no effect in combination with the others, so that the author does not
 * rely on them. Only keys that the author wrote are checked, not defaults. Each key's schema says when it has no
 * effect.
 */
import { z } from 'zod';
import { isRecord, type Json } from '../base/json.js';
import { childOf } from './records.js';
import type { MistakeReport } from './report.js';
import { AGENT_KEYS, SCENARIO_KEYS } from './schema.js';
import { childrenAt, knownKeys } from './schema-walk.js';
import { NO_EFFECT } from './section.js';
import type { YamlPath } from './tree.js';

/**
 * `written` is the scenario before defaults were filled in; values refused by a schema are reported
 * elsewhere.
 */
export function warnOfUnusedKeys(written: Json, report: MistakeReport): void {
  if (!isRecord<Json>(written)) return;
  const warnIn = (schema: z.ZodType, path: YamlPath): void => {
    const section = path.reduce<unknown>(childOf, written);
    if (!isRecord(section)) return;
    for (const key of knownKeys(schema, [])) {
      if (childOf(section, key) === undefined) continue;
      const [child] = childrenAt(schema, key);
      for (const rule of child instanceof z.ZodType ? (NO_EFFECT.get(child)?.rules ?? []) : []) {
        const found = rule(section, written, key);
        if (found !== false)
          report.warning({ key: [...path, key] }, `'${key}' has no effect ${found[0]}`, found[1]);
      }
    }
  };
  for (const [key, schema] of Object.entries(SCENARIO_KEYS)) warnIn(schema, [key]);
  const agents = childOf(written, 'agents');
  if (Array.isArray(agents)) agents.forEach((_, i) => warnIn(AGENT_KEYS.memory, ['agents', i, 'memory']));
}

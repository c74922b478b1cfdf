/**
 * Makes a simple `WorldReader`, for an environment that needs only a few scenario keys of its own, each with
 * its schema. Their values become the definition unchanged, together with the ids of the agents.
 */
import { z } from 'zod';
import { AssertionError, assert } from '../base/assert.js';
import { canonicalJson } from '../base/canonical.js';
import { DEFINED_SECTIONS } from '../environment/environment-spec.js';
import type { WorldReader } from './world.js';

/** The library for the schemas of keys: zod 4, the same instance that the loader uses. */
export { z };

/**
 * Reads the top-level keys of an environment in a scenario, each by its schema; they become its settings
 * unchanged. `agents` can't be one of them (AssertionError). A value with a fraction is reported as a mistake
 * in the scenario. `sections` are the ids that a turn's template may name, for a world with others than `place`
 * and `last`.
 */
export function settingsReader(
  kind: string,
  keys: Readonly<Record<string, z.ZodType>>,
  sections: readonly string[] = DEFINED_SECTIONS,
): WorldReader {
  assert(!Object.hasOwn(keys, 'agents'), '`agents` is already a key of every scenario');
  return {
    kind,
    keys,
    agentKeys: {},
    sections,
    read: ({ values, agents }, report) => {
      const settings = Object.keys(keys).map((key) => [key, values[key]] as const);
      for (const [key, value] of settings) {
        if (!isStorable(value))
          report.error([key], `${key} contains a fraction`, 'write it as text, in quotes');
      }
      return { ...Object.fromEntries(settings), agents: agents.map(({ id }) => String(id)) };
    },
  };
}

/** Whether a log can store it exactly; an absent optional key is not part of the definition. */
function isStorable(value: unknown): boolean {
  try {
    canonicalJson(value ?? null);
    return true;
  } catch (error) {
    if (error instanceof AssertionError) return false;
    throw error;
  }
}

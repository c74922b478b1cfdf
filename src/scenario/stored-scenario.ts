/**
 * Checks a scenario as stored in a log, complete and with every default filled in: a log may be untrusted,
 * and readers must not crash on it. In: any JSON; out: a text that says where it is not a scenario. The
 * environment checks its own definition when it opens it; fields added by a newer program are accepted.
 */
import { z } from 'zod';
import { ID_PATTERN } from '../base/ids.js';
import { LIMITS } from '../base/limits.js';
import { VERB } from '../environment/action.js';
import { PROBE_KINDS, PROTOCOL_NAMES } from './scenario.js';
import { PARSE_ONCE } from './parse-once.js';

const count = z.int().min(0);
const some = z.int().min(1);
const texts = z.array(z.string());
const decimal = z.string().regex(/^\d+(\.\d+)?$/);
const amount = z.string().regex(/^-?\d+(\.\d+)?$/);
const json: z.ZodType = z.json();

const controller = z.discriminatedUnion('kind', [
  z.looseObject({ kind: z.literal('model'), model: z.string() }),
  z.looseObject({ kind: z.literal('scripted') }),
  z.looseObject({ kind: z.literal('random') }),
  z.looseObject({ kind: z.literal('oracle') }),
  z.looseObject({ kind: z.literal('human') }),
  z.looseObject({ kind: z.literal('process') }),
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
  memory: z.looseObject({
    kind: z.enum(['none', 'window', 'history', 'summary', 'notes', 'file']),
    turnsMax: count,
    turnsKept: count,
    charactersMax: count,
    notesMax: count,
    pictures: count.optional(),
    recalls: count.optional(),
  }),
  reflection: z.looseObject({
    when: z.enum(['success', 'always', 'never']),
    question: z.string().nullable(),
  }),
});

const model = z.looseObject({
  baseUrl: z.string(),
  model: z.string().nullable(),
  apiKeyEnv: z.string().nullable(),
  temperature: z.string(),
  topP: z.string(),
  maxTokens: some,
  seed: z.int().nullable(),
  timeoutMs: some,
  retries: count,
  guided: z.enum(['off', 'auto', 'require']),
  server: z.string().nullable(),
  price: z.looseObject({ prompt: decimal, reply: decimal }),
  extra: z.record(z.string(), json),
});

const turns = z.looseObject({
  order: z.enum(['sequential', 'simultaneous']),
  max: some.max(LIMITS.turns),
  attempts: some.max(LIMITS.attempts),
  givenUp: z.enum(['wait', 'stop']),
  freeActs: count.max(LIMITS.freeActs),
  repair: z.boolean(),
  // oxlint-disable-next-line unicorn/no-thenable -- a word of the scenario, never awaited
  repeats: z.looseObject({ times: some, then: z.enum(['nudge', 'stop']) }).nullable(),
  speculate: z.looseObject({ ahead: some.max(LIMITS.agents), wastedMax: count }).nullish(),
});

const scenario = z.looseObject({
  name: z.string(),
  title: z.string(),
  description: z.string(),
  seed: z.string(),
  environment: z.string(),
  spokenNames: z.record(z.string(), z.string().regex(VERB)).optional(),
  definition: z.unknown(),
  agents: z.array(agent).max(LIMITS.agents),
  models: z.record(z.string(), model),
  turns,
  budget: z.looseObject({
    steps: some.nullable(),
    tokens: some.nullable(),
    seconds: some.nullable(),
    cost: decimal.nullable(),
  }),
  rewards: z
    .looseObject({
      success: amount,
      failure: amount,
      step: amount,
      refused: amount,
      unreadable: amount,
      progress: amount,
      discount: decimal,
      effort: some,
    })
    .optional(),
  render: z.looseObject({
    tilePixels: some.max(LIMITS.frameTilePixels),
    columns: some.max(LIMITS.frameSideTiles),
    rows: some.max(LIMITS.frameSideTiles),
    tileset: z.string().nullable(),
    channel: z.enum(['both', 'image', 'text']),
    names: z.boolean().optional(),
    blank: z.literal(true).optional(),
    marks: z.boolean(),
    legend: z.boolean(),
    ruler: z.boolean(),
    skin: count.max(LIMITS.skinNumber),
  }),
  prompt: z.looseObject({
    templates: z.record(z.string(), z.string()),
    rules: z.string(),
    offers: z.boolean(),
    reasoning: z.literal(false).optional(),
    snapshot: z.union([z.boolean(), z.array(z.string())]),
  }),
  probes: z
    .looseObject({
      every: some.nullable(),
      steps: z.array(some),
      kinds: z.array(z.enum(PROBE_KINDS)),
      each: some.max(LIMITS.probesEach),
    })
    .nullish(),
});

/** The position where a value is not a scenario, such as `turns.max: Too big`; null if it is one. */
export function scenarioFault(value: unknown): string | null {
  const issue = scenario.safeParse(value, PARSE_ONCE).error?.issues[0];
  if (issue === undefined) return null;
  const place = issue.path.join('.');
  return issue.message.endsWith('received undefined') ? `${place} is missing` : `${place}: ${issue.message}`;
}

/**
 * The format of a batch: scenarios × models × seeds × switches. The checks, the defaults, the JSON Schema for
 * editors and the tables in docs/reference/batch-file.md are derived from this schema.
 */
import { z } from 'zod';
import { LIMITS } from '../base/limits.js';
import { controllerKinds } from './controllers.js';
import { idSchema } from './schema.js';
import { baseUrlSchema, MODEL_KEYS } from './schema-model.js';
import { section } from './section.js';

const serverSchema = section({
  base_url: baseUrlSchema.describe('Address of the server, up to and including `/v1`.'),
  weight: z
    .int()
    .min(1)
    .max(1000)
    .default(1)
    .describe('Its share of the runs, relative to the other servers of the model.'),
});

const playersSchema = section(
  {
    ...MODEL_KEYS,
    controller: z
      .enum(controllerKinds('batch'))
      .default('model')
      .describe(
        'Who decides: this model, a built-in player, or your own program, which `--process NAME="program args…"` names; with a program, set no other key.',
      ),
    servers: z
      .array(serverSchema)
      .min(1)
      .max(LIMITS.batchServers)
      .optional()
      .describe('Several servers of the same model, instead of `base_url`. A run stays on one of them.'),
    seats: z
      .record(idSchema, idSchema)
      .optional()
      .describe(
        'Different players for different agents, instead of all other keys: by agent, another entry of `models`, or a built-in player. Every agent that is not part of the world must have one.',
      ),
  },
  'Who decides for all agents except those that are part of the world (`part: world`, or fixed replies): a model, with the same settings as in a scenario.',
);

const settingSchema = z.string().min(1).max(LIMITS.settingCharacters);

const seedSchema = z.union([z.int().min(0), z.string().min(1).max(LIMITS.settingCharacters)]);

export const batchSchema = z.strictObject({
  title: z
    .string()
    .max(LIMITS.nameCharacters)
    .default('')
    .describe('The question that the batch is meant to answer.'),
  scenarios: z
    .array(z.string().min(1).max(LIMITS.settingCharacters))
    .min(1)
    .max(LIMITS.batchScenarios)
    .describe('Scenario files, relative to the batch file or absolute, or names of shipped scenarios.'),
  models: z
    .record(idSchema, playersSchema)
    .prefault({})
    .describe("The players, by a name of your choice; by default each scenario's own."),
  seeds: z
    .union([z.int().min(1).max(LIMITS.batchRuns), z.array(seedSchema).min(1).max(LIMITS.batchRuns)])
    .optional()
    .describe("Number of seeds (1, 2, …), or a list of them; by default each scenario's own."),
  switches: z
    .record(idSchema, z.record(idSchema, z.array(settingSchema).max(LIMITS.batchSettings)))
    .default({})
    .describe(
      'The settings to compare: each switch has positions, and each position is a list of settings as for `--set`.',
    ),
  max_turns: z.int().min(1).max(LIMITS.turns).optional().describe('Maximum number of turns of each run.'),
  parallel: z
    .int()
    .min(1)
    .max(LIMITS.batchParallel)
    .default(8)
    .describe('Number of runs played at once. Each parallel slot writes one log.'),
  limits: section({
    requests_per_minute: z
      .int()
      .min(1)
      .max(10_000_000)
      .optional()
      .describe('Maximum number of requests per server per minute.'),
    requests_at_once: z
      .int()
      .min(1)
      .max(100_000)
      .optional()
      .describe('Maximum number of simultaneous requests per server.'),
    tokens: z
      .int()
      .min(1)
      .optional()
      .describe('Maximum total over all runs; the batch stops when it is reached.'),
    cost: z
      .number()
      .min(0)
      .optional()
      .describe(
        'Maximum total cost over all runs, by the prices of the models; the batch stops when it is reached.',
      ),
  })
    .prefault({})
    .describe('Limits over all runs.'),
  patience_s: z
    .int()
    .min(0)
    .max(LIMITS.batchPatienceSeconds)
    .default(600)
    .describe('Seconds to wait for a server that does not answer before the batch gives up.'),
});

export type BatchInput = z.output<typeof batchSchema>;

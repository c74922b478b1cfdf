/**
 * The format of a batch: scenarios × models × seeds × switches. From this schema come the checks, the defaults, the JSON Schema for editors and
 * the tables in docs/BATCH.md.
 */
import { z } from 'zod';
import { LIMITS } from '../base/limits.js';
import { idSchema } from './schema.js';
import { baseUrlSchema, modelSchema } from './schema-model.js';

const serverSchema = z.strictObject({
  base_url: baseUrlSchema.describe('Address of the server, up to and including `/v1`.'),
  weight: z
    .int()
    .min(1)
    .max(1000)
    .default(1)
    .describe('Its share of the runs, against the other servers of the model.'),
});

const playersSchema = z
  .strictObject({
    ...modelSchema.shape,
    controller: z
      .enum(['model', 'scripted', 'random', 'process'])
      .default('model')
      .describe(
        'Who decides: this model, an embedded player, or a program of yours that `--process NAME="program args…"` names; for the latter nothing else is said.',
      ),
    servers: z
      .array(serverSchema)
      .min(1)
      .max(LIMITS.batchServers)
      .optional()
      .describe('Several servers of the same model, instead of `base_url`. A run stays on one of them.'),
  })
  .describe(
    'Who decides for all agents but those with fixed replies: a model, with the settings that a scenario has for one.',
  );

const settingSchema = z.string().min(1).max(LIMITS.settingCharacters);

const seedSchema = z.union([z.int().min(0), z.string().min(1).max(LIMITS.settingCharacters)]);

export const batchSchema = z.strictObject({
  title: z.string().max(LIMITS.nameCharacters).default('').describe('What it is to find out.'),
  scenarios: z
    .array(z.string().min(1).max(LIMITS.settingCharacters))
    .min(1)
    .max(LIMITS.batchScenarios)
    .describe('Files of scenarios, by their paths from the folder of the batch, or whole ones.'),
  models: z
    .record(idSchema, playersSchema)
    .default({})
    .describe('Who plays, by a name of your own; left out: as the scenarios say.'),
  seeds: z
    .union([z.int().min(1).max(LIMITS.batchRuns), z.array(seedSchema).min(1).max(LIMITS.batchRuns)])
    .optional()
    .describe("How many seeds, from 1 on, or a list of them; left out: each scenario's own."),
  switches: z
    .record(idSchema, z.record(idSchema, z.array(settingSchema).max(LIMITS.batchSettings)))
    .default({})
    .describe('What is compared: of each switch its positions, each with settings as `--set` takes them.'),
  max_turns: z.int().min(1).max(LIMITS.turns).optional().describe('Every run ends after so many turns.'),
  parallel: z
    .int()
    .min(1)
    .max(LIMITS.batchParallel)
    .default(8)
    .describe('Runs at once, each with a log of its own.'),
  limits: z
    .strictObject({
      requests_per_minute: z.int().min(1).max(10_000_000).optional().describe('To a server, at the most.'),
      requests_at_once: z.int().min(1).max(100_000).optional().describe('At a server, at the most.'),
      tokens: z.int().min(1).optional().describe('Of all runs together; reached, the batch stops.'),
      cost: z.number().min(0).optional().describe('The same in money, by the prices of the models.'),
    })
    .prefault({})
    .describe('What it may take.'),
  patience_s: z
    .int()
    .min(0)
    .max(LIMITS.batchPatienceSeconds)
    .default(600)
    .describe('Seconds to wait for a server that does not answer before the batch gives up.'),
});

export type BatchInput = z.output<typeof batchSchema>;

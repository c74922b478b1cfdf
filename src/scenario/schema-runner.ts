/** The format of a runner's file. From this schema come the checks and the defaults. */
import { z } from 'zod';
import { LIMITS } from '../base/limits.js';
import { idSchema } from './schema.js';

const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]*$/;

const programKeys = {
  program: z
    .string()
    .min(1)
    .max(LIMITS.settingCharacters)
    .describe('Path of the program, relative to this file; it is started without arguments.'),
  env: z
    .record(z.string().regex(VARIABLE, 'is no name of a variable'), z.string().max(LIMITS.settingCharacters))
    .default({})
    .describe('Environment variables for this program.'),
  pass_env: z
    .array(z.string().regex(VARIABLE, 'is no name of a variable'))
    .default([])
    .describe(
      "Variables of the runner's own environment that this program gets, such as the one with its key.",
    ),
  config: z
    .json()
    .optional()
    .describe('What its configuration file holds: the program finds its path in AGENT_CONFIG_PATH.'),
} as const;

const certificateSchema = z.string().min(1).max(LIMITS.settingCharacters).optional();

export const runnerSchema = z.strictObject({
  world: z
    .string()
    .min(1)
    .max(LIMITS.settingCharacters)
    .default('127.0.0.1:50051')
    .describe('Address of the served world: HOST:PORT, or a URL.'),
  token_env: z
    .string()
    .regex(VARIABLE, 'is no name of a variable')
    .optional()
    .describe('Environment variable that holds the token for the served world.'),
  tls_ca: certificateSchema.describe(
    'Certificates (PEM) of whom to trust, relative to this file: the connection is TLS.',
  ),
  tls_cert: certificateSchema.describe('Own certificate (PEM), for a server that asks for one.'),
  tls_key: certificateSchema.describe('Its key (PEM).'),
  logs: z
    .string()
    .min(1)
    .max(LIMITS.settingCharacters)
    .default('agent-logs')
    .describe('Folder of what programs print, relative to this file.'),
  agents: z
    .record(
      idSchema,
      z.strictObject({
        tags: z
          .array(idSchema)
          .max(LIMITS.tags)
          .default([])
          .describe('Tags that an entity needs, all of them; by default none.'),
        ...programKeys,
      }),
    )
    .describe('Programs by a name of your choice. The first whose tags an entity has plays it.'),
  fallback: z
    .strictObject(programKeys)
    .optional()
    .describe('Plays an entity whose program has failed too often; by default nobody does.'),
});

export type RunnerInput = z.output<typeof runnerSchema>;

/** The format of a runner's file. The checks and the defaults are derived from this schema. */
import { z } from 'zod';
import { LIMITS } from '../base/limits.js';
import { idSchema } from './schema.js';
import { VARIABLE_NAME } from './variables.js';

const variableSchema = z.string().regex(VARIABLE_NAME, 'is not a valid name of an environment variable');

const programKeys = {
  program: z
    .string()
    .min(1)
    .max(LIMITS.settingCharacters)
    .optional()
    .describe('Path of the program, relative to this file; it is started without arguments.'),
  cmd: z
    .array(z.string().max(LIMITS.settingCharacters))
    .min(1)
    .max(LIMITS.programWords)
    .optional()
    .describe('Instead of `program`: the program and its arguments, as a list. There is no shell.'),
  env: z
    .record(variableSchema, z.string().max(LIMITS.settingCharacters))
    .default({})
    .describe('Environment variables for this program.'),
  pass_env: z
    .array(variableSchema)
    .default([])
    .describe(
      "Variables that this program gets from the runner's environment, such as the one with its key.",
    ),
  config: z
    .json()
    .optional()
    .describe(
      'Its configuration: the path of a file, relative to this one, or the contents of a file that is written for it. AGENT_CONFIG_PATH holds the path.',
    ),
} as const;

const certificateSchema = z.string().min(1).max(LIMITS.settingCharacters).optional();

export const runnerSchema = z.strictObject({
  world: z
    .string()
    .min(1)
    .max(LIMITS.settingCharacters)
    .default('127.0.0.1:50051')
    .describe('Address of the served world: HOST:PORT, or a URL.'),
  token_env: variableSchema
    .optional()
    .describe('Environment variable that holds the token for the served world.'),
  tls_ca: certificateSchema.describe(
    'File with the certificates (PEM) of trusted authorities, relative to this file; the connection then uses TLS.',
  ),
  tls_cert: certificateSchema.describe(
    "File with the runner's certificate (PEM), if the server asks for one.",
  ),
  tls_key: certificateSchema.describe('File with the key of that certificate (PEM).'),
  restarts: z
    .strictObject({
      first_ms: z.int().min(1).max(LIMITS.runnerWaitMs).default(250).describe('The first wait.'),
      longest_ms: z
        .int()
        .min(1)
        .max(LIMITS.runnerWaitMs)
        .default(5000)
        .describe('The longest wait; each wait is twice as long as the one before.'),
      max: z
        .int()
        .min(0)
        .max(LIMITS.runnerRestarts)
        .default(10)
        .describe('Restarts within the window; then the program is given up.'),
      window_s: z.int().min(1).max(86_400).default(600).describe('The window, in seconds.'),
    })
    .prefault({})
    .describe('When a program that has ended is started again.'),
  logs: z
    .string()
    .min(1)
    .max(LIMITS.settingCharacters)
    .default('agent-logs')
    .describe('Folder for the output of programs, relative to this file.'),
  agents: z
    .record(
      idSchema,
      z.strictObject({
        tags: z
          .array(idSchema)
          .max(LIMITS.tags)
          .default([])
          .describe('Tags that an entity must have (all of them); none by default.'),
        ...programKeys,
      }),
    )
    .describe(
      'Programs, by names of your choice. Each entity is played by the first program whose tags it has.',
    ),
  fallback: z
    .strictObject(programKeys)
    .optional()
    .describe('Program that plays an entity whose own program has failed too often; none by default.'),
});

export type RunnerInput = z.output<typeof runnerSchema>;

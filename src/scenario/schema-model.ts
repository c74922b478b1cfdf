/**
 * The format of a model behind an OpenAI-compatible server. Every setting that shapes a reply has an explicit
 * default, so that nothing depends on a server's defaults. The API key is named by its environment variable
 * and never written in a scenario.
 */
import { z } from 'zod';
import type { Json } from '../base/json.js';
import { LIMITS } from '../base/limits.js';
import { decimal, withoutFloats } from './decimals.js';
import { SERVER_NAMES } from './scenario.js';
import type { ModelSpec } from './scenario.js';
import { LOGGED, section } from './section.js';

const VARIABLE = /^[A-Z_][A-Z0-9_]{0,63}$/;

export const baseUrlSchema = z
  .string()
  .max(LIMITS.settingCharacters)
  .refine(isPlainUrl, { error: 'must be an http:// or https:// address without user, password or query' });

function isPlainUrl(text: string): boolean {
  if (!/^https?:\/\/[^\s/]/i.test(text) || !URL.canParse(text)) return false;
  const url = new URL(text);
  return url.username === '' && url.password === '' && url.search === '' && url.hash === '';
}

/** Passed to the server unchanged: any JSON of limited size. */
const extraSchema = z.record(
  z.string().regex(/^[A-Za-z][A-Za-z0-9_.-]{0,63}$/, 'is not a field name'),
  z.json(),
);

export const MODEL_KEYS = {
  base_url: baseUrlSchema
    .default('http://localhost:8000/v1')
    .describe('Address of the server, up to and including `/v1`.')
    .register(LOGGED, { as: z.string() }),
  model: z
    .string()
    .min(1)
    .max(LIMITS.settingCharacters)
    .optional()
    .describe("The model's name on the server; without it, the server's only model.")
    .register(LOGGED, { as: z.string().nullable() }),
  api_key_env: z
    .string()
    .regex(VARIABLE, 'is not a valid name of an environment variable')
    .nullable()
    .default('OPENAI_API_KEY')
    .describe(
      'Name of the environment variable with the key, which is sent only to addresses that the user allowed; `null`: no key is sent. The key itself must not be put in a scenario.',
    ),
  temperature: decimal(z.number().min(0).max(2)).describe('Sampling temperature, 0 to 2.').prefault(0),
  top_p: decimal(z.number().min(0).max(1)).describe('Nucleus sampling, 0 to 1.').prefault(1),
  max_tokens: z.int().min(1).max(1_000_000).default(512).describe('Maximum tokens of one reply.'),
  seed: z
    .int()
    .min(0)
    .max(LIMITS.samplingSeed)
    .optional()
    .describe(
      "The server's sampling seed, the same for every request. By default each request gets its own, derived from the run's seed, the agent, the step and the attempt.",
    ),
  timeout_ms: z
    .int()
    .min(1)
    .max(LIMITS.requestTimeoutMs)
    .default(120_000)
    .describe('Milliseconds to wait for one reply.'),
  retries: z.int().min(0).max(LIMITS.retries).default(2).describe('Retries after a temporary failure.'),
  guided: z
    .enum(['off', 'auto', 'require'])
    .default('off')
    .describe(
      'Guided decoding, in which the server enforces the form of replies. `off`: never; `auto`: if the server supports it; `require`: always, otherwise the run does not begin.',
    ),
  server: z
    .enum(SERVER_NAMES)
    .optional()
    .describe(
      'The program that serves the model; detected by default. The way in which replies are guided depends on it.',
    ),
  price: section({
    prompt: decimal(z.number().min(0).max(1_000_000))
      .describe('Price per million prompt tokens.')
      .prefault(0),
    reply: decimal(z.number().min(0).max(1_000_000)).describe('Price per million reply tokens.').prefault(0),
  })
    .prefault({})
    .describe('The price of its tokens, for `budget.cost` and the summary.'),
  extra: extraSchema
    .transform((extra): ModelSpec['extra'] =>
      Object.fromEntries(
        Object.entries(extra).map(([field, value]) => [field, withoutFloats(value as Json)]),
      ),
    )
    .pipe(z.record(z.string(), z.json()))
    .describe('Additional fields of the request, passed to the server unchanged.')
    .prefault({}),
};

export const modelSchema = section(MODEL_KEYS, 'A model behind an OpenAI-compatible server.');

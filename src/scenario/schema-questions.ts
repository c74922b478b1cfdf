/**
 * Questions to an agent outside the game, as written in a scenario: to explain its decisions after the run
 * (`reflection`), and about what it sees at chosen moments (`probes`). Neither changes the run, so neither is
 * part of the chain.
 */
import { z } from 'zod';
import { PROBE_KINDS } from './scenario.js';
import { LIMITS } from '../base/limits.js';
import { section } from './section.js';

export const reflectionSchema = section(
  {
    when: z
      .enum(['success', 'always', 'never'])
      .default('never')
      .describe('`success`: after a successful run; `always`: after every finished run.'),
    question: z
      .string()
      .min(1)
      .max(LIMITS.questionCharacters)
      .optional()
      .describe('The question; by default, agents are asked to explain their decisions.'),
  },
  'Whether agents are asked to explain their decisions after the end; only models can answer.',
);

export const probesSchema = section(
  {
    every: z
      .int()
      .min(1)
      .max(LIMITS.turns)
      .optional()
      .describe('Interval between questions, in turns; the first question comes in turn 1.'),
    steps: z
      .array(z.int().min(1).max(Number.MAX_SAFE_INTEGER))
      .max(LIMITS.probedSteps)
      .default([])
      .describe('The steps at which to ask, numbered as in `show`.'),
    kinds: z
      .array(z.enum(PROBE_KINDS))
      .min(1)
      .transform((kinds) => [...new Set(kinds)])
      .pipe(z.array(z.enum(PROBE_KINDS)))
      .describe('The kinds of question to ask; docs/reference/prompts.md explains each.')
      .prefault([...PROBE_KINDS]),
    each: z
      .int()
      .min(1)
      .max(LIMITS.probesEach)
      .default(1)
      .describe('Questions per step, each of a different kind.'),
  },
  'Questions with a known answer about what an agent sees, asked outside the game; only models can answer.',
);

/**
 * Questions to an agent outside the game, as written in a scenario: to explain its decisions after the run
 * (`reflection`), and about what it sees at chosen moments (`probes`). Neither changes the run, so neither is
 * part of the chain.
 */
import { z } from 'zod';
import { ASKED_KINDS, PROBE_KINDS } from './scenario.js';
import { LIMITS } from '../base/limits.js';
import { isRecord } from '../base/json.js';
import { ID_PATTERN } from '../base/ids.js';
import { later, NO_EFFECT, section } from './section.js';

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

const askSchema = section({
  about: z.string().regex(ID_PATTERN).describe('The id of a thing, a door, a creature or an agent.'),
  kind: z
    .enum(ASKED_KINDS)
    .describe('`side`: on which side of the agent; `count`: how many of its name; `door`: open; `holds`.'),
  as: later(z.string().min(1).max(LIMITS.nameCharacters)).describe(
    'What the question calls it; by default its name.',
  ),
}).refine(({ kind, as }) => kind !== 'count' || as === undefined, {
  error: "can't be combined with count, which counts what has the same name",
  path: ['as'],
});

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
      .prefault([...PROBE_KINDS])
      .register(NO_EFFECT, {
        rules: [({ ask }) => ask !== undefined && ['beside ask', 'leave out kinds, or leave out ask']],
      }),
    each: z
      .int()
      .min(1)
      .max(LIMITS.probesEach)
      .default(1)
      .describe('Questions per step, each of a different kind or, with `ask`, of a different entry.'),
    ask: later(z.array(askSchema).min(1).max(LIMITS.probesAsked)).describe(
      'Asks about these things alone, in words that are the same whether or not the agent sees them; the answer is then `unknown`.',
    ),
    grey: later(z.boolean(), false)
      .describe(
        'Asks each question again with a grey picture, so that `report --funnel` can leave out what is guessed.',
      )
      .register(NO_EFFECT, {
        rules: [
          (_, { render }) =>
            isRecord(render) &&
            (render['channel'] === 'text' || render['blank'] === true) && [
              'if no picture is sent, or only a grey one',
              'leave out grey, or send a picture',
            ],
        ],
      }),
  },
  'Questions with a known answer about what an agent sees, asked outside the game; only models can answer.',
);

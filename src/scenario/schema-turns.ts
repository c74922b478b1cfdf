/** How turns, and what a run may cost at the most, are written down. */
import { z } from 'zod';
import { LIMITS } from '../base/limits.js';

export const speculateSchema = z.strictObject({
  ahead: z
    .int()
    .min(1)
    .max(LIMITS.agents)
    .default(8)
    .describe('So many agents are asked ahead of their turn at the most, the next first.'),
  wasted_max: z
    .int()
    .min(1)
    .max(1000)
    .default(2)
    .describe(
      'An agent with so many more calls in vain than calls that counted is only asked ahead again once that would have paid.',
    ),
});

export const turnsSchema = z
  .strictObject({
    order: z
      .enum(['sequential', 'simultaneous'])
      .default('sequential')
      .describe('One after the other in the order of `agents`, or all at once.'),
    ties: z
      .enum(['seed', 'id'])
      .default('seed')
      .describe(
        'With `simultaneous`, who comes first where several want the same: drawn from the seed anew in each turn, or always the lower id.',
      ),
    max: z.int().min(1).max(LIMITS.turns).default(100).describe('The run ends after so many turns.'),
    attempts: z
      .int()
      .min(1)
      .max(LIMITS.attempts)
      .default(3)
      .describe('Replies asked for within one step before it counts as a wait.'),
    given_up: z
      .enum(['wait', 'stop'])
      .default('wait')
      .describe('When none of them did: `wait`, it counts as a wait; `stop`, the run ends.'),
    free_acts: z
      .int()
      .min(0)
      .max(LIMITS.freeActs)
      .default(3)
      .describe('Free actions, such as READ, within one step.'),
    repair: z
      .boolean()
      .default(true)
      .describe('Ask once for the answer alone where a reply can not be read; it counts as an attempt.'),
    repeats: z
      .strictObject({
        times: z.int().min(2).max(1000).describe('So often in a row the same action in the same situation.'),
        // oxlint-disable-next-line unicorn/no-thenable -- a word of the scenario, never awaited
        then: z
          .enum(['nudge', 'stop'])
          .default('nudge')
          .describe('`nudge`: the agent is told so; `stop`: the run ends.'),
      })
      .optional()
      .describe('What happens to an agent that does the same thing again and again; nothing by default.'),
    speculate: z
      .union([z.boolean(), speculateSchema])
      .default(false)
      .describe(
        'In sequential order: models behind the one that thinks are asked too. Where what they were shown is what they would be shown in their turn their reply counts, else they are asked anew; the run is the same, only faster.',
      ),
  })
  .describe('Whose turn it is, and when to stop.');

/** What a run may use up before it ends. */
export const budgetSchema = z
  .strictObject({
    steps: z.int().min(1).max(10_000_000).optional().describe("Agents' steps, all together."),
    tokens: z
      .int()
      .min(1)
      .max(Number.MAX_SAFE_INTEGER)
      .optional()
      .describe(
        'Tokens of prompts and replies, probes and reflections too, as the servers count them; four characters count as one where none tells.',
      ),
    seconds: z.int().min(1).max(10_000_000).optional().describe('Seconds by the clock.'),
    cost: z
      .number()
      .min(0)
      .max(1_000_000)
      .optional()
      .describe('Money, in the currency of the prices of `models`; a model without `price` costs nothing.'),
  })
  .describe(
    'What the run may use at the most; it ends after the step that uses it up. Without limits by default.',
  );

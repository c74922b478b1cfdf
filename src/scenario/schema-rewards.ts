/**
 * The format of rewards in a scenario; `settings.ts` fills in defaults, `orchestrator/rewards.ts` pays them.
 */
import { z } from 'zod';
import { LIMITS } from '../base/limits.js';

const amount = z.number().min(-LIMITS.reward).max(LIMITS.reward);

export const rewardsSchema = z
  .strictObject({
    success: amount.default(0).describe('Paid once, when the agent or the run succeeds.'),
    failure: amount.default(0).describe('Paid once, when the agent or the run fails; usually negative.'),
    step: amount.default(0).describe('Paid for each turn in which a controller decided for the agent.'),
    refused: amount.default(0).describe('Paid for each action that was understood but refused by the rules.'),
    unreadable: amount.default(0).describe('Paid for each reply that could not be understood.'),
    progress: amount
      .default(0)
      .describe(
        'Paid for each turn by which success comes closer, and deducted for each turn by which it moves away (potential-based shaping with the solver).',
      ),
    discount: z
      .number()
      .min(0)
      .max(1)
      .default(1)
      .describe('The discount γ that the learner uses; only `progress` depends on it.'),
    effort: z
      .int()
      .min(1)
      .max(1_000_000)
      .default(1000)
      .describe('Maximum number of steps that the solver searches after each turn, for `progress`.'),
  })
  .describe('Rewards for training; agents never see them.');

export type RewardsInput = z.output<typeof rewardsSchema>;

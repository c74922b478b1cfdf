/** The format of rewards in a scenario; `orchestrator/rewards.ts` pays them. */
import { z } from 'zod';
import { LIMITS } from '../base/limits.js';
import { decimal } from './decimals.js';
import { NO_EFFECT, section } from './section.js';
import type { NoEffect } from './section.js';
import { DEFAULT_WORLD } from './names.js';

const amount = decimal(z.number().min(-LIMITS.reward).max(LIMITS.reward));

/** Only the default world needs `success` for the reward for progress. */
const withoutSuccess: NoEffect = ({ progress = 0 }, { environment = DEFAULT_WORLD, success }) =>
  progress !== 0 &&
  environment === DEFAULT_WORLD &&
  success === undefined && [
    'without a success condition of the run',
    "also write 'success: …', or leave out 'progress'",
  ];

const withoutProgress: NoEffect = ({ progress = 0 }, _, key) =>
  progress === 0 && ["without 'progress'", `also write progress: 1, or leave out ${key}`];

export const rewardsSchema = section(
  {
    success: amount.describe('Paid once, when the agent or the run succeeds.').prefault(0),
    failure: amount.describe('Paid once, when the agent or the run fails; usually negative.').prefault(0),
    step: amount.describe('Paid for each turn in which a controller decided for the agent.').prefault(0),
    refused: amount
      .describe('Paid for each action that was understood but refused by the rules.')
      .prefault(0),
    unreadable: amount.describe('Paid for each reply that could not be understood.').prefault(0),
    progress: amount
      .describe(
        'Paid for each turn by which success comes closer, and deducted for each turn by which it moves away (potential-based shaping with the solver).',
      )
      .prefault(0)
      .register(NO_EFFECT, { rules: [withoutSuccess] }),
    discount: decimal(z.number().min(0).max(1))
      .describe('The discount γ that the learner uses; only `progress` depends on it.')
      .prefault(1)
      .register(NO_EFFECT, { rules: [withoutProgress] }),
    effort: z
      .int()
      .min(1)
      .max(1_000_000)
      .default(1000)
      .describe('Maximum number of steps that the solver searches after each turn, for `progress`.')
      .register(NO_EFFECT, { rules: [withoutProgress] }),
  },
  'Rewards for training; agents never see them.',
);

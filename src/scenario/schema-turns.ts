/** The format of turns and of budgets. */
import { z } from 'zod';
import { compareText } from '../base/ids.js';
import { isRecord } from '../base/json.js';
import { LIMITS } from '../base/limits.js';
import { decimal } from './decimals.js';
import { PARSE_ONCE } from './parse-once.js';
import { childOf } from './records.js';
import { later, NO_EFFECT, OUTSIDE_CHAIN, section } from './section.js';
import type { NoEffect } from './section.js';

const speculateSchema = section({
  ahead: z
    .int()
    .min(1)
    .max(LIMITS.agents)
    .default(8)
    .describe('Maximum number of agents whose models are called before their turn, the next one first.'),
  wasted_max: z
    .int()
    .min(1)
    .max(1000)
    .default(2)
    .describe(
      'If an agent has this many more wasted than useful calls, speculation stops for it until it would have paid off.',
    ),
});

/** Logs from before this setting have none. */
type Speculation = z.output<typeof speculateSchema> | null | undefined;

export const turnsSchema = section(
  {
    order: z
      .enum(['sequential', 'simultaneous'])
      .default('sequential')
      .describe('Whether agents act one after the other, in the order of `agents`, or all at once.'),
    // Not stored: the world's definition says whether ties are drawn.
    ties: later(z.enum(['seed', 'id']), 'seed')
      .describe(
        'With `simultaneous`, who comes first if several agents want the same thing: drawn from the seed in each turn, or always the lower id.',
      )
      .register(NO_EFFECT, {
        rules: [
          ({ order }) =>
            order !== 'simultaneous' && [
              'if agents act one after the other',
              "also write 'order: simultaneous', or leave out 'ties'",
            ],
        ],
      }),
    max: z.int().min(1).max(LIMITS.turns).default(100).describe('Maximum number of turns of the run.'),
    times_best: later(z.int().min(1).max(100)).describe(
      "The run has only this many times the turns of the best solution that a search finds for the seed, and at most `max`. Agents aren't told how many there are.",
    ),
    attempts: z
      .int()
      .min(1)
      .max(LIMITS.attempts)
      .default(3)
      .describe(
        "Maximum number of replies in one step that can't be read or whose action is refused; then the step is given up.",
      ),
    refusals: later(z.int().min(1).max(LIMITS.attempts)).describe(
      "Maximum number of refused actions in one step; then the step is given up. If it is set, `attempts` counts only replies that can't be read; by default, `attempts` counts both.",
    ),
    given_up: z
      .enum(['wait', 'stop'])
      .default('wait')
      .describe(
        'What happens if a step is given up: it counts as a wait (`wait`), or the run ends (`stop`).',
      ),
    free_acts: z
      .int()
      .min(0)
      .max(LIMITS.freeActs)
      .default(3)
      .describe('Maximum number of free actions, such as READ, in one step.'),
    repair: z
      .boolean()
      .default(true)
      .describe(
        "Whether an agent whose reply can't be parsed is asked once more, for only the answer; this counts as an attempt.",
      )
      .register(OUTSIDE_CHAIN, { because: 'repairs are visible in their calls' }),
    repeats: section({
      times: z
        .int()
        .min(2)
        .max(1000)
        .describe('How many times in a row the agent must take the same action in the same situation.'),
      // oxlint-disable-next-line unicorn/no-thenable -- a word of the scenario, never awaited
      then: z
        .enum(['nudge', 'stop'])
        .default('nudge')
        .describe('`nudge`: the agent gets a message about it; `stop`: the run ends.'),
    })
      .optional()
      .describe('How to handle an agent that repeats the same action; by default nothing happens.'),
    speculate: z
      .union([z.boolean(), speculateSchema])
      .transform((value): Speculation =>
        value === true ? speculateSchema.parse({}, PARSE_ONCE) : value || null,
      )
      .pipe(speculateSchema.out.nullish())
      .describe(
        'In sequential order: while one model thinks, the models after it are asked too. If their prompt is still the same in their turn, their reply counts; otherwise they are asked again. The result is the same, only faster.',
      )
      .prefault(false)
      .register(OUTSIDE_CHAIN, { because: 'it does not change the replies' })
      .register(NO_EFFECT, {
        rules: [
          ({ order, speculate }) =>
            order === 'simultaneous' &&
            (speculate ?? false) !== false && [
              'if order is simultaneous',
              'all agents are asked at once anyway: leave out speculate',
            ],
        ],
      }),
  },
  'Whose turn it is, and when to stop.',
);

/** Tokens of a model without a price cost nothing, so the limit is never reached. */
const withoutPrice: NoEffect = (_, { models }) => {
  const names = isRecord(models) ? Object.keys(models).toSorted(compareText) : [];
  const first = names.find((name) => childOf(childOf(models, name), 'price') === undefined);
  if (names.length > 0 && first === undefined) return false;
  return [
    first === undefined
      ? 'if no model in the scenario has a price'
      : `on the model ${first}, which has no price`,
    `write price: { prompt: …, reply: … } under models.${first ?? '<name>'} (prices per million tokens)`,
  ];
};

/** The limits of what a run may use up. */
export const budgetSchema = section(
  {
    steps: z
      .int()
      .min(1)
      .max(10_000_000)
      .optional()
      .describe(
        'Maximum number of steps by all agents together; the steps of the world at the end of turns do not count.',
      ),
    tokens: z
      .int()
      .min(1)
      .max(Number.MAX_SAFE_INTEGER)
      .optional()
      .describe(
        'Maximum number of tokens in prompts and replies, including probes and reflections, as counted by the server; if it reports none, four characters count as one token.',
      ),
    seconds: z.int().min(1).max(10_000_000).optional().describe('Maximum wall-clock time, in seconds.'),
    cost: decimal(z.number().min(0).max(1_000_000))
      .optional()
      .describe(
        'Maximum cost, in the currency of the prices of `models`; a model without `price` costs nothing.',
      )
      .register(NO_EFFECT, { rules: [withoutPrice] }),
  },
  'Limits of the run; it ends after the step that reaches one. No limits by default.',
);

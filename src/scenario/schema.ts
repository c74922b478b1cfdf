/**
 * The part of the scenario format that every environment shares: title, agents, models, turns, frame and
 * prompt. An environment adds its own keys, at the top level and for each agent (`world.ts`). The checks, the
 * defaults, the JSON Schema for editors and the tables in docs/reference/scenario-format.md are derived from
 * these schemas, so a key exists either in all of them or in none.
 */
import { z } from 'zod';
import { ID_PATTERN } from '../base/ids.js';
import { LIMITS } from '../base/limits.js';
import { controllerKinds } from './controllers.js';
import { PROTOCOL_NAMES } from './scenario.js';
import { later, LOGGED, NO_EFFECT, OUTSIDE_CHAIN, section } from './section.js';
import type { NoEffect } from './section.js';
import { modelSchema } from './schema-model.js';
import { probesSchema, reflectionSchema } from './schema-questions.js';
import { renderSchema, withoutPastPictures } from './schema-render.js';
import { rewardsSchema } from './schema-rewards.js';
import { budgetSchema, turnsSchema } from './schema-turns.js';
import { DEFAULT_WORLD } from './names.js';

/** Text by the author, never cut. */
export function prose(max: number): z.ZodString {
  return z.string().max(max);
}

export const idSchema = z.string().regex(ID_PATTERN, 'id');

/**
 * Names are not quoted in texts for agents, so they must not contain structural characters
 * (docs/decisions/0010).
 */
const NAME_PATTERN = /^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N} '’&/-]*[\p{L}\p{M}\p{N}'’])?$/u;
export const nameSchema = z
  .string()
  .max(LIMITS.nameCharacters)
  .regex(NAME_PATTERN, "is not a valid name: letters and digits, with spaces, ' - & / between them");

export const DEFAULT_SEED = 1;

const drawnText = z
  .string()
  .max(LIMITS.drawnCharacters)
  .refine((text) => !text.includes('{{'), { error: "must not contain '{{'" });
const drawnScalar = z.union([drawnText, z.int(), z.boolean()]);
const drawnValue = z.union([drawnScalar, z.record(idSchema, drawnScalar)]);
const drawnList = z.array(drawnValue).min(1).max(LIMITS.drawValues);

export const drawSchema = z
  .record(
    idSchema,
    z.union([
      drawnList,
      z.strictObject({ shuffle: drawnList.describe('Its values are drawn in a random order, all of them.') }),
    ]),
  )
  .refine((draws) => Object.keys(draws).length <= LIMITS.draws, {
    error: `more than ${LIMITS.draws} draws`,
  });

const goalSchema = z
  .union([
    z.string().min(1).max(LIMITS.goalCharacters),
    z.strictObject({
      name: z.string().min(1).max(LIMITS.nameCharacters).describe('Short name of the goal.'),
      description: prose(LIMITS.goalCharacters)
        .default('')
        .describe('What the goal means, in a sentence or two.'),
      priority: z
        .int()
        .min(0)
        .max(1000)
        .optional()
        .describe('A smaller number is more important; by default the position in the list.'),
      kind: z
        .enum(['task', 'rule', 'example'])
        .default('task')
        .describe(
          '`task`: what to achieve; `rule`: what to obey while doing so; `example`: an example of how to do it.',
        ),
    }),
  ])
  .describe('A goal: a sentence, or a name with description, priority and kind.');

/** For keys that only these kinds of memory use. */
function exceptKinds(...kinds: readonly string[]): NoEffect {
  return ({ kind = 'history' }, _, key) =>
    typeof kind === 'string' &&
    !kinds.includes(kind) && [
      `if the memory's kind is ${kind}`,
      `write kind: ${kinds[0] ?? 'history'}, or leave out ${key}`,
    ];
}
const withoutPast = exceptKinds('window', 'history', 'summary', 'notes', 'file');

const memorySchema = section(
  {
    kind: z
      .enum(['none', 'window', 'history', 'summary', 'notes', 'file'])
      .default('history')
      .describe(
        "`none`: no history; `window`: the newest turns; `history`: past turns, dropped in blocks; `summary`: the model summarises dropped turns; `notes`: a history, and the agent's notes (NOTE); `file`: notes kept across runs.",
      ),
    turns_max: z
      .int()
      .min(1)
      .max(1000)
      .default(24)
      .describe('Maximum past turns kept before a block is dropped.')
      .register(NO_EFFECT, { rules: [withoutPast] }),
    turns_kept: z
      .int()
      .min(0)
      .max(1000)
      .default(12)
      .describe('Past turns left after a block is dropped.')
      .register(NO_EFFECT, { rules: [exceptKinds('history', 'summary', 'notes', 'file')] }),
    characters_max: z
      .int()
      .min(100)
      .max(LIMITS.summaryCharacters)
      .default(1200)
      .describe('Maximum summary length, in characters.')
      .register(NO_EFFECT, { rules: [exceptKinds('summary')] }),
    notes_max: z
      .int()
      .min(1)
      .max(LIMITS.notes)
      .default(20)
      .describe('Maximum number of notes; the oldest are dropped first.')
      .register(NO_EFFECT, { rules: [exceptKinds('notes', 'file')] }),
    pictures: later(z.int().min(0).max(LIMITS.memoryPictures), 0)
      .describe('Number of most recent past turns that are sent with their pictures.')
      .register(NO_EFFECT, { rules: [withoutPast, withoutPastPictures] }),
    recalls: later(z.int().min(0).max(LIMITS.memoryPictures), 0)
      .describe('Maximum number of recalled pictures (free action RECALL) in one request.')
      .register(NO_EFFECT, { rules: [withoutPastPictures] }),
  },
  'The part of the past that a prompt contains.',
);

const PLAYER = { because: 'the replies cover the players' };
const QUESTION = { because: 'questions outside the game change nothing in it' };

/** Keys of an agent that don't depend on its environment. */
export const AGENT_KEYS = {
  id: idSchema.describe('Identifies the agent in this file and in the log.'),
  name: nameSchema
    .optional()
    .describe(
      'Its name; by default its id as a proper name (`ann`: Ann). A name in lower case gets an article: the knight.',
    ),
  tags: z
    .array(idSchema)
    .max(LIMITS.tags)
    .optional()
    .describe(
      'Labels by which programs select the agents that they serve or play, such as `player` or `npc`. Agents never see them.',
    ),
  part: z
    .enum(['player', 'world'])
    .default('player')
    .describe(
      'Whether a player plays it, or it is part of the world: then it keeps its `controller` and `model` whatever `--model`, `--base-url`, `--controller` and the players of a batch say, is not named as a player, and is played by the server in a served world. Agents with fixed replies always are part of the world, but `serve` offers them.',
    ),
  persona: prose(LIMITS.personaCharacters)
    .default('')
    .describe("The agent's character, included once in the system message."),
  goals: z.array(goalSchema).max(LIMITS.goals).default([]).describe('Its goals, most important first.'),
  controller: z
    .enum(controllerKinds('scenario'))
    .optional()
    .describe(
      'The controller; by default `model` if `model` is set, `replies` if `replies` is set, else `scripted`. `oracle` knows the whole world and plays the shortest plan that the solver finds; `sighted`, `text-only` and `deaf` are reference players of the grid world, which know the rules and what they perceive; `human` asks a person in the terminal; `process` is a program that `run --process` names.',
    )
    .register(OUTSIDE_CHAIN, PLAYER),
  model: idSchema.optional().describe('Which of `models` it uses.'),
  replies: z
    .array(prose(LIMITS.personaCharacters))
    .min(1)
    .max(1000)
    .optional()
    .describe('Fixed replies, one for each call.'),
  after_replies: z
    .enum(['wait', 'repeat', 'stop'])
    .optional()
    .describe('What happens after the last of `replies`; `wait` by default.'),
  protocol: z.enum(PROTOCOL_NAMES).default('command').describe('The reply format.'),
  memory: memorySchema.prefault({}),
  reflection: reflectionSchema
    .optional()
    .describe(
      "Overrides the scenario's `reflection` for this agent: whether it explains its decisions after the run ends.",
    )
    .register(OUTSIDE_CHAIN, QUESTION),
};

const templatePath = z.string().min(1).max(LIMITS.settingCharacters);

const promptSchema = section(
  {
    rules: prose(LIMITS.personaCharacters)
      .default('')
      .describe("Rules of this scenario, included in every agent's prompt."),
    offers: z
      .boolean()
      .default(true)
      .describe(
        "Whether each turn's text, and the form that guided decoding enforces, list the legal actions.",
      ),
    reasoning: later(z.boolean(), true).describe(
      'With the protocols `command` and `json`: whether a reply may begin with reasoning. If false, agents are told to write only the action, and the form that guided decoding enforces has no room for anything else.',
    ),
    snapshot: z
      .union([z.boolean(), z.array(z.string().max(LIMITS.settingCharacters)).min(1).max(LIMITS.snapshotKeys)])
      .default(false)
      .describe(
        'A section of the text that repeats what the agent knows, as JSON: `true` for everything, or a list of keys.',
      ),
    templates: z
      .strictObject({
        system: templatePath.optional().describe('Template file for the system message.'),
        turn: templatePath.optional().describe('Template file for the text of a turn.'),
      })
      .default({})
      .describe('Files beside this one that replace the built-in wording; see docs/reference/prompts.md.')
      // A log has their contents, not their paths.
      .register(LOGGED, { as: z.record(z.string(), z.string()) }),
  },
  'The wording of prompts.',
);

const factSchema = section({
  seen: later(idSchema).describe('The id of a thing, a door, a creature or an agent that must be seen.'),
  told: later(z.string().min(1).max(LIMITS.goalCharacters)).describe(
    'Words that must be heard, read or told by a trigger; case and punctuation do not matter.',
  ),
  agent: later(idSchema).describe('The agent that needs it; by default every agent that a player may play.'),
}).refine(({ seen, told }) => (seen === undefined) !== (told === undefined), {
  error: 'needs one of seen and told',
});

const measuresSchema = section(
  {
    chance: z
      .int()
      .min(0)
      .max(100)
      .describe('In how many percent of seeds a player wins that guesses what it is not told.'),
    needs: z
      .array(z.enum(['picture', 'speech']))
      .default([])
      .describe('What nobody wins without more often than by chance: the `picture`, the `speech` of others.'),
    facts: later(z.array(factSchema).min(1).max(LIMITS.neededFacts)).describe(
      'What an agent must have learnt before it can decide well; `report --funnel` tells when it had.',
    ),
  },
  'What the scenario measures; `check --gate` plays it and compares.',
);

/** Keys of a scenario that don't depend on its environment, except `agents`. */
export const SCENARIO_KEYS = {
  title: z.string().min(1).max(LIMITS.settingCharacters).describe('The title of the scenario, on one line.'),
  description: prose(LIMITS.personaCharacters)
    .default('')
    .describe('What the scenario is about; shown to people, never to models.'),
  seed: z
    .union([z.int(), z.string().min(1).max(LIMITS.settingCharacters)])
    .default(DEFAULT_SEED)
    .describe('The seed for all random draws: a whole number or any text.'),
  draw: later(drawSchema)
    .describe(
      'Values that the seed chooses before the file is checked: one of each list, or with `shuffle` all of them in a random order. `{{name}}` stands for the value in every text, id and number of the file, `{{name.part}}` for a part of a value with several, `{{name.1}}` for the first of a shuffled list.',
    )
    .register(LOGGED, {
      as: z
        .looseObject({
          drawn: z.record(idSchema, z.union([drawnValue, z.array(drawnValue)])),
          from: z.record(z.string(), z.unknown()),
        })
        .exactOptional(),
    })
    .register(OUTSIDE_CHAIN, { because: 'what was drawn stands at its places' }),
  environment: idSchema.default(DEFAULT_WORLD).describe('The kind of world.'),
  actions: z
    .record(z.string().max(40), z.string().min(1).max(40))
    .default({})
    .describe(
      'Other names for actions: `LOOK: observe`. Prompts, replies, refusals and logs use them; `agents.actions` keeps the old ones.',
    ),
  models: z
    .record(idSchema, modelSchema)
    .prefault({})
    .describe('Models that agents may use, by a name of your choice.')
    .register(OUTSIDE_CHAIN, PLAYER),
  turns: turnsSchema.prefault({}),
  budget: budgetSchema.prefault({}),
  rewards: later(rewardsSchema),
  render: renderSchema.prefault({}),
  prompt: promptSchema.prefault({}),
  reflection: reflectionSchema.prefault({}),
  measures: later(measuresSchema).register(OUTSIDE_CHAIN, {
    because: 'it says what the scenario is for',
  }),
  probes: probesSchema.optional().register(OUTSIDE_CHAIN, QUESTION),
};

/** As parsed: sections in the form that takes effect. */
export type ScenarioAgentInput = z.output<z.ZodObject<typeof AGENT_KEYS>>;
export type ScenarioInput = z.output<z.ZodObject<typeof SCENARIO_KEYS>>;

/**
 * The schema of triggers as they are written: `when` an event happens, `if` a condition holds, `then` effects.
 * Each is a flat object with optional keys; tables in `triggers.ts` define which keys belong together.
 */
import { z } from 'zod';
import { LIMITS } from '../../../base/limits.js';
import { idSchema, prose } from '../../../scenario/schema.js';
import { conditionSchema } from './schema-condition.js';
import { pointSchema } from './schema-thing.js';

const occasionSchema = z
  .strictObject({
    used: idSchema
      .optional()
      .describe(
        'This thing is used: a lever is pulled, its `work` is finished, food is eaten, or it is used `on` something.',
      ),
    on: idSchema.optional().describe('With `used`: it is used on this thing, door, agent or creature.'),
    entered_room: idSchema.optional().describe('An agent comes into this room.'),
    entered_tile: pointSchema
      .optional()
      .describe('An agent steps on this tile, even if it only passes over it.'),
    said: z
      .string()
      .min(1)
      .max(LIMITS.utteranceCharacters)
      .optional()
      .describe(
        'An agent says these words, even if nobody hears them. Only whole words match; case and punctuation are ignored.',
      ),
    in_room: idSchema.optional().describe('With `said`: the words are said in this room.'),
    agent: idSchema.optional().describe('Only this agent sets the trigger off; any agent by default.'),
    turn: z.int().min(1).max(LIMITS.turns).optional().describe('This turn ends.'),
  })
  .describe('The event that the trigger waits for.');

const effectSchema = z
  .strictObject({
    open: idSchema.optional().describe('This door or container opens, locked or not.'),
    close: idSchema
      .optional()
      .describe('This door or container closes, unless somebody or something is in the doorway.'),
    lock: idSchema.optional().describe('This door or container closes and is locked.'),
    unlock: idSchema.optional().describe('This door or container is unlocked.'),
    spawn: idSchema.optional().describe('This `absent` thing appears at its position.'),
    remove: idSchema.optional().describe('This thing is removed; its contents stay where it was.'),
    move: idSchema.optional().describe('This thing moves to the tile `at`, wherever it is.'),
    tell: prose(LIMITS.goalCharacters).min(1).optional().describe('This sentence is shown to agents.'),
    incapacitate: idSchema
      .optional()
      .describe(
        'This agent, or `actor`, the agent that set the trigger off, can only wait from now on; others see it.',
      ),
    restore: idSchema.optional().describe('This agent, or `actor`, can act again.'),
    count: idSchema.optional().describe('This counter increases, by default by 1; it starts at 0.'),
    at: pointSchema
      .optional()
      .describe(
        'With `move`: the destination. With `tell`: the recipients are the agents that see this tile.',
      ),
    to: idSchema
      .optional()
      .describe(
        'With `tell`: the recipient: an agent, `everyone`, or `actor`, the agent that set the trigger off (the default).',
      ),
    in_room: idSchema.optional().describe('With `tell`: the recipients are the agents in this room.'),
    by: z
      .union([z.int().min(-1000).max(1000), z.literal('amount')])
      .optional()
      .describe(
        'With `count`: the increment; 1 by default. `amount`: as many as were used up at once (`rules.use_amounts`).',
      ),
  })
  .describe('An effect of the trigger.');

export const triggerSchema = z
  .strictObject({
    when: occasionSchema.optional(),
    if: conditionSchema
      .optional()
      .describe('With `when`: only if this is true at that moment; alone: as soon as this becomes true.'),
    // oxlint-disable-next-line unicorn/no-thenable -- the scenario's own word
    then: z
      .array(effectSchema)
      .min(1)
      .max(LIMITS.triggerEffects)
      .describe('The effects, in this order; an impossible effect is skipped.'),
    repeat: z.boolean().default(false).describe('Whether it fires every time instead of once.'),
  })
  .describe('A trigger: an event or a condition, and its effects.');

export type TriggerInput = z.output<typeof triggerSchema>;
export type OccasionInput = z.output<typeof occasionSchema>;
export type EffectInput = z.output<typeof effectSchema>;

/**
 * The schema of conditions as they are written: one flat object with optional keys. A table in
 * `conditions.ts`, not a union of schemas, defines which keys belong together, because its messages about
 * mistakes are clearer.
 */
import { z } from 'zod';
import { LIMITS } from '../../../base/limits.js';
import { idSchema, prose } from '../../../scenario/schema.js';
import { pointSchema } from './schema-thing.js';

export interface ConditionInput {
  all?: readonly ConditionInput[] | undefined;
  any?: readonly ConditionInput[] | undefined;
  not?: ConditionInput | undefined;
  agent?: string | undefined;
  thing?: string | undefined;
  door?: string | undefined;
  in_room?: string | undefined;
  at?: readonly [number, number] | undefined;
  near?: string | undefined;
  within?: number | undefined;
  holds?: string | undefined;
  has_read?: string | undefined;
  said?: string | undefined;
  caught?: true | undefined;
  done?: true | undefined;
  inside?: string | undefined;
  counter?: string | undefined;
  at_least?: number | undefined;
  at_most?: number | undefined;
  exactly?: number | undefined;
  is?: 'open' | 'closed' | 'locked' | 'unlocked' | 'worked' | undefined;
}

const bound = z.int().min(-1_000_000).max(1_000_000);

const KEYS = {
  agent: idSchema.optional().describe('The id of an agent; `any`: at least one agent; `every`: all agents.'),
  in_room: idSchema.optional().describe('With `agent` or `thing`: it is in this room.'),
  at: pointSchema.optional().describe('With `agent`: the agent is on this tile.'),
  near: idSchema
    .optional()
    .describe('With `agent`: this thing, door, creature or other agent is within reach, or `within` tiles.'),
  within: z
    .int()
    .min(0)
    .max(LIMITS.mapSideTiles)
    .optional()
    .describe(
      'With `near`: the number of tiles in each direction, straight or diagonal, also through walls; 1 by default, which is what an agent can reach; 0: on the same tile.',
    ),
  holds: idSchema.optional().describe('With `agent`: the agent holds this thing.'),
  has_read: idSchema.optional().describe('With `agent`: the agent has read this thing.'),
  said: z
    .string()
    .min(1)
    .max(LIMITS.utteranceCharacters)
    .optional()
    .describe(
      'With `agent`: the agent has said these words, and another agent has heard them. Only whole words match; case and punctuation are ignored.',
    ),
  caught: z.literal(true).optional().describe('With `agent`: a creature has caught the agent.'),
  done: z
    .literal(true)
    .optional()
    .describe('With `agent`: the agent has said DONE, or its own `success` or `failure` has become true.'),
  thing: idSchema.optional().describe('A thing.'),
  inside: idSchema.optional().describe('With `thing`: the thing is in this container.'),
  door: idSchema.optional().describe('A door.'),
  counter: idSchema.optional().describe('The name of a counter, which triggers increase from 0.'),
  at_least: bound.optional().describe('With `counter`: its value is this number or more.'),
  at_most: bound.optional().describe('With `counter`: its value is this number or less.'),
  exactly: bound.optional().describe('With `counter`: its value is exactly this number.'),
  is: z
    .enum(['open', 'closed', 'locked', 'unlocked', 'worked'])
    .optional()
    .describe(
      'With `door`, or with a container as `thing`: its state. With any `thing`, `worked` means that its `work` is finished.',
    ),
};

/** One condition, as used within others and in triggers. */
export const conditionSchema: z.ZodType<ConditionInput> = z
  .lazy(() => z.strictObject(SHAPE))
  .meta({ id: 'condition', description: 'A condition on the world.' });

const SHAPE = {
  all: z.array(conditionSchema).min(1).max(100).optional().describe('All of these must be true.'),
  any: z.array(conditionSchema).min(1).max(100).optional().describe('At least one of these must be true.'),
  not: conditionSchema.optional().describe('This condition must be false.'),
  ...KEYS,
};

/** A condition of `success` or `failure`, with the sentence that is given as the reason. */
export const successSchema = z.strictObject({
  reason: prose(LIMITS.goalCharacters).default('').describe('A sentence that says why the run ended.'),
  ...SHAPE,
});

/**
 * The schema of things as they are written: a kind, which sets the defaults (`kinds.ts`), and every property
 * that may override them.
 */
import { z } from 'zod';
import { spriteSchema } from '../../../scenario/sprites.js';
import { LIMITS } from '../../../base/limits.js';
import { idSchema, nameSchema, prose } from '../../../scenario/schema.js';

const coordinate = z
  .int()
  .min(0)
  .max(LIMITS.coordinateTiles - 1);

export const pointSchema = z.tuple([coordinate, coordinate]);
export const descriptionSchema = prose(LIMITS.goalCharacters).default('');
export const aliasesSchema = z
  .array(nameSchema)
  .max(16)
  .default([])
  .describe('Other names that agents may use.');

export const THING_KINDS = [
  'item',
  'key',
  'note',
  'sign',
  'chest',
  'lever',
  'boulder',
  'food',
  'tool',
  'furniture',
] as const;

const lidSprites = z
  .strictObject({
    open: spriteSchema.describe('Tile of the tileset for the open state.'),
    closed: spriteSchema.describe('Tile of the tileset for the closed state.'),
    locked: spriteSchema.describe('Tile of the tileset for the locked state.'),
  })
  .describe('How the container is drawn in each state.');

const workSchema = z
  .strictObject({
    turns: z
      .int()
      .min(1)
      .max(1000)
      .default(1)
      .describe('The number of times that USE is needed to finish it.'),
    tool: idSchema.optional().describe('The thing that must be held to do it; bare hands by default.'),
    done: prose(LIMITS.goalCharacters).default('').describe('Text shown when the work is finished.'),
    opens: idSchema.optional().describe('The door that it opens.'),
    removes: z.literal(true).optional().describe('`true`: the thing is removed.'),
    becomes: z
      .strictObject({
        name: nameSchema.describe('Its new name.'),
        sprite: spriteSchema.describe('Its new tile.'),
        blocking: z.boolean().default(false).describe('Whether it then blocks its tile.'),
      })
      .optional()
      .describe('What the thing turns into.'),
  })
  .describe(
    'Work that takes one or more turns: each USE counts down; when the work is finished, `opens`, `removes` or `becomes` takes effect.',
  );

export const thingSchema = z
  .strictObject({
    kind: z.enum(THING_KINDS).default('item').describe('The kind, which sets the defaults.'),
    name: nameSchema.optional().describe('Its name in texts for agents; derived from the id by default.'),
    aliases: aliasesSchema,
    sprite: spriteSchema.optional().describe('Tile of the tileset; by default from the kind.'),
    description: descriptionSchema.describe('The text that LOOK AT shows.'),
    at: pointSchema.optional().describe('Its tile, unless the legend places it.'),
    in: idSchema.optional().describe('The container that holds it.'),
    held_by: idSchema.optional().describe('The agent or creature that holds it.'),
    absent: z.literal(true).optional().describe('`true`: does not exist until a trigger spawns it.'),
    portable: z.boolean().optional().describe('Whether it can be taken.'),
    pushable: z.boolean().optional().describe('Whether it can be pushed.'),
    blocking: z.boolean().optional().describe('Whether it blocks its tile.'),
    opaque: z.boolean().optional().describe('Whether it blocks sight.'),
    restful: z
      .literal(true)
      .optional()
      .describe('`true`: in a served world, an entity that nobody controls sleeps on it, as on a bed.'),
    text: prose(LIMITS.goalCharacters).optional().describe('The text that READ shows.'),
    state: z
      .enum(['open', 'closed', 'locked'])
      .optional()
      .describe('Makes it a container; this is the state of its lid at the start.'),
    key: idSchema.optional().describe('Makes it a container with a lock; this is the thing that unlocks it.'),
    sprites: lidSprites.optional(),
    work: workSchema.optional(),
    stack: z
      .strictObject({
        kind: idSchema.describe('Things of the same kind are combined into one stack.'),
        amount: z.int().min(1).max(1_000_000).default(1).describe('The number of things in the stack.'),
      })
      .optional()
      .describe('Makes it stackable.'),
    consumable: prose(LIMITS.goalCharacters)
      .optional()
      .describe('Makes it consumable: each USE uses one up and shows this text.'),
  })
  .describe('A thing, placed by the legend, `at`, `in` or `held_by`.');

export type ThingInput = z.output<typeof thingSchema>;

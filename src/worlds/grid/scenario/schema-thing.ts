/**
 * Things as they are written: a kind with sensible defaults (`kinds.ts`), and every property that may differ from it.
 */
import { z } from 'zod';
import { spriteSchema } from '../../../scenario/sprites.js';
import { LIMITS } from '../../../base/limits.js';
import { idSchema, nameSchema, prose } from '../../../scenario/schema.js';

const coordinate = z
  .int()
  .min(0)
  .max(LIMITS.mapSideTiles - 1);

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
    open: spriteSchema.describe('Tile while open.'),
    closed: spriteSchema.describe('Tile while closed.'),
    locked: spriteSchema.describe('Tile while locked.'),
  })
  .describe("The container's looks in each state.");

const workSchema = z
  .strictObject({
    turns: z.int().min(1).max(1000).default(1).describe('How many times it must be USEd.'),
    tool: idSchema.optional().describe('The thing that must be held for it; bare hands by default.'),
    done: prose(LIMITS.goalCharacters).default('').describe('Told when it is finished.'),
    opens: idSchema.optional().describe('The door that it opens.'),
    removes: z.literal(true).optional().describe('`true`: the thing is gone.'),
    becomes: z
      .strictObject({
        name: nameSchema.describe('Its new name.'),
        sprite: spriteSchema.describe('Its new look.'),
        blocking: z.boolean().default(false).describe('Whether nobody can stand on its tile then.'),
      })
      .optional()
      .describe('What the thing turns into.'),
  })
  .describe(
    'Work of one or several turns: USE counts down, then one of `opens`, `removes`, `becomes` happens.',
  );

export const thingSchema = z
  .strictObject({
    kind: z.enum(THING_KINDS).default('item').describe('Where the defaults come from.'),
    name: nameSchema.optional().describe('As told to agents; by default made from the id.'),
    aliases: aliasesSchema,
    sprite: spriteSchema.optional().describe('Tile of the tileset; by default from the kind.'),
    description: descriptionSchema.describe('What LOOK AT tells.'),
    at: pointSchema.optional().describe('Its tile, unless the legend places it.'),
    in: idSchema.optional().describe('The container that holds it.'),
    held_by: idSchema.optional().describe('The agent or creature that holds it.'),
    absent: z.literal(true).optional().describe('`true`: not there until a trigger spawns it.'),
    portable: z.boolean().optional().describe('Whether it can be taken.'),
    pushable: z.boolean().optional().describe('Whether it can be pushed.'),
    blocking: z.boolean().optional().describe('Whether nobody can stand on its tile.'),
    opaque: z.boolean().optional().describe('Whether it blocks sight.'),
    text: prose(LIMITS.goalCharacters).optional().describe('What READ tells.'),
    state: z
      .enum(['open', 'closed', 'locked'])
      .optional()
      .describe('Makes it a container: its lid at the start.'),
    key: idSchema.optional().describe('Makes it a container with a lock: the thing that unlocks it.'),
    sprites: lidSprites.optional(),
    work: workSchema.optional(),
    stack: z
      .strictObject({
        kind: idSchema.describe('Things of the same kind join.'),
        amount: z.int().min(1).max(1_000_000).default(1).describe('How many.'),
      })
      .optional()
      .describe('Makes it stackable.'),
    consumable: prose(LIMITS.goalCharacters).optional().describe('USE uses one of it up and tells this.'),
  })
  .describe('A thing: placed by the legend, `at`, `in` or `held_by`.');

export type ThingInput = z.output<typeof thingSchema>;

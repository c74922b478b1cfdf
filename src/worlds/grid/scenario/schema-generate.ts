/** The format of a generated map: its size, the number of rooms, and what is locked. */
import { z } from 'zod';
import { LIMITS } from '../../../base/limits.js';
import { idSchema } from '../../../scenario/schema.js';

const side = z.int().min(5).max(LIMITS.mapSideTiles);
const roomSide = z.int().min(3).max(LIMITS.mapSideTiles);

const ids = z.array(idSchema).max(100).default([]);

export const generateSchema = z
  .strictObject({
    size: z
      .tuple([side, side])
      .describe(`Width and height of the map in tiles, at most ${LIMITS.mapSideTiles} each.`),
    rooms: z
      .int()
      .min(1)
      .max(LIMITS.generatedRooms)
      .describe(
        'Number of rooms; agents start in `room-1`, and the last room is the most doors away from it.',
      ),
    room_size: z
      .tuple([roomSide, roomSide])
      .default([3, 9])
      .describe('Minimum and maximum side length of a room, in tiles; small maps may reduce them.'),
    loops: z
      .int()
      .min(0)
      .max(100)
      .default(0)
      .describe('Maximum number of corridors beyond the necessary ones.'),
    locked: z
      .int()
      .min(0)
      .max(100)
      .default(0)
      .describe('Number of locked doors; each key can be reached before its door.'),
    decor: z.int().min(0).max(1000).default(0).describe('Maximum number of pieces of furniture.'),
    deepest: ids.describe(
      'Things and creatures placed in the last room; those in none of these lists are placed anywhere.',
    ),
    near: ids.describe('Things and creatures placed in the first third of the rooms.'),
    far: ids.describe('Things and creatures placed in the last third of the rooms.'),
    in: z
      .record(idSchema, z.array(idSchema).max(100))
      .default({})
      .describe('Things and creatures by the room in which they are placed: `{ room-2: [gem] }`.'),
    apart: ids.describe(
      'Things and creatures placed in different rooms, the first of them not where agents start.',
    ),
  })
  .describe('A map made from the seed, instead of `map`.');

export type GenerateInput = z.output<typeof generateSchema>;

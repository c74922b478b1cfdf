/** A map that is made instead of drawn, as it is written: how large, how many rooms, what is locked. */
import { z } from 'zod';
import { LIMITS } from '../../../base/limits.js';
import { idSchema } from '../../../scenario/schema.js';

const side = z.int().min(5).max(LIMITS.mapSideTiles);
const roomSide = z.int().min(3).max(LIMITS.mapSideTiles);

export const generateSchema = z
  .strictObject({
    size: z.tuple([side, side]).describe('Width and height of the map in tiles.'),
    rooms: z
      .int()
      .min(1)
      .max(LIMITS.generatedRooms)
      .describe('How many; `room-1` is where agents start, the last one is the deepest.'),
    room_size: z
      .tuple([roomSide, roomSide])
      .default([3, 9])
      .describe('The shortest and the longest side of a room; small maps make them smaller.'),
    loops: z.int().min(0).max(100).default(0).describe('Maximum corridors beyond the necessary ones.'),
    locked: z
      .int()
      .min(0)
      .max(100)
      .default(0)
      .describe('Locked doors; the key of each lies where it can be reached before.'),
    decor: z.int().min(0).max(1000).default(0).describe('Maximum pieces of furniture.'),
    deepest: z
      .array(idSchema)
      .max(100)
      .default([])
      .describe('Things placed in the last room; the others are placed anywhere.'),
  })
  .describe('A map made from the seed, instead of `map`.');

export type GenerateInput = z.output<typeof generateSchema>;

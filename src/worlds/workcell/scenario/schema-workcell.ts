/** The workcell's own keys: the car and its parts, what is wrong with it, the spares, the rules, and where robots begin. */
import { z } from 'zod';
import { LIMITS } from '../../../base/limits.js';
import { ANGLES } from '../definition.js';
import { idSchema, nameSchema, prose } from '../../../scenario/schema.js';
import { spriteSchema } from '../../../scenario/sprites.js';
import { CAR_KINDS, PART_KINDS } from './built-in-parts.js';

const angle = z.literal(ANGLES);

/** A spare's id is `spare-` and the part's, so a part's is shorter than other ids. */
const PART_ID_CHARACTERS = 26;

const partIdSchema = idSchema.max(PART_ID_CHARACTERS);

const partSchema = z
  .strictObject({
    name: nameSchema.optional().describe('As told to agents; by default made from the id.'),
    kind: z
      .enum(PART_KINDS)
      .optional()
      .describe(
        'What it is: its looks and what can be wrong with it. Known for the parts that come with the program.',
      ),
    side: angle
      .optional()
      .describe('The side that it is on, in degrees. Known for the parts that come with the program.'),
    description: prose(LIMITS.goalCharacters)
      .default('')
      .describe('What an inspection adds if nothing is wrong.'),
    faults: z
      .record(idSchema, z.string().min(1).max(LIMITS.goalCharacters))
      .optional()
      .describe("What can be wrong with it, each with the inspection's report; by default its kind's."),
    sprite: spriteSchema.optional().describe('Tile of the tileset, as it looks on the car.'),
  })
  .describe('A part that can be taken off: `{}` for one that comes with the program.');

const carSchema = z
  .strictObject({
    kind: z
      .enum([...CAR_KINDS, 'any'])
      .optional()
      .describe('A car that comes with the program; `any`: the seed decides; `hatchback` by default.'),
    name: nameSchema.optional().describe('As told to agents; by default its kind.'),
    parts: z.record(partIdSchema, partSchema).optional().describe('The parts of a car of your own, by id.'),
  })
  .describe('The car: a kind, or parts of your own.');

const faultSchema = z
  .strictObject({
    part: idSchema.optional().describe('The faulty part; by default the seed decides.'),
    side: angle.optional().describe('A side from which the seed chooses a part.'),
    fault: idSchema.optional().describe('What is wrong with it; by default the seed decides.'),
  })
  .describe('One fault of the car. What is left out follows from the seed.');

export const WORKCELL_KEYS = {
  car: carSchema.prefault({}),
  faults: z
    .array(faultSchema)
    .min(1)
    .max(LIMITS.carFaults)
    .default([{}])
    .describe('What is wrong with the car; one fault that the seed decides by default.'),
  spares: z
    .union([z.int().min(1).max(LIMITS.spares), z.array(idSchema).min(1).max(LIMITS.spares)])
    .default(4)
    .describe(
      'The parts that have a spare on the shelf, or how many: one for each fault, the rest from the seed.',
    ),
  rules: z
    .strictObject({
      sight: z
        .enum(['scan', 'eyes'])
        .default('scan')
        .describe('A robot sees a side once it has scanned it, or as soon as it stands there.'),
      burning_sound: z
        .enum(['allowed', 'fails'])
        .default('allowed')
        .describe('What happens to the run if a sound part is burnt.'),
    })
    .describe('Rules of the world.')
    .prefault({}),
};

export const WORKCELL_AGENT_KEYS = {
  sprite: spriteSchema.optional().describe('Tile of the tileset; `figure/robot` by default.'),
  orientation: angle.default(0).describe('The side at which it begins, in degrees.'),
  actions: z
    .array(z.string().min(1).max(LIMITS.nameCharacters))
    .max(64)
    .optional()
    .describe("The actions that it may use; all of the world's by default. WAIT is always offered."),
};

/** The workcell's keys out of a whole scenario, and out of an agent. */
export const workcellSchema = z.object(WORKCELL_KEYS);
export const workcellAgentSchema = z.object({
  ...WORKCELL_AGENT_KEYS,
  id: idSchema,
  name: nameSchema.optional(),
});

export type WorkcellInput = z.output<typeof workcellSchema>;
export type WorkcellAgentInput = z.output<typeof workcellAgentSchema>;
export type PartInput = z.output<typeof partSchema>;

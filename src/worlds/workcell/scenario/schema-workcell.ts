/**
 * The workcell's own keys: the car and its parts, its faults, the spares, the rules, and where robots begin.
 */
import { z } from 'zod';
import { LIMITS } from '../../../base/limits.js';
import { ANGLES } from '../definition.js';
import { agentActionsSchema } from '../../../scenario/agent-actions.js';
import { idSchema, nameSchema, prose } from '../../../scenario/schema.js';
import { spriteSchema } from '../../../scenario/sprites.js';
import { CAR_KINDS, PART_KINDS } from './built-in-parts.js';

const angle = z.literal(ANGLES);

/** A spare's id is `spare-` and the part's, so a part's is shorter than other ids. */
const PART_ID_CHARACTERS = 26;

const partIdSchema = idSchema.max(PART_ID_CHARACTERS);

const partSchema = z
  .strictObject({
    name: nameSchema.optional().describe('Its name in texts for agents; derived from the id by default.'),
    kind: z
      .enum(PART_KINDS)
      .optional()
      .describe('The kind of part, which sets its appearance and faults; not needed for built-in parts.'),
    side: angle
      .optional()
      .describe('The side of the car that the part is on, in degrees; not needed for built-in parts.'),
    description: prose(LIMITS.goalCharacters)
      .default('')
      .describe('Text that an inspection adds if the part is sound.'),
    faults: z
      .record(idSchema, z.string().min(1).max(LIMITS.goalCharacters))
      .optional()
      .describe("Its possible faults, each with the inspection's report; by default those of its kind."),
    sprite: spriteSchema.optional().describe('The tile that is drawn for it on the car.'),
  })
  .describe('A removable part; a built-in part needs only `{}`.');

const carSchema = z
  .strictObject({
    kind: z
      .enum([...CAR_KINDS, 'any'])
      .optional()
      .describe('A built-in car; `any`: the seed decides; `hatchback` by default.'),
    name: nameSchema.optional().describe('Its name in texts for agents; by default its kind.'),
    parts: z.record(partIdSchema, partSchema).optional().describe('The parts of your own car, by id.'),
  })
  .describe('The car: a kind, or your own parts.');

const faultSchema = z
  .strictObject({
    part: idSchema.optional().describe('The faulty part; by default the seed decides.'),
    side: angle.optional().describe('A side from which the seed chooses a part.'),
    fault: idSchema.optional().describe('Its fault; by default the seed decides.'),
  })
  .describe('One fault of the car. The seed decides whatever is left out.');

export const WORKCELL_KEYS = {
  car: carSchema.prefault({}),
  faults: z
    .array(faultSchema)
    .min(1)
    .max(LIMITS.carFaults)
    .default([{}])
    .describe('The faults of the car; by default one that the seed decides.'),
  spares: z
    .union([z.int().min(1).max(LIMITS.spares), z.array(idSchema).min(1).max(LIMITS.spares)])
    .default(4)
    .describe(
      'The parts that have a spare on the shelf, or how many spares there are: every faulty part gets one, and the seed chooses the others.',
    ),
  rules: z
    .strictObject({
      sight: z
        .enum(['scan', 'eyes'])
        .default('scan')
        .describe('Whether a robot sees a side only after it has scanned it, or as soon as it is there.'),
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
  orientation: angle
    .default(0)
    .describe('The side of the car at which the robot starts, as an angle in degrees.'),
  actions: agentActionsSchema,
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

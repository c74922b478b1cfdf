/**
 * The schemas of the grid's own keys: map, legend, terrain, rooms, doors, creatures, rules, success and
 * failure. Things, conditions and triggers have their own files. Whether the values fit together is checked
 * afterwards, starting in `grid-world.ts`.
 */
import { z } from 'zod';
import { LIMITS } from '../../../base/limits.js';
import { CARDINALS } from '../../../environment/space.js';
import { agentActionsSchema } from '../../../scenario/agent-actions.js';
import { idSchema, nameSchema } from '../../../scenario/schema.js';
import { conditionSchema, successSchema } from './schema-condition.js';
import { generateSchema } from './schema-generate.js';
import { triggerSchema } from './schema-trigger.js';
import { spriteSchema } from '../../../scenario/sprites.js';
import { aliasesSchema, descriptionSchema, pointSchema, thingSchema } from './schema-thing.js';

const side = z.int().min(1).max(LIMITS.coordinateTiles);
const coordinate = z
  .int()
  .min(0)
  .max(LIMITS.coordinateTiles - 1);

const legendEntry = z
  .union([
    idSchema,
    z.strictObject({
      terrain: idSchema.optional().describe('The terrain of the tile; `floor` by default.'),
      agent: idSchema.optional().describe('This agent starts here.'),
      npc: idSchema.optional().describe('This creature starts here.'),
      thing: idSchema.optional().describe('This thing is here.'),
      things: z
        .array(idSchema)
        .min(1)
        .max(LIMITS.things)
        .optional()
        .describe('Each of these things is on one of the tiles with this character; the seed chooses which.'),
      door: idSchema.optional().describe('This door is here.'),
    }),
  ])
  .describe('A terrain, or an agent, creature, thing or door: `{door: oak-door}`.');

const terrainSchema = z
  .strictObject({
    name: nameSchema.describe('Its name in texts for agents.'),
    walkable: z.boolean().default(true).describe('Whether agents and creatures can walk on it.'),
    opaque: z.boolean().default(false).describe('Whether it blocks sight.'),
    sprite: spriteSchema.describe('Ground class or tile of the tileset.'),
  })
  .describe('A terrain of your own.');

const area = z.tuple([coordinate, coordinate, side, side]);

const roomSchema = z
  .strictObject({
    name: nameSchema.optional().describe('Its name in texts for agents; derived from the id by default.'),
    area: area.optional().describe('Left, top, width and height in tiles.'),
    areas: z.array(area).min(1).max(100).optional().describe('Several rectangles that are one room.'),
    from: pointSchema
      .optional()
      .describe('Any tile of the room; the room fills the space around it up to walls and doors.'),
    description: descriptionSchema.describe(
      'Text that an agent gets while it is in the room; include only what is always true.',
    ),
  })
  .describe('A room; `area`, `areas` or `from` sets its position.');

const doorState = z.enum(['open', 'closed', 'locked']);

const doorSchema = z
  .strictObject({
    name: nameSchema.optional().describe('Its name in texts for agents; derived from the id by default.'),
    at: pointSchema.optional().describe('Its tile, unless the legend places it.'),
    between: z
      .tuple([idSchema, idSchema])
      .optional()
      .describe('The two rooms that it joins; by default from the map.'),
    direction: z
      .enum(CARDINALS)
      .optional()
      .describe('Direction from the first room to the second; by default from the map.'),
    state: doorState
      .optional()
      .describe('State at the start; by default `locked` if it has a key, else `closed`.'),
    key: idSchema.optional().describe('The thing that locks and unlocks it.'),
    closes_after: z
      .int()
      .min(0)
      .max(1000)
      .default(0)
      .describe('Number of turns after which it closes; 0: never.'),
    kind: z.enum(['wood', 'iron', 'gate']).default('wood').describe('Its appearance.'),
  })
  .describe('A door in a wall between two rooms.');

const npcSchema = z
  .strictObject({
    name: nameSchema.optional().describe('Its name in texts for agents; derived from the id by default.'),
    aliases: aliasesSchema,
    sprite: spriteSchema.optional().describe('Tile of the tileset; `figure/<id>` by default.'),
    description: descriptionSchema.describe('The text that LOOK AT shows.'),
    at: pointSchema.optional().describe('Where it starts, unless the legend places it.'),
    behaviour: z
      .enum(['still', 'wander', 'patrol', 'chase', 'flee'])
      .default('still')
      .describe('What it does after the agents have acted.'),
    every: z
      .int()
      .min(1)
      .max(1000)
      .optional()
      .describe('`wander`: average number of turns per move; 2 by default.'),
    route: z.array(pointSchema).min(1).max(1000).optional().describe('`patrol`: waypoints, in order.'),
    loop: z
      .boolean()
      .optional()
      .describe(
        '`patrol`: whether it goes from the last waypoint straight to the first (default), or back the same way.',
      ),
    targets: z
      .array(idSchema)
      .min(1)
      .max(LIMITS.agents)
      .optional()
      .describe('`chase` and `flee`: the agents that it chases or flees from; every agent by default.'),
    sight: z
      .int()
      .min(1)
      .max(LIMITS.sightRadiusTiles)
      .optional()
      .describe('`chase` and `flee`: the range of its sight in tiles; 6 by default.'),
    catches: z
      .int()
      .min(0)
      .max(10)
      .optional()
      .describe(
        'Agents within this distance (tiles) at the end of a turn are caught; without it, the creature is harmless.',
      ),
    watch: z
      .int()
      .min(0)
      .max(LIMITS.sightRadiusTiles)
      .default(0)
      .describe('With `catches`: agents it sees within this radius are caught too.'),
  })
  .describe('A creature that no agent controls.');

const rulesSchema = z
  .strictObject({
    movement: z
      .enum(['room', 'tile'])
      .default('room')
      .describe(
        'What GO NORTH does: leave through the exit in that direction (`room`), or move one tile (`tile`).',
      ),
    diagonals: z
      .boolean()
      .default(false)
      .describe('Whether movement by `tile` has eight directions; by `room` there are no diagonal steps.'),
    go_to: z
      .boolean()
      .default(true)
      .describe(
        'Whether GO also takes a target: `GO TO brass key`. If false, it only takes a direction, so with `movement: tile` an agent must find its own path.',
      ),
    coordinates: z
      .boolean()
      .default(false)
      .describe(
        'Things are listed with their x and y, and tiles may be named by them: `GO TO 3 0`, `TAKE AT 3 0`, or `{"x": 3, "y": 0}`.',
      ),
    observe: z
      .enum(['told', 'ask'])
      .default('told')
      .describe(
        '`told`: every turn shows what the agent sees. `ask`: the agent must LOOK. Until it does, it knows only its position, what it holds and whether doors in sight are open; text, picture, offers and facts contain only what LOOK has shown.',
      ),
    sight: z.enum(['recursive', 'symmetric', 'rays']).default('recursive').describe('How sight is computed.'),
    fog: z
      .boolean()
      .default(true)
      .describe(
        'Whether walls and distance hide things from agents; if false, each agent sees everything in its frame. Creatures are unaffected.',
      ),
    speech: z
      .strictObject({
        radius: z
          .int()
          .min(0)
          .max(1000)
          .default(4)
          .describe('The range of SPEAK, in tiles (Manhattan distance).'),
        free: z.boolean().default(false).describe('Whether speaking is free, once per turn.'),
      })
      .describe('The range of speech, and its cost.')
      .prefault({}),
    refusals: z
      .enum(['full', 'plain'])
      .optional()
      .describe(
        '`full`: a refusal says why, and where the thing is. `plain`: no text tells what only the picture is to show; only names are understood, not ids. Default: `plain` with `render.channel: image` without `names`, otherwise `full`.',
      ),
    use_held: z
      .boolean()
      .default(false)
      .describe('Whether `USE ON door` uses the only thing held; otherwise the agent must name the thing.'),
    use_amounts: z
      .boolean()
      .default(false)
      .describe('Whether `USE 3 berries` uses up three of a stack; otherwise it uses up only one.'),
    bodies_block: z.boolean().default(true).describe('Whether agents and creatures block the way.'),
  })
  .describe('Rules of the world.');

export const GRID_KEYS = {
  map: z
    .string()
    .min(1)
    .optional()
    .describe(
      `One character per tile, in a block after \`|\`, at most ${LIMITS.mapSideTiles} × ${LIMITS.mapSideTiles}; x counts from the left, y from the top, both from 0.`,
    ),
  generate: generateSchema.optional(),
  legend: z
    .record(z.string(), legendEntry)
    .default({})
    .describe(
      "What the map's characters mean, beyond `#` wall, `.` floor, `~` water, `,` grass, `_` wood-floor and `:` dirt.",
    ),
  terrain: z.record(idSchema, terrainSchema).default({}).describe('Terrains of your own, for the legend.'),
  rooms: z.record(idSchema, roomSchema).default({}).describe('Rooms by id.'),
  doors: z.record(idSchema, doorSchema).default({}).describe('Doors by id.'),
  things: z.record(idSchema, thingSchema).default({}).describe('Things by id.'),
  npcs: z.record(idSchema, npcSchema).default({}).describe('Creatures by id.'),
  triggers: z
    .record(idSchema, triggerSchema)
    .default({})
    .describe('Causes and effects, by an id of your choice; triggers fire in the order of their ids.'),
  rules: rulesSchema.prefault({}),
  success: successSchema.optional().describe('The run succeeds when this becomes true.'),
  failure: successSchema.optional().describe('The run fails when this becomes true.'),
};

export const GRID_AGENT_KEYS = {
  aliases: aliasesSchema,
  sprite: spriteSchema.optional().describe('Tile of the tileset; `figure/<id>` by default.'),
  description: descriptionSchema.describe('Text that LOOK AT shows to others.'),
  at: pointSchema.optional().describe('Where it starts, unless the legend places it.'),
  sight: z
    .int()
    .min(1)
    .max(LIMITS.sightRadiusTiles)
    .default(7)
    .describe("The range of its sight in tiles; the frame's window also limits it."),
  actions: agentActionsSchema,
  carry: z.int().min(0).max(100).default(4).describe('The number of things that it can hold.'),
  success: conditionSchema
    .optional()
    .describe('When this agent has succeeded, whatever the result of the run; it then stops acting.'),
  failure: conditionSchema.optional().describe('When this agent has failed; checked before `success`.'),
};

/** These pick the grid's keys from a whole scenario and from an agent, and ignore all others. */
export const gridSchema = z.object(GRID_KEYS);
export const gridAgentSchema = z.object({ ...GRID_AGENT_KEYS, id: idSchema, name: nameSchema.optional() });

export type GridInput = z.output<typeof gridSchema>;
export type GridAgentInput = z.output<typeof gridAgentSchema>;
export type LegendInput = z.output<typeof legendEntry>;
export type RoomInput = z.output<typeof roomSchema>;
export type DoorInput = z.output<typeof doorSchema>;
export type NpcInput = z.output<typeof npcSchema>;

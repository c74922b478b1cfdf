/** The format of the picture that a model gets, and the frame sizes that suit families of models. */
import { z } from 'zod';
import { LIMITS } from '../base/limits.js';
import { FAMILIES, PRESETS } from './presets.js';
import { childOf } from './records.js';
import { later, NO_EFFECT, section } from './section.js';
import type { NoEffect } from './section.js';

const oddSide = z
  .int()
  .min(3)
  .max(LIMITS.frameSideTiles)
  .refine((side) => side % 2 === 1, {
    error: 'must be odd, so that the agent stands in the middle',
    abort: false,
  });

const onlyPictures = (key: string) =>
  ['if channel is text', `it only affects pictures: write channel: both, or leave out ${key}`] as const;

const withoutPicture: NoEffect = (render, _, key) =>
  render['channel'] === 'text' && render[key] === true && onlyPictures(key);

/** For keys about past pictures, which are in a section of their own. */
export const withoutPastPictures: NoEffect = (_, { render }, key) =>
  childOf(render, 'channel') === 'text' && onlyPictures(key);

export const renderSchema = section(
  {
    preset: z
      .enum(['default', ...FAMILIES])
      .default('default')
      .describe('Tile size, window size and ruler for a family of models.'),
    tile: z
      .int()
      .min(8)
      .max(LIMITS.frameTilePixels)
      .optional()
      .describe('Side length of a tile in the frame, in pixels; the preset has the default.'),
    window: z
      .tuple([oddSide, oddSide])
      .optional()
      .describe('Columns and rows of tiles in the frame, both odd; they also limit what an agent sees.'),
    tileset: z
      .string()
      .min(1)
      .max(LIMITS.settingCharacters)
      .optional()
      .describe(
        "Path of another tileset's manifest, relative to this file; the built-in tileset by default.",
      ),
    channel: z
      .enum(['both', 'image', 'text'])
      .default('both')
      .describe('Whether a model gets the picture, the text, or both.'),
    names: z
      .boolean()
      .default(false)
      .describe('With `channel: image`: whether offers contain names. All other text never contains them.')
      .register(NO_EFFECT, {
        rules: [
          ({ channel, names }) =>
            channel !== 'image' &&
            names === true && [
              'unless channel is image',
              'it only matters if the picture is sent without the text: write channel: image, or leave out names',
            ],
        ],
      }),
    blank: later(z.boolean(), false)
      .describe(
        'Sends a uniformly grey picture of the same size instead: a control that shows what a model does without seeing.',
      )
      .register(NO_EFFECT, { rules: [withoutPicture] }),
    marks: z
      .boolean()
      .default(false)
      .describe(
        'Numbers on things, agents, creatures and doors of equal names in the frame, which an answer may contain in place of a name: `TAKE 2`. The text repeats them with the names, unless only the picture tells what is there.',
      )
      .register(NO_EFFECT, { rules: [withoutPicture] }),
    legend: z
      .boolean()
      .default(false)
      .describe('A section of the text that describes the appearance of each thing and ground in the frame.'),
    ruler: z
      .boolean()
      .optional()
      .describe("Row and column numbers along the edge of the frame; the preset's by default.")
      .register(NO_EFFECT, { rules: [withoutPicture] }),
    skin: z
      .int()
      .min(0)
      .max(LIMITS.skinNumber)
      .default(0)
      .describe(
        "Number of the variant in which floors and walls are drawn; 0 is the tileset's default. Names and rules stay the same.",
      ),
  },
  'The picture that a model gets.',
  {
    omit: ['preset', 'tile', 'window', 'names', 'ruler'],
    add: z.object({
      tilePixels: z.int().min(1).max(LIMITS.frameTilePixels),
      columns: z.int().min(1).max(LIMITS.frameSideTiles),
      rows: z.int().min(1).max(LIMITS.frameSideTiles),
      ruler: z.boolean(),
      // Absent with other channels, and in older logs, whose offers contained names.
      names: z.boolean().exactOptional(),
    }),
    values: ({ preset, tile, window, ruler, channel, names }) => {
      const { tilePixels, columns, rows, ruler: hasRuler } = PRESETS[preset];
      return {
        tilePixels: tile ?? tilePixels,
        columns: window?.[0] ?? columns,
        rows: window?.[1] ?? rows,
        ruler: ruler ?? hasRuler,
        ...(channel === 'image' ? { names } : {}),
      };
    },
  },
);

/**
 * The grid's tables in docs/reference/scenario-format.md, kinds of things and of terrain, generated from the
 * built-in defaults.
 */
import { mark, table } from '../../../scenario/schema-tables.js';
import { KINDS } from './kinds.js';
import { BUILT_IN_LEGEND, BUILT_IN_TERRAIN } from './terrain.js';

/** The tables, by the name in the page's marker. */
export const GRID_TABLES: Readonly<Record<string, () => string>> = {
  kinds: () =>
    table(
      ['kind', 'taken', 'pushed', 'in the way', 'container', 'tile', 'meaning'],
      Object.entries(KINDS).map(([name, kind]) => [
        `\`${name}\``,
        mark(kind.portable),
        mark(kind.pushable),
        mark(kind.blocking),
        mark(kind.container),
        kind.container
          ? '`item/chest-…`'
          : kind.sprite === null
            ? '`item/<id>` or `furniture/<id>`'
            : `\`${kind.sprite}\``,
        kind.meaning,
      ]),
    ),
  terrain: () =>
    table(
      ['terrain', 'character', 'shown as', 'walkable', 'blocks sight'],
      BUILT_IN_TERRAIN.map(({ id, name, walkable, opaque }) => [
        `\`${id}\``,
        Object.entries(BUILT_IN_LEGEND)
          .filter(([, terrain]) => terrain === id)
          .map(([character]) => `\`${character}\``)
          .join(' '),
        name,
        mark(walkable),
        mark(opaque),
      ]),
    ),
};

/**
 * The tables in docs/reference/scenario-format.md, each between two markers that name what it lists. Everything in them comes from the
 * schemas and the tables of defaults.
 */
import { KINDS } from '../worlds/grid/scenario/kinds.js';
import { BUILT_IN_LEGEND, BUILT_IN_TERRAIN } from '../worlds/grid/scenario/terrain.js';
import { PRESETS, presetFrame } from './presets.js';
import type { SchemaKeyRow } from './schema-document.js';
import { keyRows } from './schema-document.js';

const BLOCK = /<!-- (keys|table): ([^ ]*) -->\n(?:[\s\S]*?)<!-- end -->/g;

/** `rows` are the keys that blocks may list. The text with every block between `<!-- keys: agents[] -->` or `<!-- table: kinds -->` and `<!-- end -->` filled anew. */
export function withTables(text: string, rows: readonly SchemaKeyRow[] = keyRows()): string {
  return text.replace(BLOCK, (_, kind: string, name: string) => {
    const filled = kind === 'keys' ? keyTable(rows, name) : (TABLES[name] ?? (() => ''))();
    return `<!-- ${kind}: ${name} -->\n\n<!-- prettier-ignore -->\n${filled}\n\n<!-- end -->`;
  });
}

/** Keys below a prefix; of the whole scenario, those at the top. */
function keyTable(rows: readonly SchemaKeyRow[], prefix: string): string {
  const start = prefix === '' ? '' : `${prefix}.`;
  const listed = rows.filter(({ path }) => path.startsWith(start) && (prefix !== '' || !/[.[]/.test(path)));
  const lines = listed.map(({ path, type, default: initial, isRequired, description }) => {
    const value = isRequired ? 'required' : initial === '' ? '' : `\`${initial}\``;
    return row([`\`${path.slice(start.length)}\``, type, value, description]);
  });
  return [row(['key', 'value', 'default', 'meaning']), row(['---', '---', '---', '---']), ...lines].join(
    '\n',
  );
}

const TABLES: Readonly<Record<string, () => string>> = {
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
  presets: () =>
    table(
      ['preset', 'tile', 'window', 'ruler', 'frame', 'why'],
      Object.entries(PRESETS).map(([name, preset]) => {
        const { tilePixels, columns, rows, ruler, reason } = preset;
        const { width, height } = presetFrame(preset);
        return [
          `\`${name}\``,
          `${tilePixels} px`,
          `${columns} × ${rows}`,
          mark(ruler),
          `${width} × ${height}`,
          reason,
        ];
      }),
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

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [row(head), row(head.map(() => '---')), ...rows.map(row)].join('\n');
}

function row(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

function mark(is: boolean): string {
  return is ? 'yes' : '';
}

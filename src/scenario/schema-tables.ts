/**
 * The tables in docs/reference/scenario-format.md, each between two markers that name its content. Everything
 * in them comes from the schemas and the tables of defaults.
 */
import { lookUp } from '../base/look-up.js';
import { PRESETS, presetFrame } from './presets.js';
import type { SchemaKeyRow } from './schema-document.js';
import type { WorldReader } from './world.js';

const BLOCK = /<!-- (keys|table): ([^ ]*) -->\n(?:[\s\S]*?)<!-- end -->/g;

/**
 * The text of a docs page with every block between `<!-- keys: agents[] -->` or `<!-- table: kinds -->` and
 * `<!-- end -->` filled again. `rows` are the keys that blocks may list, `worldTables` a world's tables in
 * addition to the common ones.
 */
export function withTables(
  text: string,
  rows: readonly SchemaKeyRow[],
  worldTables: WorldReader['tables'] = {},
): string {
  const tables = { ...TABLES, ...worldTables };
  return text.replace(BLOCK, (_, kind: string, name: string) => {
    const content = kind === 'keys' ? keyTable(rows, name) : (lookUp(tables, name) ?? (() => ''))();
    return `<!-- ${kind}: ${name} -->\n\n<!-- prettier-ignore -->\n${content}\n\n<!-- end -->`;
  });
}

/** Keys below a prefix; for the whole scenario, those at the top level. */
function keyTable(rows: readonly SchemaKeyRow[], prefix: string): string {
  const start = prefix === '' ? '' : `${prefix}.`;
  const listedRows = rows.filter(
    ({ path }) => path.startsWith(start) && (prefix !== '' || !/[.[]/.test(path)),
  );
  const lines = listedRows.map(({ path, type, default: initial, isRequired, description }) => {
    const value = isRequired ? 'required' : initial === '' ? '' : `\`${initial}\``;
    return row([`\`${path.slice(start.length)}\``, type, value, description]);
  });
  return [row(['key', 'value', 'default', 'meaning']), row(['---', '---', '---', '---']), ...lines].join(
    '\n',
  );
}

const TABLES: Readonly<Record<string, () => string>> = {
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
};

/** A Markdown table. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [row(head), row(head.map(() => '---')), ...rows.map(row)].join('\n');
}

function row(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

/** The text of a cell: `yes`, or nothing. */
export function mark(isTrue: boolean): string {
  return isTrue ? 'yes' : '';
}

/**
 * The tables of servers in docs/reference/models.md, each between two markers with its name, generated from
 * the table of capabilities. `scripts/servers-doc.mjs` writes them; a test compares the page with them.
 */
import { CAPABILITIES, constraintWays, SERVER_KINDS, TRAPS } from './capabilities.js';
import type { Capabilities } from './capabilities.js';
import { table } from '../scenario/schema-tables.js';

const BLOCK = /<!-- servers: (\w+) -->\n(?:[\s\S]*?)<!-- end -->/g;

/**
 * The text with every block between `<!-- servers: NAME -->` and `<!-- end -->` refilled. Throws if there is
 * no table of that name.
 */
export function withServerTables(text: string): string {
  return text.replace(BLOCK, (_, name: string) => {
    const cells = TABLES[name];
    if (cells === undefined) throw new Error(`there is no table of servers called ${name}`);
    const [head = [], ...rows] = cells();
    return `<!-- servers: ${name} -->\n\n<!-- prettier-ignore -->\n${table(head, rows)}\n\n<!-- end -->`;
  });
}

type TableCells = readonly (readonly string[])[];

const TABLES: Readonly<Record<string, () => TableCells>> = {
  start: () => [
    ['server', 'start', '`--base-url`', 'notes'],
    ...SERVER_KINDS.map((kind) => {
      const { start, address, traps, overlong } = CAPABILITIES[kind];
      const trapNotes = traps.map((trap) => `${TRAPS[trap].text}: ${TRAPS[trap].hint}`);
      const overlongNotes = overlong.hint === null ? [] : [`${OVERLONG[overlong.becomes]}: ${overlong.hint}`];
      return [kind, startCell(start), `\`${address}\``, [...overlongNotes, ...trapNotes].join('; ')];
    }),
  ],
  differ: () => [
    ['', ...SERVER_KINDS],
    ...ROWS.map(([subject, read]) => [subject, ...SERVER_KINDS.map((kind) => read(CAPABILITIES[kind]))]),
  ],
  guided: () => [
    ['server', 'constraints'],
    ...[...SERVER_KINDS, null].map((kind) => [
      kind ?? 'unknown',
      codes(constraintWays(kind).map(({ name }) => name)),
    ]),
  ],
};

function startCell(start: string | null): string {
  if (start === null) return 'a key ([Keys](../how-to/connect-a-model.md#keys-and-env))';
  return / /.test(start) && !start.startsWith('load ') ? codes(start.split(', then '), ', then ') : start;
}

const OVERLONG = {
  refused: 'refused',
  cut: 'a prompt longer than its context is silently truncated',
  empty: 'a prompt longer than its context gets an empty answer',
} as const;

/** One line per subject, with its text for each server. */
const ROWS: readonly (readonly [what: string, read: (row: Capabilities) => string])[] = [
  ['`server` in a scenario', ({ name }) => code(name)],
  ['recognised by', recognisedBy],
  [
    'reports its context length',
    ({ contextAt, probe }) => (contextAt !== null || probe?.isContext === true ? 'yes' : ''),
  ],
  ['pictures as', ({ pictures }) => pictures.join(', ')],
  ['reply limit', ({ maxTokens }) => codes(maxTokens)],
  [
    'turns reasoning off',
    ({ thinkingOff }) =>
      codes(
        thinkingOff.map((one) => JSON.stringify(one)),
        ' or ',
      ),
  ],
  ['reasoning field', ({ reasoningFields }) => codes(reasoningFields)],
  ['native tools need', ({ toolsFlag }) => (toolsFlag === null ? '' : code(toolsFlag))],
  ['reports tokens of', countsCell],
  [
    'error message in',
    ({ errorAt, mayRefuseAs200 }) => `${code(errorAt)}${mayRefuseAs200 ? ', also with status 200' : ''}`,
  ],
  ['busy', ({ busy }) => [...busy.statuses, busy.when].join(', ')],
  ['a prompt that is too long', ({ overlong }) => OVERLONG[overlong.becomes]],
  ['ignores', ({ ignores }) => codes(ignores)],
  ['refuses', ({ refuses }) => codes(refuses)],
];

function recognisedBy({ host, probe, owner }: Capabilities): string {
  return [
    ...(host === null ? [] : [`the host ${code(host)}`]),
    ...(probe === null ? [] : [code(probe.path)]),
    ...(owner === null ? [] : [`the owner ${code(owner)}`]),
  ].join(', ');
}

function countsCell({ usage: { cachedAt, picturesAt, flag } }: Capabilities): string {
  const reported = [...(cachedAt === null ? [] : ['cache']), ...(picturesAt === null ? [] : ['pictures'])];
  return reported.length === 0 || flag === null
    ? reported.join(', ')
    : `${reported.join(', ')}: with ${code(flag)}`;
}

function codes(texts: readonly string[], separator = ', '): string {
  return texts.map(code).join(separator);
}

function code(text: string): string {
  return `\`${text}\``;
}

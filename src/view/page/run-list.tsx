/** The list of many runs: a field that filters it, columns that sort it, a link to each run's page. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { counted } from '../../base/counted.js';
import { visibleText } from '../../base/text.js';
import type { ListedRun } from '../run-list.js';
import { classes, IconButton } from './icons.js';
import { nextTheme } from './theme.js';

export type ListState =
  { kind: 'reading' } | { kind: 'whole'; isIncomplete: boolean } | { kind: 'lost'; words: string };

interface RunListProps {
  runs: readonly ListedRun[];
  state: ListState;
  token: string;
}

/** The number of rows that even a slow machine draws without delay. */
const ROWS = 200;

type Cell = string | number | null;

interface Column {
  name: string;
  kind: 'word' | 'amount';
  cell: (run: ListedRun) => Cell;
}

const COLUMNS: readonly Column[] = [
  { name: 'Scenario', kind: 'word', cell: ({ scenario }) => scenario },
  { name: 'Players', kind: 'word', cell: ({ players }) => players },
  { name: 'Seed', kind: 'word', cell: ({ seed, isFork }) => (isFork ? `${seed} (fork)` : seed) },
  {
    name: 'Outcome',
    kind: 'word',
    cell: ({ status, reason }) => (reason === '' ? status : `${status}: ${reason.replace(/\.$/, '')}`),
  },
  { name: 'Turns', kind: 'amount', cell: ({ turns }) => turns },
  { name: 'Steps', kind: 'amount', cell: ({ steps }) => steps },
  { name: 'Return', kind: 'amount', cell: (run) => run.return },
  { name: 'Log', kind: 'word', cell: ({ log }) => log },
];

/** `column` null: in the order in which the runs were read. */
interface SortOrder {
  column: Column | null;
  isReversed: boolean;
}

export function RunList({ runs, state, token }: RunListProps) {
  const [query, setQuery] = useState(queryInAddress);
  const [order, setOrder] = useState<SortOrder>({ column: null, isReversed: false });
  const [limit, setLimit] = useState(ROWS);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => listenForKeys(field), []);
  const shown = useMemo(() => ordered(matching(runs, query), order), [runs, query, order]);
  const columns = runs.some((run) => run.return !== null)
    ? COLUMNS
    : COLUMNS.filter(({ name }) => name !== 'Return');
  return (
    <div class="run-list">
      <header>
        <div class="heading">
          <h1>Runs</h1>
          <p class={classes('status', state.kind === 'lost' && 'lack')} role="status">
            {statusText(shown.length, runs.length, state)}
          </p>
        </div>
        <div class="tools">
          <input
            type="search"
            placeholder="Filter (/)"
            aria-label="Show runs that contain these words"
            aria-keyshortcuts="/"
            maxLength={200}
            ref={field}
            value={query}
            onInput={({ currentTarget: { value } }) => {
              setQuery(value);
              storeInAddress(value);
              setLimit(ROWS);
            }}
          />
          <IconButton icon="theme" label="Light or dark colours" shortcut="t" onPress={nextTheme} />
        </div>
      </header>
      <table>
        <ListHead columns={columns} order={order} onOrder={setOrder} />
        <tbody>
          {shown.slice(0, limit).map((run) => (
            <ListRow key={run.number} run={run} columns={columns} token={token} />
          ))}
        </tbody>
      </table>
      {shown.length > limit && (
        <button type="button" class="more" onClick={() => setLimit(limit + ROWS)}>
          Show more ({shown.length - limit} left)
        </button>
      )}
    </div>
  );
}

/**
 * `/` focuses the field, and `t` changes the colours, unless somebody is typing. Returns a function that
 * stops listening.
 */
function listenForKeys(field: { current: HTMLInputElement | null }): () => void {
  const onKey = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target === field.current) return;
    if (event.key === 't') nextTheme();
    if (event.key !== '/') return;
    event.preventDefault();
    field.current?.focus();
  };
  document.addEventListener('keydown', onKey);
  return () => document.removeEventListener('keydown', onKey);
}

/** The filter is part of the address, so that it is still there when the reader comes back from a run. */
function queryInAddress(): string {
  return new URLSearchParams(location.hash.slice(1)).get('filter') ?? '';
}

function storeInAddress(query: string): void {
  const hash = query === '' ? '' : `#${new URLSearchParams({ filter: query }).toString()}`;
  history.replaceState(null, '', `${location.pathname}${hash}`);
}

interface ListHeadProps {
  columns: readonly Column[];
  order: SortOrder;
  onOrder: (order: SortOrder) => void;
}

function ListHead({ columns, order, onOrder }: ListHeadProps) {
  return (
    <thead>
      <tr>
        {columns.map((column) => {
          const isSorted = order.column === column;
          const direction = order.isReversed ? 'descending' : 'ascending';
          return (
            <th key={column.name} class={cellClass(column)} aria-sort={isSorted ? direction : 'none'}>
              <button
                type="button"
                onClick={() => onOrder({ column, isReversed: isSorted && !order.isReversed })}
              >
                {column.name}
                {isSorted && (order.isReversed ? ' ↓' : ' ↑')}
              </button>
            </th>
          );
        })}
      </tr>
    </thead>
  );
}

interface ListRowProps {
  run: ListedRun;
  columns: readonly Column[];
  token: string;
}

function ListRow({ run, columns, token }: ListRowProps) {
  const href = `runs/${run.number}/`;
  return (
    <tr class={run.status}>
      {columns.map((column, i) => (
        <td key={column.name} class={cellClass(column)}>
          {i > 0 ? (
            cellText(column.cell(run))
          ) : (
            <a
              href={href}
              title={run.id}
              onClick={(event) =>
                (event.ctrlKey || event.metaKey || event.shiftKey) && openTab(event, href, token)
              }
              onAuxClick={(event) => event.button === 1 && openTab(event, href, token)}
            >
              {cellText(column.cell(run))}
            </a>
          )}
        </td>
      ))}
    </tr>
  );
}

/** A new tab does not have the token, and a copied link must not contain it. */
function openTab(event: MouseEvent, href: string, token: string): void {
  event.preventDefault();
  window.open(`${href}#token=${token}`, '_blank', 'noopener');
}

function cellClass({ name, kind }: Column): string {
  return `${kind} ${name.toLowerCase()}`;
}

function cellText(cell: Cell): string {
  return typeof cell === 'string' ? visibleText(cell) : (cell?.toString() ?? '–');
}

/** Runs that contain every word in some column, in any case. */
function matching(runs: readonly ListedRun[], query: string): readonly ListedRun[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return runs;
  return runs.filter((run) => {
    const text = [...COLUMNS.map(({ cell }) => String(cell(run) ?? '')), run.id].join('\n').toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

function ordered(runs: readonly ListedRun[], { column, isReversed }: SortOrder): readonly ListedRun[] {
  if (column === null) return runs;
  const sign = isReversed ? -1 : 1;
  return [...runs].sort((one, other) => sign * compareCells(column.cell(one), column.cell(other)));
}

/** Numbers within texts are compared as numbers: seed 9 comes before seed 10. Missing values come first. */
function compareCells(one: Cell, other: Cell): number {
  if (one === null || other === null) return Number(one !== null) - Number(other !== null);
  if (typeof one === 'number' && typeof other === 'number') return one - other;
  return String(one).localeCompare(String(other), 'en', { numeric: true });
}

function statusText(shown: number, total: number, state: ListState): string {
  if (state.kind === 'lost') return state.words;
  const amount = shown === total ? counted(total, 'run') : `${shown} of ${counted(total, 'run')}`;
  if (state.kind === 'reading') return `${amount} so far: reading the logs`;
  return state.isIncomplete ? `${amount}; some logs could not be read: the terminal shows why` : amount;
}

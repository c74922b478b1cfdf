/**
 * The part of `diff` that shows how the worlds differ: positions, holders, observations, values by part.
 * Differences of an earlier moment are not repeated.
 */
import { lookUp } from '../../base/look-up.js';
import { oneLine } from '../../base/text.js';
import { wrapped } from '../../base/wrap.js';
import type { RunDiff, WorldsAt } from '../../replay/diff/run-diff.js';
import { GROUND } from '../../replay/diff/worlds.js';
import type {
  HeldApart,
  MovedThing,
  ThingPosition,
  ToldApart,
  ValueApart,
} from '../../replay/diff/worlds.js';
import { twoColumns, valueCell } from './columns.js';
import type { TextCell, ColumnWidths } from './columns.js';
import { shownDifference } from './diff-document.js';

/** Maximum entries of each list; `--json` has more. */
const SHOWN = { things: 8, held: 8, told: 4, values: 6 };
/** A line from one section of an agent's observation. */
const SHOWN_LINES = 3;

/** Differences in setup appear here, before any action. */
export function worldsBefore({ worldsBefore: before }: RunDiff, layout: DiffLayout): readonly string[] {
  return section('The worlds before the first step', before, { ...layout, knownEntries: new Set() });
}

export function worldsText(diff: RunDiff, layout: DiffLayout): readonly string[] {
  const { worldsAfter: after, worldsAtEnd: end, worldsMissing: missing } = diff;
  const isAtEnd =
    after !== null && end !== null && after.steps.a === end.steps.a && after.steps.b === end.steps.b;
  const lists = diff.worldsBefore === null ? [] : Object.values(listsOf(diff.worldsBefore)).flat();
  const knownEntries = new Set(lists.map((one) => JSON.stringify(one)));
  return [
    ...(missing === null ? [] : ['', `The worlds were not compared: ${oneLine(missing)}`]),
    ...section('The worlds where they diverge', after, { ...layout, knownEntries }),
    ...(isAtEnd ? [] : section('The worlds at the end', end, { ...layout, knownEntries })),
  ];
}

/** The layout of lines, and the names of agents. */
export interface DiffLayout {
  columns: ColumnWidths;
  names: Readonly<Record<string, string>>;
}

/** `knownEntries`, as JSON, are not repeated. */
function section(
  title: string,
  at: WorldsAt | null,
  { knownEntries, columns, names }: DiffLayout & { knownEntries: ReadonlySet<string> },
): readonly string[] {
  if (at === null) return [];
  const { steps, differ } = at;
  const { things, held, told, values } = listsOf(at);
  const fresh = <T>(all: readonly T[]): readonly T[] =>
    all.filter((one) => !knownEntries.has(JSON.stringify(one)));
  const omitted = [things, held, told, values].reduce(
    (sum, all: readonly object[]) => sum + all.length - fresh(all).length,
    0,
  );
  const when = steps.a === steps.b ? `after step ${steps.a}` : `after step ${steps.a} of a, ${steps.b} of b`;
  const parts = differ.parts.map((part) => oneLine(part)).join(', ');
  const { paint } = columns;
  const nameOf = (agent: string): string => lookUp(names, agent) ?? agent;
  return [
    '',
    `${paint('underline', title)} (${when})`,
    ...wrapped(`in: ${parts}`, columns.all),
    ...limitedRows(fresh(things), SHOWN.things, (one) => movedRow(one, columns), columns),
    ...limitedRows(
      fresh(held),
      SHOWN.held,
      (one) => heldRow({ ...one, agent: nameOf(one.agent) }, columns),
      columns,
    ),
    ...limitedRows(
      fresh(told),
      SHOWN.told,
      (one) => observedRow({ ...one, agent: nameOf(one.agent) }, columns),
      columns,
    ),
    ...limitedRows(byPart(fresh(values)), SHOWN.values, (one) => valueRow(one, columns), columns),
    ...(omitted === 0
      ? []
      : [paint('dim', `${omitted} more differences, which existed before the first step`)]),
  ];
}

function listsOf({ differ: { things, held, told, values } }: WorldsAt) {
  return { things, held, told, values };
}

function limitedRows<T>(
  all: readonly T[],
  max: number,
  rowOf: (one: T) => readonly string[],
  { paint }: ColumnWidths,
): readonly string[] {
  const omitted = all.length - max;
  const rows = all.slice(0, max).flatMap(rowOf);
  return omitted > 0 ? [...rows, paint('dim', `… ${omitted} more; --json shows all`)] : rows;
}

const NONE: TextCell = [{ text: '–', isDim: true }];

function movedRow({ id, name, a, b }: MovedThing, columns: ColumnWidths): readonly string[] {
  const isPlace = a !== null && b !== null && a.x === b.x && a.y === b.y;
  const cell = (at: ThingPosition | null): TextCell => {
    if (at === null) return [{ text: 'not on the map', isDim: true }];
    return [{ text: isPlace ? oneLine(at.look) : `at ${at.x},${at.y}` }];
  };
  const tile = `tile ${a?.x ?? b?.x},${a?.y ?? b?.y}`;
  return twoColumns(id === GROUND ? tile : oneLine(name === '' ? id : name), [cell(a), cell(b)], columns);
}

function heldRow({ agent, a, b }: HeldApart, columns: ColumnWidths): readonly string[] {
  const cell = (names: readonly string[]): TextCell =>
    names.length === 0 ? [{ text: 'nothing', isDim: true }] : [{ text: oneLine(names.join(', ')) }];
  return twoColumns(oneLine(`${agent} holds`), [cell(a), cell(b)], columns);
}

function observedRow({ agent, section: id, a, b }: ToldApart, columns: ColumnWidths): readonly string[] {
  const cell = (lines: readonly string[]): TextCell => {
    if (lines.length === 0) return NONE;
    const shown = lines.slice(0, SHOWN_LINES).map((line) => ({ text: oneLine(line, 300) }));
    const omitted = lines.length - shown.length;
    return omitted > 0 ? [...shown, { text: `… ${omitted} more`, isDim: true }] : shown;
  };
  return twoColumns(oneLine(`${agent}: ${id}`), [cell(a), cell(b)], columns);
}

interface PartValue extends ValueApart {
  /** Whether it is the first of its part. */
  isFirst: boolean;
}

/** Parts in the order of their first values. */
function byPart(values: readonly ValueApart[]): readonly PartValue[] {
  const parts = [...new Set(values.map(({ part }) => part))];
  return parts.flatMap((part) =>
    values.filter((one) => one.part === part).map((one, i) => ({ ...one, isFirst: i === 0 })),
  );
}

function valueRow({ isFirst, ...value }: PartValue, columns: ColumnWidths): readonly string[] {
  const { path, a, b } = shownDifference(value);
  const rows = twoColumns(`  ${oneLine(path)}`, [valueCell(a), valueCell(b)], columns);
  return isFirst ? [oneLine(`${value.part} (state)`), ...rows] : rows;
}

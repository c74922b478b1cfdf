/** The part of `diff` that tells how the worlds differ: who stands where, what agents would be told, values. In: a comparison; out: lines. */
import { oneLine } from '../base/text.js';
import type { RunDiff, WorldsAt } from '../replay/diff/run-diff.js';
import type { Moved, Standing, ToldApart, ValueApart } from '../replay/diff/worlds.js';
import { row, valueCell } from './columns.js';
import type { Cell, Columns } from './columns.js';
import { shownDifference } from './diff-document.js';

/** Of each list; `--json` has more. */
const SHOWN = 8;
/** Of one section of what an agent is told. */
const SHOWN_LINES = 3;

export function worldsText(found: RunDiff, columns: Columns): readonly string[] {
  const { worldsBefore, worldsAfter, worldsAtEnd, worldsMissing, isSame } = found;
  if (isSame) return [];
  const missing =
    worldsMissing === null ? [] : ['', `The worlds are not compared: ${oneLine(worldsMissing)}`];
  const isEnd = worldsAfter !== null && worldsAtEnd !== null && isSameMoment(worldsAfter, worldsAtEnd);
  return [
    ...missing,
    ...section('The worlds before the first step', worldsBefore, columns),
    ...section('The worlds where they part', worldsAfter, columns),
    ...(isEnd ? [] : section('The worlds at the end', worldsAtEnd, columns)),
  ];
}

function isSameMoment(one: WorldsAt, two: WorldsAt): boolean {
  return one.steps.a === two.steps.a && one.steps.b === two.steps.b;
}

function section(title: string, at: WorldsAt | null, columns: Columns): readonly string[] {
  if (at === null) return [];
  const { steps, differ } = at;
  const when = steps.a === steps.b ? `after step ${steps.a}` : `after step ${steps.a} of a, ${steps.b} of b`;
  const lists = [
    ...listed(differ.things, (one) => movedRow(one, columns)),
    ...listed(differ.told, (one) => toldRow(one, columns)),
    ...listed(differ.values, (one) => valueRow(one, columns)),
  ];
  return [
    '',
    `${columns.paint('underline', title)} (${when}): ${differ.parts.map((part) => oneLine(part)).join(', ')}`,
    ...lists,
  ];
}

function listed<T>(all: readonly T[], rowOf: (one: T) => readonly string[]): readonly string[] {
  const left = all.length - SHOWN;
  const rows = all.slice(0, SHOWN).flatMap(rowOf);
  return left > 0 ? [...rows, `… ${left} more; --json has them`] : rows;
}

function movedRow({ id, name, a, b }: Moved, columns: Columns): readonly string[] {
  const isPlace = a !== null && b !== null && a.x === b.x && a.y === b.y;
  const cell = (at: Standing | null): Cell => [
    at === null
      ? { text: 'not on the map', isDim: true }
      : { text: oneLine(isPlace ? at.look : `at ${at.x},${at.y}`) },
  ];
  const label = id === 'ground' ? `tile ${a?.x ?? b?.x},${a?.y ?? b?.y}` : oneLine(name === '' ? id : name);
  return row(label, [cell(a), cell(b)], columns);
}

function toldRow({ agent, section: id, a, b }: ToldApart, columns: Columns): readonly string[] {
  const cell = (lines: readonly string[]): Cell => {
    if (lines.length === 0) return [{ text: '–', isDim: true }];
    const shown = lines.slice(0, SHOWN_LINES).map((line) => ({ text: oneLine(line, 300) }));
    const left = lines.length - shown.length;
    return left > 0 ? [...shown, { text: `… ${left} more`, isDim: true }] : shown;
  };
  return row(oneLine(`${agent}: ${id}`), [cell(a), cell(b)], columns);
}

function valueRow(value: ValueApart, columns: Columns): readonly string[] {
  const { path, a, b } = shownDifference(value);
  return row(oneLine(`${value.part} ${path}`), [valueCell(a), valueCell(b)], columns);
}

/** Moves of the cursor, as codes that may stand within text on a sheet. In: places that the program counted itself, from 1. */
import { ownCode } from './sheet.js';

/** To the beginning of the line, which is wiped. */
export const CLEAR_LINE = ownCode('\r\u001b[2K');

/** So many lines up; from there on everything is wiped. */
export function wipedLines(count: number): string {
  return ownCode(`\u001b[${count}A\u001b[J`);
}

/** To a column of the line, in no colour. */
export function atColumn(column: number): string {
  return ownCode(`\u001b[0m\u001b[${column}G`);
}

/** To a place of the screen. */
export function atPlace(row: number, column: number): string {
  return ownCode(`\u001b[${row};${column}H`);
}

/** Wipes the line that the cursor is on. */
export const WIPE_LINE = ownCode('\u001b[2K');

/** Wipes the screen from the cursor on. */
export const WIPE_BELOW = ownCode('\u001b[J');

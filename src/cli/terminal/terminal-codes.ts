/** Cursor moves, as codes within text for a terminal. Positions begin at 1. */
import { ownCode } from './text-output.js';

/** Moves to the beginning of the line and erases it. */
export const CLEAR_LINE = ownCode('\r\u001b[2K');

/** Moves up by this many lines and erases everything from there on. */
export function wipedLines(count: number): string {
  return ownCode(`\u001b[${count}A\u001b[J`);
}

/** Moves to a column of the line and resets the colour. */
export function atColumn(column: number): string {
  return ownCode(`\u001b[0m\u001b[${column}G`);
}

/** Moves to a position on the screen. */
export function atPlace(row: number, column: number): string {
  return ownCode(`\u001b[${row};${column}H`);
}

/** Erases the current line. */
export const WIPE_LINE = ownCode('\u001b[2K');

/** Erases the screen from the cursor on. */
export const WIPE_BELOW = ownCode('\u001b[J');

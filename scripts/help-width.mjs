// The width of a text of `--help`, for yargs in the bundle (`program.mjs`). It replaces `string-width`, whose tables of emoji and scripts take 50 ms to load, a third of `--version`:
// texts of the help are ours, and each of their characters is one column wide.
import { stripVTControlCharacters } from 'node:util';

/** Columns. @param {string} text */
// oxlint-disable-next-line import/no-default-export -- as `string-width` exports it
export default function helpWidth(text) {
  return stripVTControlCharacters(text).length;
}

/**
 * What a terminal may be sent, written down apart from the source: printable text in lines, and where a person watches the few codes that the
 * program has. In: all that a command printed; out: the first thing that is neither. Attacks never use the program's own colours.
 */
import type { Below } from './chance.js';
import { oneOf } from './chance.js';
import { hostileText, unseenIn } from './hostile-text.js';

/** Looks of words, half blocks, the cursor's moves, the screen of `replay`. */
const OWN_CODES = [
  /\u001b\[(?:0|1|2|3|4|7|22|23|24|27|31|32|33|34|35|36|39)m/g,
  /\u001b\[38;(?:2;\d+;\d+;\d+|5;\d+);48;(?:2;\d+;\d+;\d+|5;\d+)m/g,
  /\r?\u001b\[2K/g,
  /\u001b\[\d+A\u001b\[J/g,
  /\u001b\[\d+(?:;\d+)?[GH]/g,
  /\u001b\[J/g,
  /\u001b\[\?(?:1049|25|7|2026)[hl]/g,
  /\u001b_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\u001b\\\u001b\[16t\u001b\[c/g,
  /\u001b_Ga=d,d=I,i=7,q=2\u001b\\/g,
];

/** What can act on a terminal in what was printed; null where nothing can. */
export function strayIn(printed: Uint8Array, isTerminal: boolean): string | null {
  const text = decoded(printed);
  if (text === null) return 'bytes that are no UTF-8';
  const lines = (isTerminal ? withoutOwnCodes(text) : text).replaceAll('\r\n', '\n');
  const found = unseenIn(lines, true);
  if (found === null) return null;
  const at = lines.search(/[^\n\P{C}]|[\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}]/u);
  return `${found} in ${JSON.stringify(lines.slice(Math.max(0, at - 60), at + 60))}`;
}

function decoded(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

function withoutOwnCodes(text: string): string {
  return OWN_CODES.reduce((rest, code) => rest.replace(code, ''), text);
}

/** Each acts on some terminal; none is among the program's own codes. */
const ATTACKS = [
  '\u001b]0;owned\u0007',
  '\u001b]52;c;b3duZWQ=\u0007',
  '\u001b]8;;http://evil.example/\u001b\\click\u001b]8;;\u001b\\',
  '\u001b]1337;File=inline=1:AAAA\u0007',
  '\u001b_Ga=T,f=100;AAAA\u001b\\',
  '\u001bP0;1;0q#0;2;0;0;0~\u001b\\',
  '\u001b[41;5m',
  '\u001b[8m',
  '\u001b[3J',
  '\u001b[1;1r',
  '\u001b[6n',
  '\u001b[?1000h',
  '\u001b[5i',
  '\u001bc',
  '\u001b',
  '\u009b41m',
  '\u009d0;owned\u009c',
  '\u0090q\u009c',
  '\u0085',
  '\r',
  '\rforged',
  '\b\b\b\b',
  '\u007f',
  '\u0000',
  '\u0007',
  '\u000b\u000c',
  '\u000e',
  '\u202e',
  '\u2066\u2069',
  '\u200b\u200d\ufeff',
  '\u2028',
  '\u2029',
  '\u{e0041}\u{e007f}',
  '\u00ad',
  '\ud83d',
  '\udd11',
  '\t',
  '\n',
  '\r\n',
];

/** A text with at least one attack, now and then a very long one. */
export function attackText(below: Below): string {
  const pieces = Array.from({ length: 1 + below(4) }, () => oneOf(below, ATTACKS));
  const words = below(3) === 0 ? hostileText(below) : oneOf(below, ['', 'a', 'ann', 'the key', '鍵']);
  const text = `${words}${pieces.join(below(2) === 0 ? 'x' : '')}`;
  return below(30) === 0 ? text.repeat(2000) : text;
}

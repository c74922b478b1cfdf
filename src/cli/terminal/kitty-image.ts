/** PNGs in kitty's graphics protocol, which Ghostty, Konsole and WezTerm understand too. */

/** In characters. */
export interface CharacterBox {
  columns: number;
  rows: number;
}

/** One number for all pictures: a new picture replaces the previous one. */
const IMAGE = 7;
const CHUNK = 4096;

/**
 * Shown at the cursor, which does not move. The terminal is told not to answer, so that no answer is mistaken
 * for a key.
 */
export function kittyImage(png: Uint8Array, { columns, rows }: CharacterBox): string {
  const text = Buffer.from(png).toString('base64');
  const chunks: string[] = [];
  for (let at = 0; at < text.length; at += CHUNK) {
    const more = at + CHUNK < text.length ? 1 : 0;
    const control = at === 0 ? `a=T,f=100,i=${IMAGE},p=1,q=2,C=1,c=${columns},r=${rows},` : 'q=2,';
    chunks.push(`\u001b_G${control}m=${more};${text.slice(at, at + CHUNK)}\u001b\\`);
  }
  return chunks.join('');
}

/** Removes the picture from the screen and from the terminal's memory. */
export const KITTY_CLEAR = `\u001b_Ga=d,d=I,i=${IMAGE},q=2\u001b\\`;

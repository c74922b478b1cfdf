// @ts-check
/**
 * A player of scenarios/one-glance.yaml that a fake server has in place of a model. It knows the bottles from the pixels of the pictures in its request and
 * remembers nothing else, so it knows the right one only if the request still has the picture with the sample, or if it may ask for that picture with RECALL.
 * In: a chat request; out: its reply, a function of that request alone.
 */
import sharp from 'sharp';
import { messagesOf, partsOf, textOf, urlOf } from './messages.mjs';
import { drawnFrom } from './player.mjs';

/**
 * @typedef {import('./server.mjs').ChatRequest} ChatRequest
 * @typedef {readonly [number, number, number]} Colour
 */

/** The glass of every bottle, and what is in it: these colours are on no other tile together. */
const GLASS = /** @type {Colour} */ ([181, 202, 219]);
const CONTENTS = /** @type {const} */ ({
  red: [244, 111, 90],
  green: [116, 191, 76],
  blue: [37, 118, 166],
  violet: [110, 82, 222],
  yellow: [247, 198, 62],
});
const COLOURS = /** @type {(keyof typeof CONTENTS)[]} */ (Object.keys(CONTENTS));
/** As the scenario's preset draws them. */
const TILE_PIXELS = 32;
/** So much of a tile is glass, and so much contents. */
const SHARE = 1 / 32;

/** @param {ChatRequest} request @returns {Promise<string>} */
export async function looker({ body, text }) {
  const messages = messagesOf(body);
  const pictures = messages.flatMap((message) => partsOf(message).filter(({ type }) => type === 'image_url'));
  const seen = await Promise.all(pictures.map((picture) => bottlesIn(pngOf(picture))));
  const said = messages.filter(({ role }) => role === 'assistant').map(textOf);
  const [here = [], ...past] = seen.toReversed();
  const chosen = said.flatMap((words) => /GO TO (\w+) bottle/.exec(words)?.[1] ?? []).at(-1);
  if (chosen !== undefined) return `ACTION: TAKE ${chosen} bottle`;
  const left = said.findIndex((words) => words.includes('GO east'));
  // Where there is one bottle, it is the sample, and where there are several, it is the store.
  if (here.length < 2) return here.length === 0 && left === -1 ? 'ACTION: WAIT' : 'ACTION: GO east';
  const sample = past.find((bottles) => bottles.length === 1)?.[0];
  if (sample !== undefined) return `ACTION: GO TO ${sample} bottle`;
  const hasLookedBack = past.length > 0 && text.includes('What you saw in turn');
  if (text.includes('RECALL') && !hasLookedBack) return `ACTION: RECALL ${turnOf(messages, left)}`;
  return `ACTION: GO TO ${COLOURS[Math.floor(drawnFrom(body)[1] * COLOURS.length)]} bottle`;
}

/** The turn of the answer with this number. @param {import('./messages.mjs').ChatMessage[]} messages @param {number} answer */
function turnOf(messages, answer) {
  const turns = messages.filter(({ role }) => role === 'user').map(textOf);
  return /turn (\d+)/i.exec(turns[answer] ?? '')?.[1] ?? '1';
}

/** @param {import('./fields.mjs').Fields} picture */
function pngOf(picture) {
  return Buffer.from(urlOf(picture).replace(/^data:[^,]*,/, ''), 'base64');
}

/** The colours of the bottles in a picture. @param {Buffer} png */
export async function bottlesIn(png) {
  const { data, info } = await sharp(png).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  /** How often each colour is on each tile. @type {Map<string, number>} */
  const counts = new Map();
  for (let at = 0; at < data.length; at += info.channels) {
    const [x, y] = [(at / info.channels) % info.width, Math.floor(at / info.channels / info.width)];
    const tile = `${Math.floor(x / TILE_PIXELS)},${Math.floor(y / TILE_PIXELS)}`;
    const key = `${tile}:${data.subarray(at, at + 3).join()}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const enough = SHARE * TILE_PIXELS ** 2;
  const tiles = [...counts.keys()].flatMap((key) => {
    const [tile = '', colour] = key.split(':');
    return colour === GLASS.join() && (counts.get(key) ?? 0) >= enough ? [tile] : [];
  });
  return COLOURS.filter((name) =>
    tiles.some((tile) => (counts.get(`${tile}:${CONTENTS[name].join()}`) ?? 0) >= enough),
  );
}

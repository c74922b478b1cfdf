// @ts-check
/**
 * Stop strings as servers treat them: the text ends before the first one. Where what a model thinks aloud counts as text too, a stop string inside
 * its reasoning leaves no answer at all.
 */

/**
 * @typedef {import('./server.mjs').Message} Message
 */

/** @param {Message} message @param {unknown} stop  of the request @param {boolean} inReasoning @returns {Message} */
export function stopped(message, stop, inReasoning) {
  const words = (Array.isArray(stop) ? stop : [stop]).filter((one) => typeof one === 'string' && one !== '');
  const { reasoning, content } = message;
  const thought = inReasoning ? cutBefore(reasoning ?? '', words) : null;
  if (thought !== null) return { content: null, reasoning: thought, finishReason: 'stop' };
  const said = cutBefore(content ?? '', words);
  return said === null ? message : { ...message, content: said, finishReason: 'stop' };
}

/** Null where none of the words is there. @param {string} text @param {readonly string[]} words */
function cutBefore(text, words) {
  const places = words.map((word) => text.indexOf(word)).filter((at) => at >= 0);
  return places.length === 0 ? null : text.slice(0, Math.min(...places));
}

// @ts-check
/** What a server tells of an exchange's tokens: nothing, totals, or where they came from as well; the details under the names of its kind (`dialects.mjs`). */
import { textTokens } from './tokens.mjs';

/**
 * @typedef {(typeof USAGES)[number]} UsageTold
 * @typedef {import('./server.mjs').Message} Message
 */

export const USAGES = /** @type {const} */ (['none', 'plain', 'details']);

/** @param {Message} message */
export function answerTokens({ content, reasoning, toolCalls }) {
  const called = toolCalls === undefined ? '' : JSON.stringify(toolCalls);
  return textTokens(`${reasoning ?? ''}${content ?? ''}${called}`).length;
}

/**
 * @param {UsageTold | undefined} told  undefined: as the kind does by itself; one that knows no details tells none
 * @param {Pick<import('./dialects.mjs').Dialect, 'usageDetails'>} dialect
 * @param {import('./server.mjs').AskedPrompt} asked
 * @param {Message} message
 */
export function usageOf(told, { usageDetails }, { tokens, imageTokens, cachedTokens }, message) {
  if (told === 'none') return undefined;
  const answer = answerTokens(message);
  const plain = { prompt_tokens: tokens, completion_tokens: answer, total_tokens: tokens + answer };
  if (told === 'plain' || usageDetails === null) return plain;
  const thought = message.reasoning === undefined ? null : textTokens(message.reasoning).length;
  return {
    ...plain,
    prompt_tokens_details: usageDetails(cachedTokens, imageTokens),
    ...(thought === null ? {} : { completion_tokens_details: { reasoning_tokens: thought } }),
  };
}

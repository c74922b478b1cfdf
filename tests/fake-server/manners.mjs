// @ts-check
/**
 * What a kind of server makes of a good reply before it sends it: it obeys the fields that it knows, and does what it does wrong. In: the request
 * and the reply; out: the reply as it comes. The model's own words are a test's.
 */
import { constraintIn } from './constraints.mjs';
import { DIALECTS } from './dialects.mjs';
import { stopped } from './stops.mjs';
import { textOfTokens, textTokens } from './tokens.mjs';

/**
 * @typedef {import('./fields.mjs').Fields} Fields
 * @typedef {import('./server.mjs').Message} Message
 * @typedef {import('./dialects.mjs').Kind} Kind
 */

/** @param {Kind} kind @param {Fields} body @param {Message} message @param {{ isOverlong: boolean, bounds: boolean }} how @returns {Message} */
export function asSent(kind, body, message, { isOverlong, bounds }) {
  const dialect = DIALECTS[kind];
  if (isOverlong && dialect.answersEmpty) return { content: '', finishReason: 'stop' };
  const { reasoning: _, ...plain } = message;
  const thought = dialect.silences.some((isOff) => isOff(body)) ? plain : message;
  const ended = stopped(thought, body['stop'], dialect.stopsInReasoning);
  const told = dialect.answersInReasoning ? answeredInReasoning(kind, body, ended) : ended;
  return bounds ? bounded(dialect.limits, body, told) : told;
}

/** @param {Kind} kind @param {Fields} body @param {Message} message @returns {Message} */
function answeredInReasoning(kind, body, message) {
  const { content, reasoning } = message;
  const isHeld = constraintIn(kind, body)?.language === 'schema';
  return isHeld && reasoning !== undefined ? { ...message, content: '', reasoning: content ?? '' } : message;
}

/** @param {readonly string[]} limits @param {Fields} body @param {Message} message @returns {Message} */
function bounded(limits, body, message) {
  const [most] = limits.map((field) => body[field]).filter((told) => typeof told === 'number');
  const tokens = textTokens(message.content ?? '');
  if (most === undefined || tokens.length <= most) return message;
  return { ...message, content: textOfTokens(tokens.slice(0, most)), finishReason: 'length' };
}

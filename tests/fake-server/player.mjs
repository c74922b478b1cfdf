// @ts-check
/**
 * Players that a fake server has in place of a model: each follows a way to win, as `orchestrate check --plan --json` prints it, as often as its skill
 * says, and else does something of no use. In: a chat request; out: its reply, a function of that request alone: whoever asks the same, in whatever order
 * and how often, is answered the same.
 */
import { createHash } from 'node:crypto';
import { messagesOf, textOf } from './messages.mjs';

/**
 * @typedef {import('./server.mjs').ChatRequest} ChatRequest
 * @typedef {Readonly<Record<string, readonly string[]>>} Plans  commands by agent, in order
 */

/** What a player does that has lost the thread. */
const SLIPS = [
  'I would rather look around a little first.',
  'ACTION: WAIT',
  'ACTION: GO NORTH',
  'ACTION: GO SOUTH',
  'ACTION: TAKE the moon',
  'ACTION: DONE',
];

/** From what `orchestrate check SCENARIO… --plan --json` printed. @param {string} text @returns {Plans} */
export function plansIn(text) {
  /** @typedef {{ win?: { moves?: readonly { agent: string, command: string }[] } | null }} Checked */
  const checked = /** @type {Checked | readonly Checked[]} */ (JSON.parse(text));
  const moves = [checked].flat().flatMap(({ win }) => win?.moves ?? []);
  return Object.fromEntries(
    moves.map(({ agent }) => [
      agent,
      moves.filter((move) => move.agent === agent).map(({ command }) => command),
    ]),
  );
}

/** @param {Plans} plans @param {number} skill  the share of its replies that follow the plan, 0 to 1 */
export function player(plans, skill) {
  /** @param {ChatRequest} request @returns {string} */
  return ({ body, system }) => {
    const agent = Object.keys(plans).find((id) => system.includes(`You are the ${id}`)) ?? '';
    const [chance, choice] = drawn([body.model, agent, messagesOf(body).length, body.seed]);
    if (chance >= skill) return SLIPS[Math.floor(choice * SLIPS.length)] ?? '';
    const own = messagesOf(body).filter(({ role }) => role === 'assistant');
    return `I go on as I planned.\nACTION: ${nextOf(plans[agent] ?? [], own.map(textOf))}`;
  };
}

/** The step of the plan after the last that was said, WAIT after its end. The past may be cut, and moves may come twice: what was said before them decides. @param {readonly string[]} plan @param {readonly string[]} said */
export function nextOf(plan, said) {
  const done = said.flatMap((text) => {
    const command = /^ACTION: (.*)$/m.exec(text)?.[1] ?? '';
    return plan.includes(command) ? [command] : [];
  });
  const alike = plan.map((_, last) => {
    let length = 0;
    while (length <= last && plan[last - length] === done.at(-1 - length)) length += 1;
    return length;
  });
  const longest = Math.max(0, ...alike);
  return plan[longest === 0 ? 0 : alike.indexOf(longest) + 1] ?? 'WAIT';
}

/** Two numbers from 0 to 1 that follow from the messages, the model's name and the sampling seed. @param {import('./fields.mjs').Fields} body @returns {[number, number]} */
export function drawnFrom({ model, messages, seed }) {
  return drawn([model, messages, seed]);
}

/** A player's luck follows from who plays, how far it is and the sampling seed, never from the wording of a prompt. @param {unknown} from @returns {[number, number]} */
function drawn(from) {
  const hash = createHash('sha256').update(JSON.stringify(from)).digest();
  return [hash.readUInt32BE(0) / 2 ** 32, hash.readUInt32BE(4) / 2 ** 32];
}

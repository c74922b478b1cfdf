/**
 * Promise 13: what a server has read of an agent's past it need not read again. A shipped scenario of three agents is played for 50 turns over
 * HTTP, with the memory that a scenario has by default, against a server with a true prefix cache; its own record of blocks is what is counted.
 *
 * Which tokens could be hits is told of the messages alone, in whatever order they are sent: of the system text the lines, and of the past the
 * messages, that stood in an earlier prompt of the server. The turn's own message, which is the last one, is new: its text is this turn's, its image this
 * moment's. So is the newest reply of the past: the server wrote it, but was never asked with it. An ideal order sends all that could be a hit
 * first, so that a prompt's hits are as many full blocks; whatever order, trimming or stray byte keeps from being hit counts as lost.
 * What a prompt is spared beyond that (a question that is put again) makes up for nothing.
 */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { at } from '../../src/base/assert.js';
import { BLOCK_TOKENS } from '../fake-server/prefix-cache.mjs';
import { startFakeServer } from '../fake-server/server.mjs';
import type { ChatRequest, FakeServer } from '../fake-server/server.mjs';
import { promptOf, textTokens } from '../fake-server/tokens.mjs';
import { orchestrate } from '../support/captured-io.js';
import { messagesIn } from '../support/chat-script.js';
import type { ChatMessage } from '../support/chat-script.js';
import { ROOT } from '../support/children.js';
import { temporaryFolder } from '../support/folder.js';
import { chance, oneOf } from './chance.js';
import { grouped, reached, sizeOf } from '../support/sizes.js';

/** With random actions the crypt lasts longer than that. */
const TURNS = sizeOf('prefixTurns');
/** In the long run one prompt in thirteen is cold but for its rules, since it is the first after a block was dropped: that alone costs nearly 4 %. */
const LEAST_SHARE = TURNS <= 50 ? 0.97 : 0.95;

const AGENTS = 3;

const cwd = temporaryFolder();
let server: FakeServer;
afterAll(() => server.close());

/** Any of the actions that the text offers, so that the agents walk about, talk, try what can't be done and look at things; nobody leaves. */
function wanderer(): (request: ChatRequest) => string {
  const below = chance('prefix cache');
  return ({ text }) => {
    const offers = text.split('You may now:\n')[1]?.split('\n') ?? [];
    const offer = oneOf(
      below,
      offers.filter((line) => /^[A-Z]/.test(line) && line !== 'DONE'),
    );
    const command = at(offer.split(' or '), 0)
      .replace('"<text>"', '"I have seen nothing of the crown yet. Where did you look?"')
      .replaceAll(/<([^>]*)>/g, (_, choices: string) => oneOf(below, choices.split(' | ')));
    return `I have not tried this yet.\nACTION: ${command}`;
  };
}

/** What the message costs wherever it stands, with all that a template adds. */
function cost({ role, texts }: ChatMessage): number {
  const frame = promptOf([], undefined, 'gemma-3').tokens.length;
  return promptOf([{ role, content: texts.join('') }], undefined, 'gemma-3').tokens.length - frame;
}

interface Count {
  could: number;
  hits: number;
}

/** Of each prompt in the order in which the server took them. */
function counts({ prompts }: FakeServer): readonly Count[] {
  const lines = new Set<string>();
  const told = new Set<string>();
  return prompts.map(({ body, cachedTokens }) => {
    const messages = messagesIn(body);
    const [rules, past] = [messages.slice(0, 1), messages.slice(1, -1)];
    const linesNow = rules.flatMap(({ texts }) => texts.join('').split(/(?<=\n)/));
    const keyOf = ({ role, texts }: ChatMessage): string => JSON.stringify([role, ...texts]);
    let could = 0;
    for (const line of linesNow) if (lines.has(line)) could += textTokens(line).length;
    for (const message of past) if (told.has(keyOf(message))) could += cost(message);
    for (const line of linesNow) lines.add(line);
    for (const message of messages.slice(1)) told.add(keyOf(message));
    const blocks = Math.floor(could / BLOCK_TOKENS) * BLOCK_TOKENS;
    return { could: blocks, hits: Math.min(blocks, cachedTokens) };
  });
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}

describe('a prefix cache', () => {
  beforeAll(async () => {
    // Pictures may stand anywhere: what that costs is counted here.
    server = await startFakeServer({ reply: wanderer(), images: 'any' });
    const words = ['--base-url', server.baseUrl, '--max-turns', String(TURNS), '--seed', '1'];
    const { out } = await orchestrate(['run', join(ROOT, 'scenarios', 'crypt.yaml'), ...words, '--quiet'], {
      cwd,
    });
    expect(out).toContain(`${TURNS} turns`);
  });

  it('spares 97 % of all tokens that it could spare', () => {
    const all = counts(server);
    const [could, hits] = [sum(all.map((one) => one.could)), sum(all.map((one) => one.hits))];
    const tokens = sum(server.prompts.map((prompt) => prompt.tokens));
    expect(could).toBeGreaterThan(tokens / 2);
    expect(hits / could).toBeGreaterThan(LEAST_SHARE);
    const share = ((100 * hits) / could).toFixed(1);
    reached(
      '13 prefix cache',
      `${grouped(hits)} of ${grouped(could)} tokens that could be hits were, ${share} %, in ${all.length} prompts of ${grouped(tokens)} tokens`,
    );
  });

  it('misses whole turns only where the history drops a block of them', () => {
    const lost = counts(server).map(({ could, hits }) => could - hits);
    // A past has 24 turns at the most: after the 25th twelve are left, and so again every thirteen turns.
    const drops = 1 + Math.floor((TURNS - 26) / 13);
    expect(lost.filter((tokens) => tokens > 4 * BLOCK_TOKENS)).toHaveLength(AGENTS * drops);
  });
});

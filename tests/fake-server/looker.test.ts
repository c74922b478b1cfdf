/**
 * What a memory of pictures is worth: a player that knows only the pixels of its request plays One Glance, with and without past pictures.
 * @module-tag long
 */
import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { orchestrate } from '../support/captured-io.js';
import { temporaryFolder } from '../support/folder.js';
import { looker } from './looker.mjs';
import { messagesOf, partsOf, textOf, urlOf } from './messages.mjs';
import { startFakeServer } from './server.mjs';
import type { FakeServer } from './server.mjs';

const SEEDS = 6;
const cwd = temporaryFolder();
let server: FakeServer;
let cells: readonly {
  switches: Readonly<Record<string, string>>;
  succeeded: number;
  prompt_tokens: number;
}[];

const own = (...settings: readonly string[]) =>
  ['model=main', ...settings].map((setting) => `agents.apprentice.${setting}`);

const ARMS: Readonly<Record<string, readonly string[]>> = {
  text: own(),
  few: own('memory.pictures=2'),
  pictures: own('memory.pictures=4'),
  recalls: own('memory.recalls=1'),
  blank: [...own('memory.recalls=1', 'memory.pictures=4'), 'render.blank=true'],
};

beforeAll(async () => {
  copyFileSync('scenarios/one-glance.yaml', join(cwd, 'one-glance.yaml'));
  server = await startFakeServer({ images: 'any', family: 'qwen3-vl', usage: 'details', reply: looker });
  const arms = Object.entries(ARMS).map(([name, set]) => `    ${name}: ${JSON.stringify(set)}`);
  const head = `scenarios: [one-glance.yaml]\nseeds: ${SEEDS}\nmax_turns: 12\n`;
  writeFileSync(join(cwd, 'memory.yaml'), `${head}switches:\n  memory:\n${arms.join('\n')}\n`);
  const env = { VLLM_URL: server.baseUrl };
  cells = JSON.parse(
    (await orchestrate(['batch', 'memory.yaml', '--quiet', '--json'], { cwd, env })).out,
  ).cells;
});

afterAll(() => server.close());

const cellOf = (arm: string) => cells.find(({ switches }) => switches['memory'] === arm);
/** The last user message of each request, in order. */
const asked = () =>
  server.chats.map(({ body }) => messagesOf(body ?? {}).findLast(({ role }) => role === 'user'));

describe('One Glance', () => {
  it('is won on every seed with the past picture in the request, asked for or not, and by luck without', () => {
    expect(cellOf('recalls')?.succeeded).toBe(SEEDS);
    expect(cellOf('pictures')?.succeeded).toBe(SEEDS);
    expect(cellOf('text')?.succeeded).toBeLessThan(SEEDS);
    expect(cellOf('few')?.succeeded).toBeLessThan(SEEDS);
    // The player has its knowledge from the pixels: grey ones tell it nothing.
    expect(cellOf('blank')?.succeeded).toBe(0);
  });

  it('costs more tokens the more pictures are sent', () => {
    const tokens = ['text', 'few', 'pictures'].map((arm) => cellOf(arm)?.prompt_tokens ?? 0);
    expect(tokens).toEqual(tokens.toSorted((one, other) => one - other));
    expect(new Set(tokens).size).toBe(3);
  });

  it('tells the colour in no text', () => {
    const told = asked().map((message) => textOf(message));
    expect(told.length).toBeGreaterThan(100);
    expect(told.filter((text) => /\b(red|green|blue|violet|yellow)\b/i.test(text))).toEqual([]);
  });

  it('sends each picture behind the line that says which it is', () => {
    const recalled = asked().filter((message) => textOf(message).includes('What you saw in turn'));
    expect(recalled.length).toBeGreaterThanOrEqual(SEEDS);
    for (const message of recalled) {
      const [text, past, now, present, ...rest] = partsOf(message);
      expect(String(text?.['text'])).toMatch(/\n\nWhat you saw in turn \d+:$/);
      expect([past?.['type'], present?.['type'], rest]).toEqual(['image_url', 'image_url', []]);
      expect(now).toEqual({ type: 'text', text: 'What you see now:' });
      expect(urlOf(past)).not.toBe(urlOf(present));
    }
  });
});

/**
 * A person at a world that does not wait: what is clicked after the end of a turn counts for the next one.
 * @module-tag long
 */
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { LogReader } from '../../src/log/reader.js';
import { ROOT } from '../support/children.js';
import type { Served } from '../serve/served.js';
import { inChromium } from '../view/browser.js';
import { withSeats } from './with-seats.js';

/** Title, order of turns, and whether an intent for the tick `sent` is late by now: in the tick `now`, while those in `asked` decide. */
type Lateness = readonly [
  title: string,
  order: string,
  isLate: (sent: number, now: number, asked: readonly string[]) => boolean,
];

async function untilLate({ run }: Served, sent: number, isLate: Lateness[2]): Promise<void> {
  const reading = new AbortController();
  for await (const { item } of run.ticks(reading.signal)) if (isLate(sent, item.tick, item.asked)) break;
  reading.abort();
}

const closing: (() => unknown)[] = [];
afterAll(async () => {
  for (const close of closing) await close();
});

inChromium('a seat in a world with a clock', (open) => {
  it.each([
    ['in a later turn', 'simultaneous', (sent, now) => now > sent],
    ['while others act in its turn', 'sequential', (sent, now, asked) => now > sent || asked[0] !== 'monk'],
  ] satisfies readonly Lateness[])(
    'sends a command that came too late, %s, again, once',
    async (_, order, isLate) => {
      const pace = { kind: 'clock', periodMs: 1500, windowMs: 300 } as const;
      const world = await withSeats(join(ROOT, 'scenarios/two-keepers.yaml'), {
        pace,
        set: [`turns={max: 40, order: ${order}}`],
      });
      closing.push(() => world.close());
      // The other entity is held too, so that its time to act is part of each turn.
      const { status } = await fetch(`${world.address}/orchestrate.world.v1.LeaseService/AcquireLease`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ entity: 'miner', controller: 'other', ttl: '60s' }),
      });
      expect(status).toBe(200);
      const { page } = await open(`${world.address}/seat`);
      const sent: string[] = [];
      await page.route('**/SubmitIntent', async (route) => {
        const body = route.request().postData() ?? '';
        sent.push(body);
        // The first one gets stuck on its way until its time is over.
        if (sent.length === 1) await untilLate(world, Number(JSON.parse(body).tick), isLate);
        await route.continue();
      });
      await page.getByRole('button', { name: 'Take monk' }).click();
      await page.getByLabel('Words to say').fill('Hello?');
      await page.keyboard.press('Enter');
      await expect.poll(() => sent.length).toBe(2);
      await expect.poll(() => page.locator('.journal').textContent()).toContain('You: SPEAK Hello?');
      expect(sent).toHaveLength(2);
      await page.close();
      await world.world.close();
      const reader = new LogReader(world.log);
      const [{ runId } = { runId: '' }] = reader.runs();
      const spoken = [...reader.steps(runId)].filter(({ acts }) => acts.at(-1)?.intent?.action === 'SPEAK');
      expect(spoken.map(({ agent }) => agent)).toEqual(['monk']);
      reader.close();
    },
  );
});

/** A person at a world that does not wait: what is clicked after the end of a turn counts for the next one. */
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { LogReader } from '../../src/log/reader.js';
import { ROOT } from '../support/children.js';
import { inChromium } from '../view/browser.js';
import { withSeats } from './with-seats.js';

const closing: (() => unknown)[] = [];
afterAll(async () => {
  for (const close of closing) await close();
});

inChromium('a seat in a world with a clock', (open) => {
  it.each([
    ['in a later turn', 'simultaneous', 3500],
    ['while others act in its turn', 'sequential', 1200],
  ])('sends a command that came too late, %s, again, once', async (_, order, stuckMs) => {
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
      sent.push(route.request().postData() ?? '');
      // The first one gets stuck on its way until its turn is over.
      if (sent.length === 1) await page.waitForTimeout(stuckMs);
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
  });
});

/**
 * A person keeps their seat and their turn: when the page is loaded again, when the network is away, and when the lease ended meanwhile.
 * @module-tag long
 */
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, afterEach, expect, it } from 'vitest';
import { LogReader } from '../../src/log/reader.js';
import { ROOT } from '../support/children.js';
import type { Served } from '../serve/served.js';
import { inChromium } from '../view/browser.js';
import { withSeats } from './with-seats.js';

let world: Served | null = null;
afterEach(() => world?.close());

async function seated(
  open: (address: string) => Promise<{ page: Page }>,
): Promise<{ page: Page; served: Served }> {
  world = await withSeats(join(ROOT, 'scenarios/two-keepers.yaml'), {
    pace: { kind: 'lockstep', periodMs: 0, windowMs: 600_000 },
  });
  const { page } = await open(`${world.address}/seat`);
  await page.getByLabel('Your name').fill('Ann');
  await page.getByRole('button', { name: 'Take monk' }).click();
  await isAsked(page, 1);
  return { page, served: world };
}

async function isAsked(page: Page, turn: number): Promise<void> {
  await expect.poll(() => page.locator('.status').textContent()).toBe(`You are monk · turn ${turn}`);
  await expect.poll(() => page.locator('.countdown').textContent()).toMatch(/^Your turn/);
}

function leaseEvents({ log }: Served): readonly string[] {
  const reader = new LogReader(log);
  const [{ runId } = { runId: '' }] = reader.runs();
  const events = reader.leases(runId).map(({ controller, event }) => `${controller} ${event}`);
  reader.close();
  return events;
}

describe('in a browser', { tags: ['long'] }, () => {
  inChromium('a person at a seat', (open) => {
    it('is still there, and asked, after the page was loaded again', async () => {
      const { page, served } = await seated(open);
      await page.getByRole('button', { name: 'READ inscription' }).click();
      await expect.poll(() => page.locator('.journal').textContent()).toContain('Only the green lever opens');
      const journal = await page.locator('.journal').textContent();
      await page.reload();
      await isAsked(page, 1);
      expect(await page.locator('.journal').textContent()).toBe(journal);
      await page.getByRole('button', { name: 'WAIT' }).click();
      await isAsked(page, 2);
      expect(leaseEvents(served)).toEqual(['Ann granted']);
      await page.getByRole('button', { name: 'Give the seat back' }).click();
      await expect.poll(() => leaseEvents(served)).toEqual(['Ann granted', 'Ann released']);
      await page.reload();
      await expect.poll(() => page.getByRole('button', { name: 'Take monk' }).isEnabled()).toBe(true);
      await page.close();
    });

    it('keeps it while the network is away', async () => {
      const { page, served } = await seated(open);
      let failures = 0;
      page.on('requestfailed', () => (failures += 1));
      await page.context().setOffline(true);
      // Its stream, and the first renewal, which was due within a third of the lease.
      await expect.poll(() => failures).toBeGreaterThan(2);
      await page.context().setOffline(false);
      await page.getByRole('button', { name: 'WAIT' }).click();
      await isAsked(page, 2);
      expect(leaseEvents(served)).toEqual(['Ann granted']);
      await page.close();
    });

    it('takes it again where the lease has ended meanwhile', async () => {
      const { page, served } = await seated(open);
      const renewal = page.waitForRequest('**/RenewLease');
      const { lease } = (await renewal).postDataJSON() as { lease: string };
      const { status } = await fetch(`${served.address}/orchestrate.world.v1.LeaseService/ReleaseLease`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ lease }),
      });
      expect(status).toBe(200);
      await expect.poll(() => leaseEvents(served)).toEqual(['Ann granted', 'Ann released', 'Ann granted']);
      await isAsked(page, 2);
      await page.close();
    });
  });
});

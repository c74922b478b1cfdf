/**
 * The page of a seat says that its server is silent, wherever the person is in it, and goes on when the server is back.
 * @module-tag long
 */
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { ROOT, startProgram } from '../support/children.js';
import { temporaryFolder } from '../support/folder.js';
import { inChromium } from '../view/browser.js';

async function serving() {
  const out = join(temporaryFolder(), 'run.sqlite');
  const words = ['--pace', 'lockstep', '--ttl', '3600000', '--listen', '127.0.0.1:0', '--out', out];
  const server = startProgram(['serve', join(ROOT, 'scenarios/two-keepers.yaml'), ...words]);
  await server.prints(/seats in the browser/);
  const address = /seats in the browser: (\S+)/.exec(server.output())?.[1] ?? '';
  return { server: server.process, address };
}

async function saysSilence(page: Page): Promise<void> {
  const alert = page.getByRole('alert');
  await expect.poll(() => alert.allTextContents(), { timeout: 25_000 }).toHaveLength(1);
  expect(await alert.textContent()).toContain('The served world does not answer.');
}

describe('in a browser', { tags: ['long'] }, () => {
  inChromium('a person whose server is stopped', (open) => {
    it('is told so in the list, at a turn and while a command is sent, and plays on', async () => {
      const { server, address } = await serving();
      const { page } = await open(address);
      const isTaken = page.getByRole('button', { name: 'Take monk' });
      await expect.poll(() => isTaken.isEnabled()).toBe(true);
      server.kill('SIGSTOP');
      await saysSilence(page);
      server.kill('SIGCONT');
      await expect.poll(() => page.getByRole('alert').count(), { timeout: 15_000 }).toBe(0);

      await isTaken.click();
      const countdown = page.locator('.countdown');
      await expect.poll(() => countdown.textContent()).toMatch(/^Your turn/);
      server.kill('SIGSTOP');
      await page.getByRole('button', { name: 'WAIT' }).click();
      await saysSilence(page);
      server.kill('SIGCONT');
      await expect.poll(() => page.locator('.status').textContent()).toBe('You are monk · turn 2');
      await expect.poll(() => page.getByRole('alert').count(), { timeout: 15_000 }).toBe(0);
      await expect.poll(() => countdown.textContent()).toMatch(/^Your turn/);
      await page.close();
    });
  });
});

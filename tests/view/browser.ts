/** A real Chromium for tests of the page: Debian's, driven by playwright-core. Where there is none its tests say so and are left out. */
import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Where it lies; null: nowhere. */
export const CHROMIUM = PLACES.find((path) => existsSync(path)) ?? null;

/** It is to be quiet, and to take evil.test for this machine, as a page that was rebound would. */
const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--host-resolver-rules=MAP evil.test 127.0.0.1',
];

export interface Opened {
  page: Page;
  /** What went wrong in the page: errors, and what its policy forbade. */
  complaints: readonly string[];
  /** Addresses that were asked for. */
  requests: readonly string[];
}

export interface Windowed {
  width?: number;
  height?: number;
  colours?: 'light' | 'dark';
}

/** Tests in a browser; each opens pages of its own, which are closed at the end. */
export function inChromium(
  title: string,
  tests: (open: (address: string, how?: Windowed) => Promise<Opened>) => void,
): void {
  it.runIf(process.env['CI'] === 'true')(`${title}: Chromium is there, since .ci/run installs it`, () => {
    expect(CHROMIUM).not.toBeNull();
  });
  const note = CHROMIUM === null ? ' (left out: no Chromium here; apt-get install chromium)' : '';
  describe.skipIf(CHROMIUM === null)(`${title}${note}`, () => {
    let browser: Browser | null = null;
    beforeAll(async () => {
      browser = await chromium.launch({ executablePath: CHROMIUM ?? '', args: ARGUMENTS });
    });
    afterAll(() => browser?.close());
    tests(async (address, { width = 1200, height = 800, colours = 'light' } = {}) => {
      if (browser === null) throw new Error('no browser');
      const page = await browser.newPage({ viewport: { width, height }, colorScheme: colours });
      const complaints: string[] = [];
      const requests: string[] = [];
      page.on('pageerror', (error) => complaints.push(error.message));
      page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
      page.on('request', (request) => requests.push(request.url()));
      await page.goto(address);
      return { page, complaints, requests };
    });
  });
}

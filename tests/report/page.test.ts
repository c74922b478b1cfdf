/** The report's page in a real browser: names are read from their beginning, tables fit the window, and only narrow ones scroll. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { pageOf } from '../../src/report/page.js';
import { reportOf } from '../../src/report/report.js';
import type { RunMetrics } from '../../src/report/run-metrics.js';
import { temporaryFolder } from '../support/folder.js';
import { inChromium } from '../view/browser.js';
import { seeds } from './figures.js';

const cwd = temporaryFolder();
const SETTINGS = 'models.main.temperature=0.2, render.channel=both, turns.max=30';
const NAMES = ['Qwen/Qwen3-VL-235B-A22B-Instruct-FP8', 'scripted', 'x'.repeat(120)];
/** Figures as wide as they get. */
const WIDE: Partial<RunMetrics> = {
  log: 'runs/compare/runs-001.sqlite',
  run: 'crypt-17d374f9aa01',
  promptTokens: 1_000_000,
  said: 400,
  seconds: 6000,
};
const runs = NAMES.flatMap((players) =>
  ['', SETTINGS].flatMap((settings) => seeds(1, 12, { ...WIDE, players, settings })),
);

function written(name: string, list: readonly RunMetrics[]): string {
  const path = join(cwd, `${name}.html`);
  writeFileSync(path, pageOf(reportOf(list)));
  return pathToFileURL(path).href;
}

interface Overflow {
  /** By how many pixels each table is wider than its window. */
  tables: readonly number[];
  /** And the page than the screen. */
  page: number;
  /** How many names in plots are cut at a side. */
  names: number;
}

/** Run in the page, whose types are not this program's. */
const MEASURED = `(() => {
  for (const one of document.querySelectorAll('details')) one.open = true;
  const isCut = (name) => {
    const range = document.createRange();
    range.selectNodeContents(name);
    const [box, text] = [name.getBoundingClientRect(), range.getBoundingClientRect()];
    return text.left < Math.max(0, box.left - 1) || text.right > box.right + 1;
  };
  return {
    tables: [...document.querySelectorAll('.wide')].map((one) => one.scrollWidth - one.clientWidth),
    page: document.documentElement.scrollWidth - innerWidth,
    names: [...document.querySelectorAll('.name')].filter(isCut).length,
  };
})()`;

const overflow = (page: Page): Promise<Overflow> => page.evaluate<Overflow>(MEASURED);

describe('in a browser', { tags: ['long'] }, () => {
  inChromium('the page of a report', (open) => {
    it.each([1280, 1400])('shows names and tables whole in a window of %i pixels', async (width) => {
      const { page, complaints } = await open(written('wide', runs), { width });
      expect(await overflow(page)).toEqual({ tables: [0, 0, 0], page: 0, names: 0 });
      expect(complaints).toEqual([]);
    });

    it('scrolls tables on a narrow screen, and the page itself never', async () => {
      const { page } = await open(written('narrow', runs), { width: 390, colours: 'dark' });
      const { tables, ...rest } = await overflow(page);
      expect(rest).toEqual({ page: 0, names: 0 });
      expect(Math.min(...tables)).toBeGreaterThan(0);
    });

    it('ends a name of too many lines in an ellipsis, and keeps it whole for who asks', async () => {
      const long = 'checkpoints/'.repeat(40);
      const { page } = await open(written('long', seeds(1, 3, { players: long })), { width: 1280 });
      const name = page.locator('.name').first();
      expect(await name.evaluate((one) => one.scrollHeight > one.clientHeight)).toBe(true);
      expect(await name.getAttribute('title')).toBe(long);
      expect(await name.textContent()).toBe(long);
    });
  });
});

/** `report --view`: seeds on the report's page lead to their runs on the page of `view`, from disk. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, beforeAll, expect, it } from 'vitest';
import { pageOf } from '../../src/report/page.js';
import { reportOf } from '../../src/report/report.js';
import { corridor } from '../orchestrator/two-agents.js';
import { run } from '../report/figures.js';
import { orchestrate } from '../support/captured-io.js';
import { temporaryFolder } from '../support/folder.js';
import { inChromium } from '../view/browser.js';

const cwd = temporaryFolder();
const on = (...args: readonly string[]) => orchestrate(args, { cwd });

beforeAll(async () => {
  writeFileSync(join(cwd, 'short.yaml'), corridor('max: 1'));
  mkdirSync(join(cwd, 'out'));
  for (const seed of ['1', '2'])
    await on(
      'run',
      'short.yaml',
      '--seed',
      seed,
      '--controller',
      'random',
      '--out',
      `${seed}.sqlite`,
      '--quiet',
    );
  await on('view', '1.sqlite', '2.sqlite', '--out', 'all runs.html');
  await on('report', '1.sqlite', '2.sqlite', '--out', 'out/report.html', '--view', 'all runs.html');
});

it('says what is missing, and that a link needs a page', async () => {
  expect((await on('report', '1.sqlite', '--view', 'all runs.html')).err).toContain('--view needs --out');
  const { code, err } = await on('report', '1.sqlite', '--out', 'x.html', '--view', 'none.html');
  expect([code, err]).toEqual([2, expect.stringContaining('view <logs> --out none.html')]);
});

it('makes an address of whatever a run is called', () => {
  const page = pageOf(reportOf([run({ run: '"><script>&x=\ud800' })]), './view.html');
  expect(page).toContain('href="./view.html#run=%22%3E%3Cscript%3E%26x%3D%EF%BF%BD"');
  expect(page).not.toContain('<script');
  expect(pageOf(reportOf([run({})]))).not.toContain('href=');
});

describe('in a browser', { tags: ['long'] }, () => {
  inChromium('a seed of the report', (open) => {
    it('leads to its run', async () => {
      const html = readFileSync(join(cwd, 'out/report.html'), 'utf8');
      expect(html.match(/href="\.\/\.\.\/all%20runs\.html#run=/g)).toHaveLength(2);
      const { page } = await open(pathToFileURL(join(cwd, 'out/report.html')).href, { width: 1280 });
      await page.locator('.runs a').nth(1).click();
      await page.waitForURL(/all%20runs\.html#run=/);
      const chosen = page.getByLabel('Picture: run').locator('option:checked');
      expect(await chosen.textContent()).toContain('seed 2');
    });
  });
});

// Photographs the page of `view` for docs/how-to/view-a-run.md. What it costs is measured by view-figures.mjs. Needs a Chromium (apt-get install chromium) and `npm run build`; nothing else does.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { chromium } from 'playwright-core';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'orchestrate-page-'));

/** @param {string[]} args */
function orchestrate(...args) {
  execFileSync(process.execPath, ['dist/cli/main.js', ...args], { cwd: root, stdio: 'inherit' });
}

/** @param {string} log @param {string} name */
function pageOf(log, name) {
  const file = join(folder, name);
  orchestrate('view', log, '--out', file);
  return pathToFileURL(file).href;
}

const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
});

/** @param {string} address @param {import('playwright-core').BrowserContextOptions} look @param {(page: import('playwright-core').Page) => Promise<void>} act */
async function photograph(address, look, act, /** @type {string} */ out) {
  const page = await browser.newPage(look);
  await page.goto(address);
  await page.waitForSelector('.slider');
  await act(page);
  await page.waitForTimeout(400);
  await page.screenshot({ path: join(root, 'docs', 'pictures', out) });
  await page.close();
}

try {
  const log = join(folder, 'crypt.sqlite');
  orchestrate('run', 'scenarios/crypt.yaml', '--out', log, '--quiet');
  orchestrate('fork', log, '--at', '33', '--reply', 'ACTION: SPEAK "Wait for me at the forge."', '--quiet');
  const address = pageOf(log, 'crypt.html');
  const wide = { viewport: { width: 1280, height: 800 } };
  await photograph(`${address}#step=57`, { ...wide, colorScheme: 'light' }, async () => {}, 'view-light.png');
  await photograph(
    `${address}#step=33&view=map`,
    { ...wide, colorScheme: 'dark' },
    async (page) => {
      await page.keyboard.press('b');
      await page.getByRole('tab', { name: 'All steps' }).click();
    },
    'view-dark.png',
  );
  await judged(log);
} finally {
  await browser.close();
  rmSync(folder, { recursive: true });
}

/** The served page, with words on some steps. @param {string} log */
async function judged(log) {
  const server = spawn(process.execPath, ['dist/cli/main.js', 'view', log, '--no-open'], { cwd: root });
  try {
    const told = (await once(server.stdout, 'data'))[0];
    const [address = ''] = /http:\/\/\S+#token=[\w-]+/.exec(stripVTControlCharacters(String(told))) ?? [];
    const judge = async (/** @type {import('playwright-core').Page} */ page) => {
      for (let i = 0; i < 9; i++) {
        await page.keyboard.press('u');
        await page.keyboard.press('y');
      }
      await page.keyboard.press('u');
      await page.keyboard.press('x');
      await page.keyboard.type('Nothing can be done with the altar.');
      await page.keyboard.press('Control+Enter');
      await page.waitForSelector('.said.rejected');
      await page.getByRole('tab', { name: 'All steps' }).click();
    };
    const look = { viewport: { width: 1280, height: 800 }, colorScheme: /** @type {const} */ ('light') };
    await photograph(`${address}&step=10`, look, judge, 'view-judged.png');
  } finally {
    server.kill();
  }
}

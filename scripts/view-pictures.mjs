// Photographs the page of `view` for docs/VIEW.md, and measures it: bytes for 2,000 steps, frames a second while it is scrubbed through.
// Needs a Chromium (apt-get install chromium) and `npm run build`; nothing else does.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
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
  return { bytes: statSync(file).size, address: pathToFileURL(file).href };
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
  const { address } = pageOf(log, 'crypt.html');
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
  const long = join(folder, 'long.sqlite');
  orchestrate(
    'run',
    'scenarios/crypt.yaml',
    '--controller',
    'random',
    '--max-turns',
    '500',
    '--out',
    long,
    '--quiet',
  );
} catch (error) {
  // A run that is cut short has failed, as it should; anything else is told.
  if (!(error instanceof Error && 'status' in error && error.status === 1)) throw error;
}
const { bytes, address } = pageOf(join(folder, 'long.sqlite'), 'long.html');
const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
const before = performance.now();
await page.goto(address);
await page.waitForSelector('.slider');
const openMs = performance.now() - before;
const devtools = await page.context().newCDPSession(page);
await devtools.send('Performance.enable');
/** Milliseconds that the page's scripts have run. */
async function scriptMs() {
  const { metrics } = await devtools.send('Performance.getMetrics');
  return (metrics.find(({ name }) => name === 'ScriptDuration')?.value ?? 0) * 1000;
}
const earlier = await scriptMs();
const scrub = await page.evaluate(`(async () => {
  const slider = document.querySelector('.slider');
  const intervals = [];
  let last = performance.now();
  const start = last;
  for (let step = 1; step <= 1000; step++) {
    slider.value = String(step);
    slider.dispatchEvent(new Event('input'));
    await new Promise((resolve) => requestAnimationFrame(resolve));
    const now = performance.now();
    intervals.push(now - last);
    last = now;
  }
  const sorted = intervals.toSorted((a, b) => a - b);
  const at = (part) => Math.round(sorted[Math.floor(part * 999)] * 10) / 10;
  return { fps: Math.round((1000 / (last - start)) * 1e4) / 10, medianMs: at(0.5), p95Ms: at(0.95) };
})()`);
const scriptMsAFrame = Math.round((await scriptMs()) - earlier) / 1000;
console.log({ bytes, openMs: Math.round(openMs), ...scrub, scriptMsAFrame });
await browser.close();
rmSync(folder, { recursive: true });

// Measures the page of `view`: its bytes, the time to make and to open it, and frames a second while it is scrubbed through, for 2,000 steps of the crypt,
// of 256 agents in one hall, and of a map of 300 x 300 tiles. Needs a Chromium (apt-get install chromium) and `npm run build`; nothing else does.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'orchestrate-page-'));
const STEPS = 1000;

/** @param {string[]} args */
function orchestrate(...args) {
  try {
    execFileSync(process.execPath, ['dist/cli/main.js', ...args], {
      cwd: root,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  } catch (error) {
    // A run that is cut short has failed, as it should; anything else is told.
    if (!(error instanceof Error && 'status' in error && error.status === 1)) throw error;
  }
}

/** A hall with agents in rows. @param {{ width: number, height: number, agents: number, turns: number }} size */
function hall({ width, height, agents, turns }) {
  const wall = '#'.repeat(width);
  const row = `#${'.'.repeat(width - 2)}#`;
  const map = [wall, ...Array(height - 2).fill(row), wall].map((line) => `  ${line}`).join('\n');
  const across = Math.min(agents, 32);
  const list = Array.from({ length: agents }, (_, i) => {
    const [x, y] = [2 + (i % across), 2 + 3 * Math.floor(i / across)];
    return `  - { id: a${i}, name: Agent ${i}, sprite: knight, at: [${x}, ${y}] }`;
  }).join('\n');
  const file = join(folder, `hall-${agents}.yaml`);
  writeFileSync(file, `title: Hall\nseed: 1\nmap: |\n${map}\nagents:\n${list}\nturns: { max: ${turns} }\n`);
  return file;
}

/** @param {string} name @param {string} scenario @param {string[]} more */
function pageOf(name, scenario, ...more) {
  const [log, file] = [join(folder, `${name}.sqlite`), join(folder, `${name}.html`)];
  orchestrate('run', scenario, '--controller', 'random', '--out', log, '--quiet', ...more);
  const began = performance.now();
  orchestrate('view', log, '--out', file);
  const makeMs = Math.round(performance.now() - began);
  return { bytes: statSync(file).size, makeMs, address: pathToFileURL(file).href };
}

const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu'],
});

/** @param {string} address */
async function measured(address) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  const before = performance.now();
  await page.goto(address);
  await page.waitForSelector('.slider');
  const openMs = Math.round(performance.now() - before);
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Performance.enable');
  const scriptMs = async () => {
    const { metrics } = await devtools.send('Performance.getMetrics');
    return (metrics.find(({ name }) => name === 'ScriptDuration')?.value ?? 0) * 1000;
  };
  const earlier = await scriptMs();
  const scrubbed = await page.evaluate(`(async () => {
    const slider = document.querySelector('.slider');
    const intervals = [];
    let last = performance.now();
    const start = last;
    for (let step = 1; step <= ${STEPS}; step++) {
      slider.value = String(step);
      slider.dispatchEvent(new Event('input'));
      await new Promise((resolve) => requestAnimationFrame(resolve));
      const now = performance.now();
      intervals.push(now - last);
      last = now;
    }
    const sorted = intervals.toSorted((a, b) => a - b);
    const at = (part) => Math.round(sorted[Math.floor(part * ${STEPS - 1})] * 10) / 10;
    return { fps: Math.round((${STEPS} / (last - start)) * 1e4) / 10, medianMs: at(0.5), p95Ms: at(0.95) };
  })()`);
  const scriptMsAFrame = Math.round(((await scriptMs()) - earlier) / (STEPS / 100)) / 100;
  await page.close();
  return { openMs, .../** @type {object} */ (scrubbed), scriptMsAFrame };
}

try {
  const crowd = hall({ width: 40, height: 30, agents: 256, turns: 8 });
  const wide = hall({ width: 300, height: 300, agents: 4, turns: 250 });
  for (const [name, scenario, ...more] of /** @type {const} */ ([
    ['crypt', 'scenarios/crypt.yaml', '--max-turns', '500'],
    ['crowd', crowd],
    ['wide', wide],
  ])) {
    const { address, ...made } = pageOf(name, scenario, ...more);
    console.log(name, { ...made, ...(await measured(address)) });
  }
} finally {
  await browser.close();
  rmSync(folder, { recursive: true });
}

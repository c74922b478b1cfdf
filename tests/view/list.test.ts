/**
 * `view` of more runs than a page shows: a list in a real browser, a page for each run behind the same key, and no more logs open than are looked at.
 * @module-tag long
 */
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { known } from '../../src/base/assert.js';
import { LIMITS } from '../../src/base/limits.js';
import { main } from '../../src/cli/main.js';
import { eachReadRun } from '../../src/cli/logs/logged-runs.js';
import { ViewedStore } from '../../src/cli/logs/viewed-store.js';
import { readMarks } from '../../src/log/annotations.js';
import type { PagePart } from '../../src/view/page-data.js';
import type { ListedRun, RunListPart } from '../../src/view/run-list.js';
import { corridor } from '../orchestrator/two-agents.js';
import { capturedIo, orchestrate } from '../support/captured-io.js';
import { temporaryFolder } from '../support/folder.js';
import { inChromium } from './browser.js';
import { openRun, openStage } from './support.js';

const RUNS = LIMITS.pageRuns + 2;
const cwd = temporaryFolder();

beforeAll(async () => {
  writeFileSync(join(cwd, 'corridor.yaml'), corridor('max: 1'));
  const batch = [
    'scenarios: [corridor.yaml]',
    'models: { scripted: { controller: scripted } }',
    `seeds: ${RUNS}`,
    'parallel: 1',
  ];
  writeFileSync(join(cwd, 'many.yaml'), batch.join('\n'));
  await orchestrate(['batch', 'many.yaml', '--out', 'store', '--quiet'], { cwd });
});

/** `view store` until `stop`, with the address that it printed. */
async function viewing(...words: string[]) {
  const captured = capturedIo({ cwd });
  const ended = main(['view', 'store', '--no-open', ...words], captured.io);
  await expect.poll(() => captured.out()).toContain('Ctrl-C stops it');
  const stop = async () => {
    captured.interrupt();
    return { code: await ended, err: captured.err() };
  };
  return { address: new URL(captured.out().split('\n')[0] ?? ''), stop };
}

/** Everything that the list says. */
async function listed({ origin, hash }: URL) {
  const headers = { authorization: `Bearer ${hash.slice('#token='.length)}` };
  const parts: RunListPart[] = [];
  while (parts.at(-1)?.end === undefined || parts.at(-1)?.end === null) {
    const response = await fetch(`${origin}/data?from=${parts.length}`, { headers });
    parts.push(...((await response.json()) as readonly RunListPart[]));
  }
  const statusAt = async (path: string, hasKey = true) =>
    (await fetch(`${origin}${path}`, hasKey ? { headers } : {})).status;
  /** The ids of the runs on the page of a run. */
  const idsOn = async (number: number) => {
    const response = await fetch(`${origin}/runs/${number}/data?from=0`, { headers });
    const pageParts = (await response.json()) as readonly PagePart[];
    return pageParts.flatMap(({ runs }) => runs.map(({ id }) => id));
  };
  return { parts, runs: parts.flatMap(({ runs }) => runs), statusAt, idsOn };
}

describe('more runs than a page shows', () => {
  it.each([[['--workers', '1']], [['--workers', '2']]])(
    'are listed with their figures, %s',
    async (words) => {
      const { address, stop } = await viewing(...words);
      const { runs, parts } = await listed(address);
      const { code, err } = await stop();
      expect([code, err]).toEqual([0, '']);
      expect(parts.at(-1)?.end).toEqual({ isIncomplete: false });
      const report = JSON.parse((await orchestrate(['report', 'store', '--json'], { cwd })).out) as {
        runs: readonly (ListedRun & { run: string })[];
      };
      expect(runs).toHaveLength(RUNS);
      expect(runs.map(({ number }) => number)).toEqual(runs.map((_, i) => i));
      expect(runs.map(({ id, log, seed, status, turns }) => ({ id, log, seed, status, turns }))).toEqual(
        report.runs.map(({ run, log, seed, status, turns }) => ({ id: run, log, seed, status, turns })),
      );
    },
  );

  it('are opened one by one, each with the key only', async () => {
    const { address, stop } = await viewing();
    const { runs, statusAt, idsOn } = await listed(address);
    for (const number of [3, 0, RUNS - 1, 3]) expect(await idsOn(number)).toEqual([runs[number]?.id]);
    expect(await statusAt('/runs/3/', false)).toBe(200);
    expect(await statusAt('/runs/3/data?from=0', false)).toBe(401);
    expect(await statusAt('/runs/3/data?from=0')).toBe(200);
    expect(await statusAt(`/runs/${RUNS}/data?from=0`)).toBe(404);
    for (const path of ['/runs/', '/runs/3', '/runs/-1/', '/runs/3/../', '/runs/x/data?from=0', '/runs/3/x'])
      expect(await statusAt(path.replace('../', '%2e%2e/')), path).toBe(404);
    await stop();
  });

  it('with a log that is none leave the list incomplete, and the terminal says why', async () => {
    writeFileSync(join(cwd, 'store', 'z.sqlite'), 'no log');
    const { address, stop } = await viewing();
    const { parts, runs } = await listed(address);
    expect([runs.length, parts.at(-1)?.end]).toEqual([RUNS, { isIncomplete: true }]);
    expect((await stop()).err).toContain('z.sqlite is not a log');
    rmSync(join(cwd, 'store', 'z.sqlite'));
  });

  it('keep as many logs open as were looked at last, and open the others again', async () => {
    const { io } = capturedIo({ cwd });
    const store = new ViewedStore({ open: openRun, stage: openStage }, io);
    const spec = { kind: 'figures', forks: true, search: null } as const;
    await eachReadRun(['store'], io, { spec, workers: 1, modules: [] }, ({ address, run, value }) => {
      store.add({ address, run, figures: known(value, 'figures').figures });
      return 0;
    });
    const openFiles = () => readdirSync('/proc/self/fd').length;
    const before = openFiles();
    const first = store.feed(0);
    expect(store.feed(0)).toBe(first);
    for (let number = 0; number < RUNS; number += 1) expect(await store.feed(number)?.next()).not.toBeNull();
    // A log is at most three files: itself, its journal and its index.
    if (process.platform === 'linux') expect(openFiles() - before).toBeLessThanOrEqual(16 * 3);
    expect(store.feed(0)).not.toBe(first);
    expect(await store.feed(0)?.next()).not.toBeNull();
    expect(store.feed(RUNS)).toBeNull();
    store.close();
    expect(openFiles()).toBeLessThanOrEqual(before);
  });
});

inChromium('the list of runs', (open) => {
  it('filters and sorts, leads to the page of a run and back, and is narrow enough for a phone', async () => {
    const { address, stop } = await viewing();
    const { page, complaints } = await open(String(address));
    await expect.poll(() => page.locator('.status').textContent()).toContain(`${RUNS} runs`);
    expect(page.url()).not.toContain('token');
    const { runs } = await listed(address);
    const seed = runs.at(-1)?.seed ?? '';
    await page.keyboard.press('/');
    await page.keyboard.type(`corridor ${seed}`);
    await expect.poll(() => page.locator('tbody tr').count()).toBeLessThan(RUNS);
    await page.getByRole('button', { name: 'Seed' }).click();
    await page.getByRole('button', { name: 'Seed' }).click();
    expect(await page.locator('tbody tr').first().locator('.seed').textContent()).toBe(seed);
    await page.locator('tbody tr').first().locator('a').click();
    await expect.poll(() => page.locator('.status').textContent()).toMatch(/3 steps/);
    expect(page.url()).toContain(`/runs/${RUNS - 1}/`);
    await page.getByRole('button', { name: 'Accept' }).click();
    const log = join(cwd, runs.at(-1)?.log ?? '');
    await expect.poll(() => readMarks(log).ofRun(runs.at(-1)?.id ?? '').length).toBe(1);
    await page.getByRole('link', { name: 'All runs' }).click();
    await expect.poll(() => page.locator('tbody tr').count()).toBe(RUNS);
    await page.goBack();
    await page.goBack();
    await expect.poll(() => page.locator('input').inputValue()).toBe(`corridor ${seed}`);
    await page.setViewportSize({ width: 390, height: 800 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    const [tab] = await Promise.all([
      page.context().waitForEvent('page'),
      page
        .locator('tbody a')
        .first()
        .click({ modifiers: ['Control'] }),
    ]);
    await expect.poll(() => tab.locator('.status').textContent()).toMatch(/3 steps/);
    expect(tab.url()).not.toContain('token');
    expect(complaints).toEqual([]);
    await page.close();
    await stop();
  });
});

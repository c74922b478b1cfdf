/**
 * The page of a served run: it opens where the run is, follows it tick by tick, says who controls whom, and leaves out what is filtered.
 * @module-tag long
 */
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { afterAll, expect, it } from 'vitest';
import { readPageFiles } from '../../src/view/html.js';
import { PageServer } from '../../src/view/server.js';
import { Part } from '../../src/serve/gen/orchestrate/world/v1/world_pb.js';
import { orchestrate } from '../support/captured-io.js';
import { temporaryFolder } from '../support/folder.js';
import { clientsOf, served } from '../serve/served.js';
import { inChromium } from './browser.js';
import { makerOf } from './support.js';

const ROOM = `
title: A long room
map: |
  ############
  #a........b#
  #..........#
  ############
legend: { a: { agent: ann }, b: { agent: bob } }
rooms: { west: { name: west end, areas: [[1, 1, 3, 2]] }, east: { name: east end, areas: [[4, 1, 7, 2]] } }
agents: [{ id: ann, sprite: knight }, { id: bob, sprite: wizard }]
rules: { movement: tile }
turns: { max: 9, order: simultaneous }
`;

const closing: (() => unknown)[] = [];
afterAll(async () => {
  for (const close of closing) await close();
});

/** A served world that Ann plays from here, and the page of its log. */
async function watched() {
  const world = await served(ROOM, temporaryFolder(), { ttlMs: 60_000 });
  const { leases, play } = clientsOf(world.address);
  const { lease } = await leases.acquireLease({ entity: 'ann', controller: 'Ann <i>' });
  const asked = play.streamObservations({ lease, parts: [Part.OFFERS] })[Symbol.asyncIterator]();
  const act = async (intent: object): Promise<void> => {
    for (;;) {
      const { value } = await asked.next();
      if (value === undefined || value.tick === 0n) continue;
      await play.submitIntent({ lease, tick: value.tick, attempt: value.attempt, intent: intent as never });
      return;
    }
  };
  const { reader, maker } = makerOf(world.log);
  const server = new PageServer({
    files: readPageFiles(),
    next: () => maker.part({ isAll: false }),
    annotate: (said) => maker.annotate(said),
    port: 0,
    onError: () => undefined,
  });
  closing.push(async () => {
    await server.close();
    reader.close();
    await world.close();
  });
  return { address: await server.open(), act, world, leases };
}

const EAST = { case: 'move', value: { direction: 3 } };
const stepOf = (page: Page) => page.locator('.where input').inputValue();

inChromium('the page of a served run', (open) => {
  it('follows it, with walks between ticks and words that stay, and names who controls whom', async () => {
    const { address, act, leases } = await watched();
    await act(EAST);
    await act({ case: 'say', value: { text: 'Here I come.' } });
    const { page, complaints } = await open(address);
    // Each turn is three steps: Ann's, Bob's and the world's own.
    await expect.poll(() => stepOf(page)).toBe('6');
    await expect.poll(() => page.locator('.bubble').allTextContents()).toEqual(['Here I come.']);
    const hash = `(() => { const c = document.querySelector('canvas.picture'); return [...c.getContext('2d').getImageData(0, 0, c.width, c.height).data].reduce((sum, one, i) => (sum * 31 + one * (i % 7)) | 0, 0); })()`;
    await page.evaluate(
      `(() => { window.seen = new Set(); const look = () => { window.seen.add(${hash}); requestAnimationFrame(look); }; look(); })()`,
    );
    await act(EAST);
    await expect.poll(() => stepOf(page)).toBe('9');
    await page.waitForTimeout(500);
    // Before, after, and pictures of the way between.
    expect(await page.evaluate<number>('window.seen.size')).toBeGreaterThan(3);
    await page.getByRole('tab', { name: 'Control' }).click();
    const rows = page.locator('.control tbody tr');
    await expect.poll(() => rows.allTextContents()).toEqual(['AnnAnn <i> lease 1––', 'Bobnobody idle–3×']);
    await leases.acquireLease({ entity: 'bob', controller: 'Bob' });
    await expect.poll(() => rows.nth(1).textContent()).toContain('Bob lease 1');
    expect(await page.locator('.control + *, .quiet').allTextContents()).toContainEqual(
      expect.stringMatching(/^The last tick began on time and was settled in \d+ ms; 0 of \d+ began late\.$/),
    );
    expect(complaints).toEqual([]);
    await page.close();
  });

  it('leaves out steps of others, without an event of a kind, or elsewhere', async () => {
    const { address, act } = await watched();
    await act(EAST);
    await act({ case: 'say', value: { text: 'Hello.' } });
    await act(EAST);
    const { page } = await open(`${address}&step=1`);
    await page.getByRole('tab', { name: 'All steps' }).click();
    await expect.poll(() => page.locator('.row').count()).toBe(9);
    const kind = page.getByLabel('Kind of event in the steps that are shown');
    await kind.selectOption('moved');
    await expect.poll(() => page.locator('.row').count()).toBe(2);
    await page.keyboard.press('l');
    await kind.blur();
    await page.keyboard.press('l');
    await expect.poll(() => stepOf(page)).toBe('7');
    await kind.selectOption('');
    await page.getByLabel('Agent whose steps are shown').selectOption('bob');
    await expect.poll(() => page.locator('.row').count()).toBe(3);
    await page.getByLabel('Agent whose steps are shown').selectOption('');
    // The three tiles around where Ann came in her last turn.
    const box = await page.locator('canvas.picture').boundingBox();
    if (box === null) throw new Error('no picture');
    const at = (x: number, y: number) =>
      [box.x + ((x + 0.5) / 12) * box.width, box.y + ((y + 0.5) / 4) * box.height] as const;
    await page.mouse.move(...at(3, 1));
    await page.mouse.down();
    await page.mouse.move(...at(5, 2));
    await page.mouse.up();
    await expect.poll(() => page.locator('.row').count()).toBe(1);
    const chip = page.getByRole('button', { name: /within 3, 1 – 5, 2/ });
    expect(await page.locator('.region').count()).toBe(1);
    await chip.click();
    await expect.poll(() => page.locator('.row').count()).toBe(9);

    // The same tiles typed, with an ordinary hyphen; then a place by its name.
    const typed = page.getByLabel('Region of the steps that are shown, as two tiles');
    await typed.fill('3,1-5,2');
    await typed.press('Enter');
    await expect.poll(() => page.locator('.row').count()).toBe(1);
    expect(await typed.inputValue()).toBe('3, 1 – 5, 2');
    await typed.fill('the east');
    await typed.press('Enter');
    await expect.poll(() => typed.getAttribute('aria-invalid')).toBe('true');
    expect(await typed.inputValue()).toBe('the east');
    expect(await page.locator('.row').count()).toBe(1);
    const place = page.getByLabel('Place of the steps that are shown');
    const places = ['anywhere', 'in east end', 'in west end'];
    expect(await place.locator('option').allTextContents()).toEqual(places);
    await place.selectOption('west end');
    // Ann walked there, and spoke.
    await expect.poll(() => page.locator('.row').count()).toBe(3);
    expect(await typed.inputValue()).toBe('');
    expect(await page.locator('.region').count()).toBe(1);
    await place.selectOption('east end');
    await expect.poll(() => page.locator('.row').count()).toBe(1);
    await place.selectOption('');
    await expect.poll(() => page.locator('.row').count()).toBe(9);
    await page.close();
  });

  it('says why nobody was asked, and from its tables the same', async () => {
    const { address, act, world } = await watched();
    await act(EAST);
    await act(EAST);
    const folder = join(dirname(world.log), 'tables');
    const exported = ['export', world.log, '--format', 'tables', '--out', folder];
    expect((await orchestrate(exported)).code).toBe(0);
    const out = join(dirname(world.log), 'tables.html');
    expect((await orchestrate(['view', folder, '--out', out])).code).toBe(0);
    for (const [i, shown] of [address, pathToFileURL(out).href].entries()) {
      const { page, complaints } = await open(shown + (i === 0 ? '&step=1' : '#step=1'));
      const prompt = page.getByRole('tab', { name: 'Prompt' });
      await page.getByRole('tab', { name: 'All steps' }).waitFor();
      // Tables have no prompts.
      expect(await prompt.count()).toBe(i === 0 ? 1 : 0);
      if (i === 0) {
        await prompt.click();
        const words = page.locator('#panel-prompt');
        await expect.poll(() => words.locator('.message').count()).toBeGreaterThan(0);
        await page.keyboard.press('l');
        await expect
          .poll(() => words.textContent())
          .toBe('Nobody controlled Bob, so nobody was asked in this step.');
        await page.keyboard.press('l');
        await expect.poll(() => words.textContent()).toBe('There is no prompt at the end of a turn.');
      }
      await page.getByRole('tab', { name: 'All steps' }).click();
      const bobs = page.locator('.row', { hasText: 'Bob' }).first();
      await expect.poll(() => bobs.textContent()).toContain('nobody controls it, REST instead');
      expect(complaints).toEqual([]);
      await page.close();
    }
  });
});

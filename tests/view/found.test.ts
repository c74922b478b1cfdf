/**
 * Found words where they stand: lit in both tabs and both themes, unfolded, scrolled to, counted on the tabs, and never markup.
 * @module-tag long
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as fc from 'fast-check';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { pageHtml, readPageFiles } from '../../src/view/html.js';
import { findMatches } from '../../src/view/page/search.js';
import { corridor } from '../orchestrator/two-agents.js';
import { logged } from '../replay/support.js';
import { answering } from '../support/controllers.js';
import { temporaryFolder } from '../support/folder.js';
import { CHROMIUM, inChromium } from './browser.js';
import { partsOf } from './support.js';

describe('places of words in a text', () => {
  it('are found whatever the case, one after the other', () => {
    expect(findMatches('A door, a DOOR', 'Door')).toEqual([
      [2, 6],
      [10, 14],
    ]);
    expect(findMatches('aaaa', 'aa')).toEqual([
      [0, 2],
      [2, 4],
    ]);
    expect(findMatches('a door', '')).toEqual([]);
  });

  it('are right behind letters that grow when they become small ones', () => {
    expect(findMatches('İİ door İ', 'DOOR')).toEqual([[3, 7]]);
    expect(findMatches('xİ', 'i')).toEqual([[1, 2]]);
  });

  it('hold the words, and there is one wherever a text has them', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'B', 'İ', 'ß', '😀', ' ') });
    fc.assert(
      fc.property(text, fc.string({ unit: fc.constantFrom('a', 'b', 'ß'), minLength: 1 }), (all, words) => {
        const places = findMatches(all, words);
        expect(places.length > 0).toBe(all.toLowerCase().includes(words.toLowerCase()));
        for (const [start, end] of places) expect(all.slice(start, end).toLowerCase()).toBe(words);
      }),
    );
  });
});

const EVIL = '<img src=x onerror="window.pwned=1">';
const cwd = temporaryFolder();
let corridors = '';

beforeAll(async () => {
  if (CHROMIUM === null) return;
  const ann = answering([
    `I mind my ${EVIL} steps.\nACTION: GO EAST`,
    'ACTION: SPEAK "Mind the step, Bob."',
    `${'e'.repeat(3000)}\nACTION: WAIT`,
  ]);
  const { path } = await logged(corridor('max: 3'), {
    controllers: { ann, bob: answering(['ACTION: WAIT']) },
  });
  const file = join(cwd, 'corridor.html');
  writeFileSync(file, pageHtml(readPageFiles(), await partsOf(path)));
  corridors = pathToFileURL(file).href;
});

const find = (page: Page, words: string) => page.getByLabel('Find words').fill(words);
const lit = (page: Page, tab: 'step' | 'prompt') => page.locator(`#panel-${tab} mark.found`);
const count = (page: Page, tab: 'step' | 'prompt') => page.locator(`#tab-${tab} .count`).textContent();
const openPrompt = (page: Page) => page.getByRole('tab', { name: /^Prompt/ }).click();

/** Whether the first lit word that a step brought, else the first of all, is seen within its panel. */
const isInSight = (page: Page) =>
  page.evaluate<boolean>(`(() => {
    const panel = document.querySelector('#panel-prompt');
    const mark = (panel.querySelector('.fresh mark.found') ?? panel.querySelector('mark.found')).getBoundingClientRect();
    const room = panel.getBoundingClientRect();
    return mark.height > 0 && mark.top >= room.top && mark.bottom <= room.bottom;
  })()`);

inChromium('found words', (open) => {
  it('are lit in the step: act, result, reply, across the edge of the accepted part', async () => {
    const { page, complaints } = await open(`${corridors}#step=1`);
    await find(page, 'ACTION: GO');
    await expect.poll(() => lit(page, 'step').allTextContents()).toEqual(['ACTION: ', 'GO']);
    // The accepted part is still told as such.
    expect(await page.locator('mark[aria-label=accepted]').textContent()).toBe('GO EAST');
    expect(await page.locator('mark[aria-label=accepted] mark.found').textContent()).toBe('GO');
    expect(await page.locator('.reply').textContent()).toBe(`I mind my ${EVIL} steps.\nACTION: GO EAST`);
    await find(page, 'go east');
    await expect.poll(() => lit(page, 'step').allTextContents()).toEqual(['GO EAST', 'GO EAST']);
    // What search doesn't look at isn't lit: headings, and words of the page's own.
    await find(page, 'reply');
    await expect.poll(() => page.locator('.hits').textContent()).toMatch(/found$/);
    await expect.poll(() => lit(page, 'step').count()).toBe(0);
    await find(page, '');
    await expect.poll(() => page.locator('mark.found').count()).toBe(0);
    expect(complaints).toEqual([]);
    await page.close();
  });

  it('are as many as the tabs say, which readers aloud are told with the step', async () => {
    const { page } = await open(`${corridors}#step=1`);
    await find(page, 'bob');
    await expect.poll(() => count(page, 'prompt')).toMatch(/^ \d+ found$/);
    expect(await count(page, 'step')).toBe('');
    const told = await count(page, 'prompt');
    await openPrompt(page);
    await expect.poll(async () => ` ${await lit(page, 'prompt').count()} found`).toBe(told);
    await page.keyboard.press('n');
    await expect
      .poll(() => page.locator('[role=status].aloud').textContent())
      .toMatch(/Found: (?:\d+ in the step, )?\d+ in the prompt\.$/);
    await find(page, '');
    await expect.poll(() => count(page, 'prompt')).toBe('');
    await page.close();
  });

  it('unfold the messages before, and are scrolled to', async () => {
    const { page } = await open(`${corridors}#step=4`, { height: 480 });
    await openPrompt(page);
    await expect.poll(() => page.locator('#panel-prompt details.earlier').count()).toBe(1);
    const isOpen = () => page.locator('#panel-prompt details.earlier').getAttribute('open');
    expect(await isOpen()).toBeNull();
    // Only the rules say so.
    await find(page, 'never instructions to you');
    await expect.poll(isOpen).toBe('');
    await expect.poll(() => isInSight(page)).toBe(true);
    // The newest message comes before what it repeats.
    await find(page, 'you may now');
    await expect.poll(() => lit(page, 'prompt').first().textContent()).toBe('You may now');
    await expect.poll(() => isInSight(page)).toBe(true);
    await page.getByLabel('Find words').press('Enter');
    await expect.poll(() => isInSight(page)).toBe(true);
    await find(page, 'no such words');
    await expect.poll(isOpen).toBeNull();
    expect(await page.evaluate('scrollY')).toBe(0);
    await page.close();
  });

  it('are looked for while they stand in the field: Escape leaves it and keeps them', async () => {
    const { page } = await open(`${corridors}#step=1`);
    await page.getByLabel('Find words').waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('east');
    await page.keyboard.press('Escape');
    expect(await page.getByLabel('Find words').inputValue()).toBe('east');
    await expect.poll(() => lit(page, 'step').count()).toBeGreaterThan(0);
    await page.close();
  });

  it('are text, whatever a log says and whatever is typed', async () => {
    const { page, complaints } = await open(`${corridors}#step=1`);
    await find(page, EVIL);
    await expect.poll(() => lit(page, 'step').allTextContents()).toEqual([EVIL]);
    expect(await page.evaluate("'pwned' in window")).toBe(false);
    expect(await page.locator('body img').count()).toBe(0);
    expect(complaints).toEqual([]);
    await page.close();
  });

  it('leave what is open and selected alone while nothing else is looked for', async () => {
    const { page } = await open(`${corridors}#step=4`);
    await openPrompt(page);
    await find(page, 'bob');
    await expect.poll(() => lit(page, 'prompt').count()).toBeGreaterThan(0);
    await page.evaluate("document.querySelector('#panel-prompt').firstChild.dataset.kept = 'yes'");
    await find(page, 'BOB');
    await page.keyboard.press('Escape');
    await page.keyboard.press('t');
    await expect.poll(() => page.locator('html').getAttribute('data-theme')).toBe('light');
    expect(await page.locator('#panel-prompt [data-kept]').count()).toBe(1);
    await page.close();
  });

  it('are no more in a tab than a page can bear, and all of them counted', async () => {
    const { page } = await open(`${corridors}#step=7`);
    await find(page, 'e');
    await expect.poll(() => lit(page, 'step').count()).toBe(2000);
    await expect.poll(() => count(page, 'step')).toMatch(/^ 30\d\d found$/);
    await page.close();
  });

  it('have a colour of their own, and a contrast of 4.5 at least, in light and dark', async () => {
    for (const colours of ['light', 'dark'] as const) {
      const { page } = await open(`${corridors}#step=1`, { colours });
      await find(page, 'go east');
      await expect.poll(() => lit(page, 'step').count()).toBe(2);
      const seen = await page.evaluate<{ contrasts: number[]; colours: string[] }>(`(() => {
        const light = (colour) => {
          const [r, g, b] = colour.match(/[\\d.]+/g).map(Number).map((c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
          return 0.2126 * r + 0.7152 * g + 0.0722 * b;
        };
        const contrast = (one, other) => (Math.max(light(one), light(other)) + 0.05) / (Math.min(light(one), light(other)) + 0.05);
        const of = (selector, name, pseudo) => getComputedStyle(document.querySelector(selector), pseudo)[name];
        const marks = [...document.querySelectorAll('mark.found')].map((one) => getComputedStyle(one));
        const legend = of('.legend .found', 'backgroundColor', '::before');
        const probe = document.body.appendChild(document.createElement('i'));
        const named = (name) => ((probe.className = ''), probe.style.setProperty('color', 'var(' + name + ')'), getComputedStyle(probe).color);
        return {
          contrasts: [
            ...marks.map((one) => contrast(one.color, one.backgroundColor)),
            contrast(of('.hits', 'color'), of('body', 'backgroundColor')),
            contrast(of('.count', 'color'), of('aside', 'backgroundColor')),
            contrast(legend, of('body', 'backgroundColor')),
          ],
          colours: [legend, ...['--good', '--speech', '--problem', '--fork', '--accent', '--lit'].map(named), ...marks.slice(0, 1).map((one) => one.backgroundColor)],
        };
      })()`);
      expect(Math.min(...seen.contrasts), colours).toBeGreaterThanOrEqual(4.5);
      expect(new Set(seen.colours).size, colours).toBe(seen.colours.length);
      await page.close();
    }
  });
});

/** A step whose attempts failed, in a browser: each attempt beside its own reply, the wait that nobody asked for told as such, goals and inventory beside them. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/base/json.js';
import { heldNames } from '../../src/view/held.js';
import { pageHtml, readPageFiles } from '../../src/view/html.js';
import { withPart, NO_DATA } from '../../src/view/page-data.js';
import type { PageStep } from '../../src/view/page-data.js';
import { corridor } from '../orchestrator/two-agents.js';
import { logged } from '../replay/support.js';
import { answering } from '../support/controllers.js';
import { temporaryFolder } from '../support/folder.js';
import { CHROMIUM, inChromium } from './browser.js';
import { partsOf } from './support.js';

const cwd = temporaryFolder();
let address = '';
let steps: readonly PageStep[] = [];

const SCENARIO = corridor('max: 5, attempts: 3').replace(
  '- { id: ann, sprite: figure/knight }',
  '- { id: ann, sprite: figure/knight, goals: [Find the coin., Greet Bob.] }',
);

beforeAll(async () => {
  const ann = answering([
    'ACTION: GO SOUTH',
    'ACTION: GO EAST',
    'ACTION: TAKE coin',
    'first try, no action',
    'ACTION: GO SOUTH',
    'third try, no action',
    'ACTION: WAIT',
  ]);
  const bob = answering(['ACTION: WAIT']);
  const scenario = SCENARIO.replace('#..k.s#', '#.k..s#');
  const log = (await logged(scenario, { controllers: { ann, bob } })).path;
  const parts = await partsOf(log);
  steps = parts.reduce(withPart, NO_DATA).runs[0]?.steps ?? [];
  address = join(cwd, 'tries.html');
  writeFileSync(address, pageHtml(readPageFiles(), parts));
});

describe('what an agent holds', () => {
  it.each<[string, JsonObject, readonly string[] | null]>([
    ['a list', { self: { holds: [{ name: 'key' }, { name: 'coin', amount: 3 }] } }, ['key', '3 × coin']],
    ['one thing', { self: { holds: { name: 'tyre' } } }, ['tyre']],
    ['empty hands', { self: { holds: null } }, []],
    ['no hands', { self: {} }, null],
    ['no self', {}, null],
  ])('%s', (_, facts, names) => {
    expect(heldNames(facts)).toEqual(names);
  });
});

const numberOf = (step: PageStep | undefined) => step?.step ?? 0;
const open3 = (page: Page) => page.locator('#panel-step');

describe('in a browser', { tags: ['long'] }, () => {
  inChromium('a step that was tried', (open) => {
    const at = (step: number) => `${pathToFileURL(address).href}#step=${step}`;

    it('shows each attempt with its own reply and what came of it, and the wait as a stand-in', async () => {
      const lost = steps.find(({ acts }) => acts.some(({ insteadOf }) => insteadOf !== null));
      const { page, complaints } = await open(at(numberOf(lost)), { width: 1200, height: 900 });
      const tries = page.locator('.try');
      await expect.poll(() => tries.count()).toBe(3);
      const texts = await tries.allTextContents();
      for (const [i, [reply, came]] of [
        ['first try, no action', 'unparsable'],
        ['ACTION: GO SOUTH', 'illegal/'],
        ['third try, no action', 'unparsable'],
      ].entries()) {
        expect(texts[i]).toContain(`Attempt ${i + 1} of 3`);
        expect(texts[i]).toContain(reply);
        expect(texts[i]).toContain(came);
      }
      // What came of another attempt does not stand with it, and nothing is lit that was not read as an action.
      for (const one of await tries.all()) expect(await one.locator('.came').count()).toBe(1);
      expect(await page.locator('.try mark').allTextContents()).toEqual(['GO SOUTH']);
      expect(await page.locator('.stand-in').textContent()).toContain(
        'None of 3 attempts gave a usable action',
      );
      const aloud = page.locator('[aria-live]');
      await expect.poll(() => aloud.textContent()).toContain('Ann: no usable answer, WAIT instead');
      await page.locator('#tab-list').click();
      const row = page.locator(`[data-step="${numberOf(lost)}"]`);
      expect(await row.textContent()).toContain('no usable answer, WAIT instead');
      expect(complaints).toEqual([]);
      await page.close();
    });

    it('shows a wait that the agent asked for as its own', async () => {
      const waited = steps.find(({ agent }) => agent === 'bob');
      const { page } = await open(at(numberOf(waited)));
      await expect.poll(() => open3(page).textContent()).toContain('WAIT');
      expect(await page.locator('.stand-in, .try').count()).toBe(0);
      // Bob has no goals, and holds nothing.
      expect(await page.locator('.bearings').textContent()).toBe('Inventorynothing');
      await page.close();
    });

    it('has the goals of who acts and what it holds', async () => {
      const taken = steps.find(({ agent, holds }) => agent === 'ann' && holds?.includes('coin') === true);
      const { page } = await open(at(numberOf(taken)));
      const bearings = page.locator('.bearings');
      await expect.poll(() => bearings.textContent()).toContain('coin');
      expect(await bearings.locator('h3:text("Inventory") + p').textContent()).toBe('coin');
      expect(await bearings.locator('li').allTextContents()).toEqual(['Find the coin.', 'Greet Bob.']);
      await page.close();
    });
  });
});

it.runIf(CHROMIUM !== null)('the run has what these tests look at', () => {
  expect(steps.some(({ holds }) => holds?.length === 0)).toBe(true);
});

/** The page in a real browser, opened from disk: the very pixels that were sent, what keys do, links, and that a hostile log is only text. */
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { known } from '../../src/base/assert.js';
import { LogReader } from '../../src/log/reader.js';
import { decodePng } from '../../src/render/png-input.js';
import { drawScene } from '../../src/render/raster.js';
import { pageHtml, readPageFiles } from '../../src/view/html.js';
import { unpackScene } from '../../src/view/packed-scene.js';
import { withPart, NO_DATA } from '../../src/view/page-data.js';
import type { PageData, PageStep } from '../../src/view/page-data.js';
import { corridor } from '../orchestrator/two-agents.js';
import { logged } from '../replay/support.js';
import { orchestrate } from '../support/captured-io.js';
import { answering } from '../support/controllers.js';
import { temporaryFolder } from '../support/folder.js';
import { CHROMIUM, inChromium } from './browser.js';
import { openRun, partsOf } from './support.js';

const cwd = temporaryFolder();
const LOG = join(cwd, 'crypt.sqlite');
let crypt = '';
let data: PageData = NO_DATA;

/** A log as a page on disk; gives its address. */
async function pageOf(log: string, name: string): Promise<string> {
  const path = join(cwd, name);
  writeFileSync(path, pageHtml(readPageFiles(), await partsOf(log)));
  return pathToFileURL(path).href;
}

beforeAll(async () => {
  if (CHROMIUM === null) return;
  const played = await orchestrate(['run', 'scenarios/crypt.yaml', '--quiet', '--out', LOG]);
  expect(played.code, played.err).toBe(0);
  const forked = await orchestrate([
    'fork',
    LOG,
    '--at',
    '33',
    '--reply',
    'ACTION: SPEAK "Who is there?"',
    '--quiet',
  ]);
  expect(forked.code, forked.err).toBe(0);
  data = (await partsOf(LOG)).reduce(withPart, NO_DATA);
  crypt = await pageOf(LOG, 'crypt.html');
});

/** The first step of the run in which something was refused. */
function firstProblem(): number {
  const reader = new LogReader(LOG);
  const steps = [...reader.steps(known(reader.runs()[0], 'a run').runId)];
  reader.close();
  return known(
    steps.find(({ acts }) => acts.some(({ result }) => !result.ok)),
    'a problem',
  ).step;
}

const stepOf = (page: Page) => page.locator('.where input').inputValue();
const shows = (page: Page, step: number) => expect.poll(() => stepOf(page)).toBe(String(step));
const address = (page: Page) => new URLSearchParams(new URL(page.url()).hash.slice(1));

/** A digest of what is on the first canvas, 4 bytes a pixel. What runs in the page is text here: these tests know no document. */
function digestOf(page: Page): Promise<string> {
  return page.evaluate<string>(`(async () => {
    const canvas = document.querySelector('canvas.picture');
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', data));
    return [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  })()`);
}

/** As if somebody changed the address by hand. */
const goTo = (page: Page, hash: string) => page.evaluate(`location.hash = ${JSON.stringify(hash)}`);

const sha = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

inChromium('a page from disk', (open) => {
  it('shows the very pixels of every picture that was sent', { tags: ['long'] }, async () => {
    const { page, complaints } = await open(`${crypt}#view=sent&step=1`);
    const run = known(data.runs[0], 'a run');
    const reader = new LogReader(LOG);
    let pictures = 0;
    for (const { step, calls } of run.steps.slice(0, 100)) {
      const { frameHash = null } = reader.calls(run.id, step).at(-1)?.request ?? {};
      expect(calls.length > 0).toBe(frameHash !== null);
      await shows(page, step);
      if (frameHash !== null) {
        await expect.poll(() => page.locator('canvas.picture').getAttribute('data-hash')).toBe(frameHash);
        const { data: pixels } = await decodePng(known(reader.frame(frameHash), 'a frame').png, 'the log');
        expect(await digestOf(page), `step ${step}`).toBe(sha(pixels));
        pictures += 1;
      }
      await page.keyboard.press('ArrowRight');
    }
    reader.close();
    expect(pictures).toBe(75);
    expect(complaints).toEqual([]);
    await page.close();
  });

  it('shows the map and the eyes of agents as the program draws them', async () => {
    const run = known(data.runs[0], 'a run');
    const reader = new LogReader(LOG);
    const { tileset } = await openRun({ reader, file: '', runId: null }, known(reader.runs()[0], 'a run'));
    const { page } = await open(`${crypt}#step=1`);
    for (const [view, place] of [
      ['map', run.steps[59]?.map],
      ['agent:knight', run.steps[59]?.eyes[2]],
    ] as const) {
      await goTo(page, `#step=60&view=${view}`);
      const scene = unpackScene(known(data.scenes[place ?? -1], 'a scene'), data);
      const { indices } = drawScene(scene, tileset, { ruler: false });
      const { rgb } = tileset.colours.palette;
      const pixels = new Uint8Array(indices.length * 4).fill(255);
      for (const [i, index] of indices.entries()) pixels.set(rgb.subarray(index * 3, index * 3 + 3), i * 4);
      await expect.poll(() => digestOf(page)).toBe(sha(pixels));
    }
    reader.close();
    await page.close();
  });

  it('does what each key says', { tags: ['long'] }, async () => {
    const { page, complaints } = await open(crypt);
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key);
    };
    await shows(page, 1);
    await press('ArrowRight', 'l');
    await shows(page, 3);
    await press('ArrowLeft', 'h', 'h', 'h', 'h');
    await shows(page, 0);
    await press('End');
    await shows(page, 147);
    await press('Home', 'G');
    await shows(page, 147);
    await press('g');
    await page.keyboard.type('42');
    await press('Enter');
    await shows(page, 42);
    await press('a', 'ArrowRight');
    await expect.poll(() => page.locator('aside h2').textContent()).toMatch(/^Step \d+ · turn \d+ · wizard$/);
    await press('a', 'a', 'a');
    await expect.poll(() => page.getByLabel('Agent whose steps are shown').inputValue()).toBe('');
    const before = await stepOf(page);
    await press('/');
    await page.keyboard.type('aldric');
    await expect.poll(() => page.locator('.hits').textContent()).toMatch(/^\d+ found$/);
    await press('Enter');
    await expect.poll(() => stepOf(page)).not.toBe(before);
    const found = Number(await stepOf(page));
    await press('Escape', 'n', 'N');
    await shows(page, found);
    await press('v');
    await expect.poll(() => page.getByLabel('Picture: view').inputValue()).toBe('agent:wizard');
    await press('b');
    await expect.poll(() => page.locator('.stage').count()).toBe(2);
    await press('b');
    await expect.poll(() => page.locator('.stage').count()).toBe(1);
    await press('+', '+', '-');
    await expect.poll(() => page.getByLabel('Speed').inputValue()).toBe('2');
    await press('?');
    await expect.poll(() => page.locator('dialog[open] dt').count()).toBe(19);
    await press('Escape');
    await expect.poll(() => page.locator('dialog[open]').count()).toBe(0);
    await press('Home', 'p');
    await shows(page, firstProblem());
    await expect.poll(() => page.locator('.came.refused').count()).toBeGreaterThan(0);
    expect(complaints).toEqual([]);
    await page.close();
  });

  it(
    'hears keys that come faster than frames: after a closed dialog, and of words that were just typed',
    { tags: ['long'] },
    async () => {
      const { page } = await open(crypt);
      // Its data is unpacked after the page has loaded.
      await page.locator('dialog').first().waitFor({ state: 'attached' });
      const at = (script: string) =>
        page.evaluate(`{
      const press = (key) => document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
      const search = document.querySelector('input[type=search]');
      const dialog = document.querySelector('dialog');
      ${script}
    }`);
      await at(`press('?'); dialog.close(); press('End');`);
      await shows(page, 147);
      await at(
        `press('Home'); press('/'); search.value = 'aldric'; search.dispatchEvent(new Event('input')); press('Enter');`,
      );
      await expect.poll(() => stepOf(page)).not.toBe('147');
      const found = Number(await stepOf(page));
      expect(found).toBeGreaterThan(0);
      await at(`press('Escape'); press('n'); press('N');`);
      await shows(page, found);
      await page.close();
    },
  );

  it('plays to the end, walks on the way, and stops there', { tags: ['long'] }, async () => {
    const { page } = await open(`${crypt}#step=100`);
    await page.getByLabel('Speed').selectOption('16');
    const between = new Set<string>();
    await page.getByRole('button', { name: 'Play' }).click();
    await expect.poll(() => page.getByRole('button', { name: 'Pause' }).count()).toBe(1);
    await expect.poll(async () => between.add(await digestOf(page)).size, { interval: 5 }).toBeGreaterThan(8);
    await expect.poll(() => stepOf(page)).toBe('147');
    await expect.poll(() => page.getByRole('button', { name: 'Play' }).count()).toBe(1);
    await expect.poll(() => page.locator('.end').textContent()).toContain('succeeded');
    await page.close();
  });

  it('has the words follow while it plays, and stops where a link leads', { tags: ['long'] }, async () => {
    const { page } = await open(`${crypt}#step=100`);
    await page.getByRole('button', { name: 'Play' }).click();
    await expect.poll(() => page.locator('aside h2').textContent()).toMatch(/^Step 10[1-9] /);
    expect(await page.getByRole('button', { name: 'Pause' }).count()).toBe(1);
    await goTo(page, '#step=9');
    await shows(page, 9);
    await expect.poll(() => page.getByRole('button', { name: 'Play' }).count()).toBe(1);
    await expect.poll(() => page.locator('aside h2').textContent()).toMatch(/^Step 9 /);
    await page.close();
  });

  it('opens where a link says, and tells where it is', async () => {
    const [parent, fork] = data.runs;
    const link = new URLSearchParams({
      run: parent?.id ?? '',
      view: 'agent:knight',
      run2: fork?.id ?? '',
      view2: 'map',
      step: '33',
    });
    const { page } = await open(`${crypt}#${link.toString()}`);
    await shows(page, 33);
    await expect.poll(() => page.locator('.stage').count()).toBe(2);
    expect(await page.getByLabel('Picture 1: view').inputValue()).toBe('agent:knight');
    expect(await page.getByLabel('Picture 2: run').inputValue()).toBe(fork?.id);
    await expect
      .poll(() => page.locator('.stage').nth(1).locator('.bubble').textContent())
      .toBe('Who is there?');
    await expect.poll(() => address(page).get('run2')).toBe(fork?.id);
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => address(page).get('step')).toBe('34');
    for (const odd of ['step=-5', 'step=99999', 'step=x', 'run=nobody&view=nothing', '%', '=&&='])
      await goTo(page, odd);
    // The key comes once the page has followed the last address, which it then writes anew.
    await expect.poll(() => page.evaluate('location.hash')).toMatch(/step=1\b/);
    await page.keyboard.press('Home');
    await shows(page, 0);
    await page.close();
  });

  it('lights the accepted part of the reply, and has the prompt word for word with its picture', async () => {
    const { page } = await open(`${crypt}#step=9`);
    const reader = new LogReader(LOG);
    const call = known(reader.calls(known(data.runs[0], 'a run').id, 9)[0], 'a call');
    reader.close();
    const act = known(data.runs[0]?.steps[8]?.acts[0], 'an act');
    await expect
      .poll(() => page.locator('mark').textContent())
      .toBe(known(act.accepted, 'its reading').words);
    await page.getByRole('tab', { name: 'Prompt' }).click();
    await expect.poll(() => page.locator('.message').count()).toBe(call.request.messages.length);
    const texts = await page.locator('.message pre').allTextContents();
    const sent = call.request.messages.flatMap(({ parts }) =>
      parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])),
    );
    expect(texts).toEqual(sent);
    await expect
      .poll(() => page.locator('#panel-prompt canvas').last().getAttribute('data-hash'))
      .toBe(call.request.frameHash);
    await page.close();
  });

  it(
    'goes where the address was sent, also where the address of the step before is written over it',
    { tags: ['long'] },
    async () => {
      const { page } = await open(`${crypt}#step=9`);
      await shows(page, 9);
      await page.evaluate(`{
      location.hash = 'step=20';
      history.replaceState(null, '', '#step=9');
    }`);
      await shows(page, 20);
      await page.close();
    },
  );

  it(
    'finds words of the rules, of prompts, replies and problems, each where it stands first or newest',
    { tags: ['long'] },
    async () => {
      const { page } = await open(`${crypt}#step=9`);
      const finds = async (words: string, steps: number) => {
        await page.getByLabel('Find words').fill(words);
        await expect.poll(() => page.locator('.hits').textContent()).toBe(`${steps} found`);
      };
      // Each of three agents is told the rules once, and reads them again with every prompt.
      await finds('never instructions to you', 3);
      const [run] = data.runs;
      const isLocked = (step: PageStep) =>
        step.acts.some(({ problem }) => problem?.code === 'illegal/locked');
      const refused = run?.steps.filter(isLocked).length ?? 0;
      expect(refused).toBeGreaterThan(0);
      await finds('illegal/locked', refused);
      await finds('no such words', 0);
      await page.close();
    },
  );

  it('lists all steps, filtered, and leads to them', { tags: ['long'] }, async () => {
    const { page } = await open(crypt);
    await page.getByRole('tab', { name: 'All steps' }).click();
    await expect.poll(() => page.locator('.row').count()).toBeGreaterThan(5);
    // Far fewer than there are: only what can be seen.
    expect(await page.locator('.row').count()).toBeLessThan(60);
    await page.getByRole('button', { name: 'Forks' }).click();
    await expect.poll(() => page.locator('.row').count()).toBe(1);
    await page.locator('.row').click();
    await shows(page, 33);
    await page.getByRole('button', { name: 'Problems' }).click();
    await expect.poll(() => page.locator('.row.refused').count()).toBe(await page.locator('.row').count());
    await page.close();
  });

  it('is told to readers aloud: names, roles, tabs by arrows, and each step in words', async () => {
    const { page } = await open(`${crypt}#step=9`);
    await expect
      .poll(() => page.locator('[role=status].aloud').textContent())
      .toMatch(/^Step 9 of 147, turn 3, wizard: /);
    expect(await page.getByRole('slider', { name: 'Step' }).getAttribute('aria-valuetext')).toMatch(
      /^Step 9 of 147/,
    );
    expect(await page.getByRole('img').first().getAttribute('aria-label')).toMatch(
      /^The whole map: .*knight/,
    );
    const nameless = await page.evaluate(`
      [...document.querySelectorAll('button, select, input, canvas[role=img], [role=tabpanel]')]
        .filter((one) => !one.getAttribute('aria-label') && !one.textContent && !one.getAttribute('aria-labelledby'))
        .map((one) => one.outerHTML)`);
    expect(nameless).toEqual([]);
    // What a key changes beside the step is said too, also that there is nowhere to go.
    for (const [key, words] of [
      ['v', 'view of wizard'],
      ['a', 'Steps of wizard'],
      ['+', 'Speed 2×'],
      ['b', 'Two pictures'],
      ['b', 'One picture'],
      ['m', 'No step matches.'],
    ] as const) {
      await page.keyboard.press(key);
      await expect.poll(() => page.locator('[role=status].aloud').textContent()).toBe(words);
    }
    await page.keyboard.press('-');
    for (let i = 0; i < 3; i++) await page.keyboard.press('a');
    await page.getByRole('tab', { name: 'Step', exact: true }).focus();
    await page.keyboard.press('ArrowRight');
    expect(await page.getByRole('tab', { selected: true }).textContent()).toBe('Prompt');
    await shows(page, 9);
    await page.getByRole('slider', { name: 'Step' }).focus();
    await page.keyboard.press('ArrowRight');
    await shows(page, 10);
    await page.keyboard.press('Space');
    await expect.poll(() => page.getByRole('button', { name: 'Pause' }).count()).toBe(1);
    await page.close();
  });

  it(
    'is light or dark as the system is, until somebody chooses; narrow, nothing is cut off',
    { tags: ['long'] },
    async () => {
      const ground = (page: Page) => page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
      const [light, dark] = [
        await open(crypt),
        await open(crypt, { colours: 'dark', width: 380, height: 700 }),
      ];
      await shows(light.page, 1);
      await shows(dark.page, 1);
      expect(await ground(light.page)).not.toBe(await ground(dark.page));
      await dark.page.keyboard.press('t');
      await expect.poll(() => ground(dark.page)).toBe(await ground(light.page));
      expect(await dark.page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(
        380,
      );
      for (const { page } of [light, dark]) await page.close();
    },
  );

  it(
    'can be read in its list too, in light and dark: every word has a contrast of 4.5 at least',
    { tags: ['long'] },
    async () => {
      for (const colours of ['light', 'dark'] as const) {
        const { page } = await open(`${crypt}#step=33`, { colours });
        await page.getByRole('tab', { name: 'All steps' }).click();
        await expect.poll(() => page.locator('.row[aria-current] .badge').count()).toBeGreaterThan(0);
        const faint = await page.evaluate(`(() => {
        const numbers = (colour) => colour.match(/[\\d.]+/g).map(Number);
        const light = (colour) => {
          const [r, g, b] = numbers(colour).map((c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
          return 0.2126 * r + 0.7152 * g + 0.0722 * b;
        };
        const under = (one) => {
          const colour = getComputedStyle(one).backgroundColor;
          return (numbers(colour)[3] ?? 1) > 0 || one.parentElement === null ? colour : under(one.parentElement);
        };
        return [...document.querySelectorAll('.row[aria-current], .row[aria-current] *')].filter((one) => {
          const [a, b] = [light(getComputedStyle(one).color), light(under(one))];
          return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05) < 4.5;
        }).map((one) => one.className);
      })()`);
        expect(faint, colours).toEqual([]);
        await page.close();
      }
    },
  );

  it('of many agents keeps within its window, and says how many they are', { tags: ['long'] }, async () => {
    const bodies = Array.from(
      { length: 20 },
      (_, i) =>
        `  - { id: a-long-name-of-agent-${i}, sprite: figure/knight, at: [${1 + i}, 1], controller: random }`,
    );
    const map = ['#'.repeat(22), `#${'.'.repeat(20)}#`, '#'.repeat(22)].map((row) => `  ${row}`);
    const scenario = join(cwd, 'crowd.yaml');
    writeFileSync(
      scenario,
      ['title: Crowd', 'seed: 1', 'map: |', ...map, 'agents:', ...bodies, 'turns: { max: 1 }'].join('\n'),
    );
    const log = join(cwd, 'crowd.sqlite');
    const played = await orchestrate(['run', scenario, '--quiet', '--out', log]);
    expect(played.code, played.err).toBe(0);
    const { page } = await open(await pageOf(log, 'crowd.html'));
    await shows(page, 1);
    await expect.poll(() => page.locator('.status').textContent()).toContain(' · 20 agents (random) · ');
    for (const words of ['aside', '.tools', '.legend']) {
      const place = await page.locator(words).boundingBox();
      expect((place?.x ?? 0) + (place?.width ?? 9999), words).toBeLessThanOrEqual(1200);
    }
    await page.close();
  });

  it('asks the network for nothing, and keeps within its policy', async () => {
    const { page, requests, complaints } = await open(crypt);
    await page.getByRole('tab', { name: 'Prompt' }).click();
    await page.keyboard.press('End');
    await shows(page, 147);
    expect(requests).toEqual([crypt]);
    expect(complaints).toEqual([]);
    const outcome = await page.evaluate(
      "fetch('http://127.0.0.1:9/').then(() => 'fetched', () => 'refused')",
    );
    expect(outcome).toBe('refused');
    await expect.poll(() => complaints.join(' ')).toContain('Content Security Policy');
    await page.close();
  });

  it(
    'of worlds without pictures leads from one run to another all the same',
    { tags: ['long'] },
    async () => {
      const log = join(cwd, 'files.sqlite');
      for (const seed of ['1', '2']) {
        const args = [
          'run',
          'scenarios/files.yaml',
          '--controller',
          'random',
          '--quiet',
          '--out',
          log,
          '--seed',
          seed,
        ];
        expect((await orchestrate(args)).code).toBe(1);
      }
      const { page } = await open(await pageOf(log, 'files.html'));
      await expect.poll(() => page.getByLabel('Picture: run').isVisible()).toBe(true);
      const [, second] = await page.getByLabel('Picture: run').locator('option').all();
      await page.getByLabel('Picture: run').selectOption(await known(second, 'a run').getAttribute('value'));
      await expect
        .poll(() => address(page).get('run'))
        .toBe(await known(second, 'a run').getAttribute('value'));
      expect(await page.locator('canvas.picture').isVisible()).toBe(false);
      await page.close();
    },
  );

  it('shows what a hostile log says as text, in every place', { tags: ['long'] }, async () => {
    const evil =
      '</script><script>window.pwned=1</script><img src=x onerror="window.pwned=1"><svg/onload=window.pwned=1>{{7*7}}${7*7}\u202e';
    const text = corridor('max: 3').replace('title: Corridor', `title: ${JSON.stringify(evil)}`);
    const { path } = await logged(text, {
      controllers: {
        ann: answering([
          `${evil}\nACTION: SPEAK "<img src=x onerror=pwned=1>"`,
          evil,
          `ACTION: SPEAK "</pre><script>pwned=1</script>"`,
        ]),
        bob: answering(['ACTION: WAIT', `ACTION: SPEAK "javascript:pwned=1"`]),
      },
    });
    const file = await pageOf(path, 'evil.html');
    const { page, complaints } = await open(file);
    await shows(page, 1);
    for (const tab of ['Step', 'Prompt', 'All steps'])
      for (let i = 0; i < 6; i++) {
        await page.getByRole('tab', { name: tab, exact: true }).click();
        await page.keyboard.press(i === 5 ? 'Home' : 'l');
      }
    await page.keyboard.press('/');
    await page.keyboard.type(evil);
    expect(await page.evaluate("'pwned' in window")).toBe(false);
    expect(await page.locator('body img, body svg[onload], body script, b[onclick]').count()).toBe(0);
    expect(await page.locator('h1').textContent()).toContain('</script><script>');
    expect(complaints).toEqual([]);
    await page.close();
  });
});

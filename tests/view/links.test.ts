/**
 * What a page with several runs is told by: entries of its menu, no two alike, and links, also to what is not there.
 * @module-tag long
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { known } from '../../src/base/assert.js';
import { pageHtml, readPageFiles } from '../../src/view/html.js';
import { readLink } from '../../src/view/page/link.js';
import { runNames } from '../../src/view/page/run-names.js';
import { withPart, NO_DATA } from '../../src/view/page-data.js';
import type { PageData } from '../../src/view/page-data.js';
import { PageServer } from '../../src/view/server.js';
import { orchestrate } from '../support/captured-io.js';
import { temporaryFolder } from '../support/folder.js';
import { inChromium } from './browser.js';
import { makerOf, partsOf } from './support.js';

const cwd = temporaryFolder();
const LOG = join(cwd, 'several.sqlite');
let data: PageData = NO_DATA;
let address = '';

/** One crypt by its script and one at random, and forks of the first. */
beforeAll(async () => {
  const play = async (...args: string[]) => {
    const played = await orchestrate([...args, '--quiet', '--json']);
    expect([0, 1], played.err).toContain(played.code);
    return (JSON.parse(played.out) as { run_id: string }).run_id;
  };
  const first = await play('run', 'scenarios/crypt.yaml', '--out', LOG);
  await play('run', 'scenarios/crypt.yaml', '--out', LOG, '--controller', 'random', '--max-turns', '3');
  const fork = (...args: string[]) => play('fork', `${LOG}#${first}`, '--at', '33', ...args);
  await fork('--max-turns', '12', '--reply', 'ACTION: WAIT');
  await fork('--max-turns', '12', '--reply', 'ACTION: SPEAK "Who is there?"');
  await fork('--max-turns', '12', '--controller', 'random');
  await fork('--max-turns', '12', '--reply', 'ACTION: WAIT');
  const parts = await partsOf(LOG);
  data = parts.reduce(withPart, NO_DATA);
  const file = join(cwd, 'several.html');
  writeFileSync(file, pageHtml(readPageFiles(), parts));
  address = pathToFileURL(file).href;
});

const names = (of: PageData) => runNames(of).map(([, name]) => name);

describe('entries of the menu of runs', () => {
  it('tell players where they differ and what a fork changed, and no two are alike', () => {
    const ids = data.runs.map(({ id }) => id);
    expect(names(data)).toEqual([
      '1. seed 7, scripted',
      '2. seed 7, random',
      `3. fork of 1 at step 33, reply of wizard: "ACTION: WAIT" and 1 more, ${ids[2]}`,
      '4. fork of 1 at step 33, reply of wizard: "ACTION: SPEAK \\"Who is there?\\… and 1 more',
      '5. fork of 1 at step 33, random, turns.max: 80 → 12',
      `6. fork of 1 at step 33, reply of wizard: "ACTION: WAIT" and 1 more, ${ids[5]}`,
    ]);
  });

  it('leave out what all have the same, and name who plays whom where players are mixed', () => {
    const [first, second] = [known(data.runs[0], 'a run'), known(data.runs[1], 'a run')];
    expect(names({ ...data, runs: [first] })).toEqual(['1. seed 7']);
    const other = { ...second, title: 'Another world' };
    // Players are told among runs of one title: others are told apart by it.
    expect(names({ ...data, runs: [first, other] })).toEqual([
      '1. seed 7, The Crown of Aldric',
      '2. seed 7, Another world',
    ]);
    const [wizard, ...rest] = second.agents;
    const mixed = { ...second, agents: [{ ...known(wizard, 'an agent'), player: 'gemma' }, ...rest] };
    expect(names({ ...data, runs: [first, mixed] })[1]).toBe(
      '2. seed 7, wizard gemma + blacksmith random + knight random',
    );
  });
});

describe('a link', () => {
  const lack = (hash: string) => readLink(data, hash).missingText;

  it('says nothing where all of it is there', () => {
    const { id } = known(data.runs[0], 'a run');
    for (const hash of ['', '#', '#step=', '#step=147', '#step=0', `#run=${id}&step=5&run2=${id}`])
      expect(lack(hash), hash).toBe('');
  });

  it('says which run or step is not there, and what is shown instead', () => {
    expect(lack('#run=nothere&step=9999')).toBe(
      'The link’s run nothere and step 9999 aren’t on this page: step 147 of run 1 is shown instead.',
    );
    const { id } = known(data.runs[1], 'a run');
    expect(lack(`#run=${id}&step=100`)).toMatch(/^The link’s step 100 isn’t .*: step \d+ of run 2 is shown/);
    expect(lack('#run2=nothere&step=3')).toMatch(
      /^The link’s run nothere isn’t .*: step 3 of run 1 is shown/,
    );
    for (const step of ['-1', 'abc', '1.5']) expect(lack(`#step=${step}`)).toContain(`step ${step} isn’t`);
    const only = { ...data, runs: data.runs.slice(0, 1) };
    expect(readLink(only, '#step=9999').missingText).toMatch(/: step 147 is shown instead\.$/);
    const begun = { ...data, runs: only.runs.map((run) => ({ ...run, steps: [] })) };
    expect(readLink(begun, '#step=4').missingText).toMatch(/: the beginning is shown instead\.$/);
  });

  it('is a stranger’s text: short, and without what turns a line around', () => {
    const words = lack(`#run=${encodeURIComponent(`\u202e${'a'.repeat(500)}`)}`);
    expect(words).not.toContain('\u202e');
    expect(words.length).toBeLessThan(150);
  });
});

const told = (page: Page) => page.getByRole('alert').first().textContent();
const step = (page: Page) => page.locator('.where input').inputValue();

inChromium('a page with several runs', (open) => {
  it('says that a link leads nowhere until somebody goes on, and again with the next such link', async () => {
    const { page, complaints } = await open(`${address}#run=nothere&step=9999`);
    await expect.poll(() => told(page)).toMatch(/^The link’s run nothere and step 9999 aren’t on this page/);
    expect(await page.getByRole('alert').first().isVisible()).toBe(true);
    // What is no way to another step leaves it there.
    await page.keyboard.press('+');
    await expect.poll(() => page.getByLabel('Speed').inputValue()).toBe('2');
    expect(await told(page)).not.toBe('');
    await page.keyboard.press('ArrowLeft');
    await expect.poll(() => told(page)).toBe('');
    await page.evaluate("location.hash = '#step=777'");
    await expect.poll(() => told(page)).toContain('step 777 isn’t');
    await page.evaluate("location.hash = '#step=7'");
    await expect.poll(() => told(page)).toBe('');
    await page.evaluate("location.hash = '#run=nothere'");
    await expect.poll(() => told(page)).toContain('run nothere isn’t');
    const { id } = known(data.runs[1], 'a run');
    await page.getByLabel('Picture: run').selectOption(id);
    await expect.poll(() => told(page)).toBe('');
    expect(complaints).toEqual([]);
    await page.close();
  });

  it('has the entries in its menu', async () => {
    const { page } = await open(address);
    await expect
      .poll(() => page.getByLabel('Picture: run').locator('option').allTextContents())
      .toEqual(names(data));
    await page.close();
  });

  it('served part by part leads to a step of a later part, and says what is not there once all has come', async () => {
    const { reader, maker } = makerOf(LOG, known(data.runs[0], 'a run').id);
    const server = new PageServer({
      files: readPageFiles(),
      next: () => maker.part({ isAll: true }),
      annotate: () => undefined,
      port: 0,
      onError: (error) => expect(error).toBeNull(),
    });
    const origin = await server.open();
    const { page } = await open(`${origin}&step=100`);
    await expect.poll(() => page.locator('.total').textContent()).toBe(' of 147');
    await expect.poll(() => step(page)).toBe('100');
    expect(await told(page)).toBe('');
    await page.close();
    const beyond = await open(`${origin}&step=500`);
    await expect.poll(() => told(beyond.page)).toContain('step 147 is shown instead');
    await beyond.page.close();
    await server.close();
    reader.close();
  });
});

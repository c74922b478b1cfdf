/** Two people on two browsers play a scenario to its end: by click, arrows, offered buttons and typed lines. What they did is an ordinary log. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { LogReader } from '../../src/log/reader.js';
import { orchestrate } from '../support/captured-io.js';
import { ROOT, startProgram } from '../support/children.js';
import { temporaryFolder } from '../support/folder.js';
import { inChromium } from '../view/browser.js';

const SCENARIO = join(ROOT, 'scenarios/two-keepers.yaml');

/** The served scenario, as a process of its own; gives the address of its seats. */
async function serving(log: string) {
  const program = startProgram(
    ['serve', SCENARIO, '--pace', 'lockstep', '--wait', 'all', '--listen', '127.0.0.1:0', '--out', log],
    { cwd: temporaryFolder() },
  );
  await program.prints(/seats in the browser: \S+\n/);
  const [, seats = ''] = /seats in the browser: (\S+)\n/.exec(program.output()) ?? [];
  return { program, seats };
}

async function take(page: Page, name: string, entity: string): Promise<void> {
  await page.getByLabel('Your name').fill(name);
  await page.getByRole('button', { name: `Take ${entity}` }).click();
}

const turnOf = (page: Page) => page.locator('.status').textContent();
const isAsked = (page: Page) =>
  expect.poll(() => page.locator('.countdown').textContent()).toMatch(/^Your turn/);

/** Clicks on the middle of a tile, which is counted from the frame's upper left corner. */
async function clickTile(page: Page, x: number, y: number): Promise<void> {
  const canvas = page.locator('.board canvas');
  const box = await canvas.boundingBox();
  if (box === null) throw new Error('no picture');
  const tile = box.width / 15;
  await canvas.click({ position: { x: (x + 0.5) * tile, y: (y + 0.5) * tile } });
}

inChromium('two people at their seats', (open) => {
  it('play two-keepers to its end, and the log is that of any run', async () => {
    const log = join(temporaryFolder(), 'run.sqlite');
    const { program, seats } = await serving(log);
    const [ann, bob] = [await open(seats), await open(seats, { width: 390, height: 844 })];
    const [monk, miner] = [ann.page, bob.page];
    await take(monk, 'Ann', 'monk');
    await expect.poll(() => monk.locator('main').textContent()).toContain('(1 of 2)');
    await expect.poll(() => miner.locator('.seats li').first().textContent()).toContain('played by Ann');
    expect(await miner.getByRole('button', { name: 'Take monk' }).isDisabled()).toBe(true);
    await take(miner, 'Bob', 'miner');

    await isAsked(monk);
    await expect.poll(() => monk.locator('.briefing pre').textContent()).toContain('You are a monk');
    expect(await monk.locator('.briefing pre').textContent()).not.toMatch(/ACTION|reply|Answer/i);
    // Reading costs no turn: the monk is asked again.
    await monk.getByRole('button', { name: 'READ inscription' }).click();
    await expect.poll(() => monk.locator('.right').textContent()).toContain('Only the green lever opens');
    await monk.getByLabel('Words to say').fill('Use the green lever.');
    await monk.keyboard.press('Enter');
    await expect.poll(() => monk.locator('.journal').textContent()).toContain('You: SPEAK');
    await isAsked(miner);
    await expect.poll(() => miner.locator('.journal').textContent()).toContain('monk: Use the green lever.');
    // The green lever is four tiles east and three north of the miner, who stands in the middle of the picture.
    await clickTile(miner, 11, 4);
    await isAsked(monk);
    expect(await turnOf(monk)).toBe('You are monk · turn 2');
    await monk.getByRole('button', { name: 'WAIT' }).click();
    await isAsked(miner);
    const line = miner.getByLabel('Command', { exact: true });
    await line.fill('use gren lever');
    await expect.poll(() => miner.locator('.reading').textContent()).toContain('Did you mean green lever?');
    await miner.keyboard.press('Enter');
    await line.fill('use green lever');
    await expect.poll(() => miner.locator('.reading').textContent()).toBe('Understood.');
    await miner.keyboard.press('Enter');
    await isAsked(monk);
    await monk.getByRole('button', { name: 'WAIT' }).click();
    await isAsked(miner);
    await miner.locator('h1').click();
    await miner.keyboard.press('ArrowUp');
    await expect.poll(() => miner.locator('.outcome').textContent()).toContain('You can’t go north');
    await miner.keyboard.press('ArrowRight');
    for (const page of [monk, miner])
      await expect.poll(() => page.locator('main').textContent()).toContain('The miner is in the vault.');
    expect((await program.ended).code).toBe(0);
    // The program ends with the run, maybe while a page still asks for something.
    const isItsEnd = (complaint: string) => /net::ERR_CONNECTION_(RESET|REFUSED|CLOSED)/.test(complaint);
    expect([...ann.complaints, ...bob.complaints].filter((complaint) => !isItsEnd(complaint))).toEqual([]);
    for (const page of [monk, miner]) await page.close();

    const reader = new LogReader(log);
    const [{ runId } = { runId: '' }] = reader.runs();
    expect(reader.end(runId)).toMatchObject({ status: 'succeeded', turns: 3 });
    expect(reader.leases(runId).map(({ entity, controller, event }) => [entity, controller, event])).toEqual([
      ['monk', 'Ann', 'granted'],
      ['miner', 'Bob', 'granted'],
    ]);
    const steps = [...reader.steps(runId)];
    const players = steps.flatMap(({ step }) =>
      reader.calls(runId, step).map(({ request }) => request.controller),
    );
    expect(new Set(players)).toEqual(new Set(['lease:Ann#1', 'lease:Bob#1']));
    // The slip was told while it was typed: no attempt of the run was used up by it.
    expect(steps.flatMap(({ acts }) => acts).every(({ result }) => result.ok)).toBe(true);
    reader.close();
    expect((await orchestrate(['verify', log])).code).toBe(0);
    const out = join(temporaryFolder(), 'data');
    expect((await orchestrate(['export', log, '--format', 'jsonl', '--out', out])).code).toBe(0);
    expect(readdirSync(out).length).toBeGreaterThan(0);
  });
});

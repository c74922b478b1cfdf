/**
 * The served page in a real browser: it follows a run that is played, keeps its key to itself, and no other site gets at it.
 * @module-tag long
 */
import { mkdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, expect, it } from 'vitest';
import { known } from '../../src/base/assert.js';
import { readMarks } from '../../src/log/annotations.js';
import { LogWriter } from '../../src/log/writer.js';
import { TurnOrchestrator } from '../../src/orchestrator/turn-orchestrator.js';
import { pageHtml, readPageFiles } from '../../src/view/html.js';
import { PageServer } from '../../src/view/server.js';
import { corridor } from '../orchestrator/two-agents.js';
import { jsonLines } from '../export/runs.js';
import { orchestrate } from '../support/captured-io.js';
import { answering } from '../support/controllers.js';
import { temporaryFolder } from '../support/folder.js';
import { NEVER_STOPPED, partsFor } from '../support/play.js';
import { CHROMIUM, inChromium } from './browser.js';
import { makerOf, partsOf } from './support.js';

const cwd = temporaryFolder();
const closing: (() => unknown)[] = [];
const errors: unknown[] = [];
afterEach(() => expect(errors).toEqual([]));
afterAll(async () => {
  for (const close of closing) await close();
});

/** A run that waits before each turn until it is let go on, and a server of its page. */
async function playing(turns: number) {
  const path = join(cwd, `${closing.length}.sqlite`);
  const writer = new LogWriter(path);
  const gates: (() => void)[] = [];
  const parts = await partsFor(corridor(`max: ${turns}`), writer, {
    controllers: { ann: answering(['ACTION: GO EAST']), bob: answering(['ACTION: SPEAK "Still here."']) },
    beforeStep: ([agent]) =>
      agent === 'ann' ? new Promise((resolve) => gates.push(resolve)) : Promise.resolve(),
  });
  const ended = new TurnOrchestrator(parts).run(NEVER_STOPPED).finally(() => writer.close());
  await expect.poll(() => gates.length).toBe(1);
  const { reader, maker } = makerOf(path);
  const server = new PageServer({
    files: readPageFiles(),
    next: () => maker.part({ isAll: false }),
    annotate: (said) => maker.annotate(said),
    port: 0,
    onError: (error) => errors.push(error),
  });
  const address = await server.open();
  closing.push(async () => {
    await server.close();
    reader.close();
  });
  const turn = async (number: number) => {
    await expect.poll(() => gates.length).toBe(number);
    known(gates[number - 1], 'a gate')();
  };
  return { path, server, address, turn, ended };
}

/** A site of somebody else's, on this machine too; gives its address. */
async function otherSite(): Promise<string> {
  const site = createServer((_, response) =>
    response.setHeader('content-type', 'text/html').end('<body>evil'),
  );
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  closing.push(() => site.close());
  return `http://evil.test:${(site.address() as AddressInfo).port}/`;
}

const status = (page: Page) => page.locator('.status').textContent();
/** What stands before it. */
const sign = (page: Page) =>
  page.evaluate("getComputedStyle(document.querySelector('.status'), '::before').content");

inChromium('a served page', (open) => {
  it('follows a run that is being played, to its end', async () => {
    const { address, turn, ended } = await playing(3);
    const { page, complaints } = await open(address);
    await expect.poll(() => status(page)).toMatch(/^unfinished · 0 steps/);
    await expect.poll(() => sign(page)).toBe('"● live "');
    await turn(1);
    // What is durable is shown: the newest steps wait for the next commit.
    await expect.poll(() => status(page)).toMatch(/^unfinished · [1-3] steps/);
    await page.keyboard.press('End');
    await turn(2);
    await turn(3);
    await ended;
    await expect.poll(() => status(page)).toMatch(/^ended · 9 steps/);
    expect(await sign(page)).toBe('none');
    // Who stood at the end went along.
    await expect.poll(() => page.locator('.where input').inputValue()).toBe('9');
    expect(complaints).toEqual([]);
    await page.close();
  });

  it('takes its key out of the address at once, and still has it when it is loaded again', async () => {
    const { address } = await playing(1);
    const { page, requests } = await open(address);
    await expect.poll(() => status(page)).toMatch(/0 steps/);
    const key = address.slice(address.indexOf('token=') + 'token='.length);
    expect(page.url()).not.toContain(key);
    await page.reload();
    await expect.poll(() => status(page)).toMatch(/0 steps/);
    expect(requests.every((one) => !one.includes(key) || one === address)).toBe(true);
    expect(await page.content()).not.toContain(key);
    await page.close();
  });

  it('without the key, or once its program has ended, says what to do', async () => {
    const { address, server } = await playing(1);
    const origin = new URL(address).origin;
    const { page } = await open(`${origin}/`);
    await expect
      .poll(() => page.locator('.lost').textContent())
      .toMatch(/Open the address that the program printed/);
    await page.close();
    const other = await open(address);
    await expect.poll(() => status(other.page)).toMatch(/0 steps/);
    await server.close();
    await expect.poll(() => status(other.page)).toMatch(/The program that served this page has ended/);
    await other.page.close();
  });

  it('is out of reach for another site, also for one whose name leads to this machine', async () => {
    const { address, server } = await playing(1);
    const { origin, port } = new URL(address);
    const key = address.slice(address.indexOf('token=') + 'token='.length);
    // A rebound name, same machine and port, another Host: not even an error page of ours is shown.
    await expect(open(`http://evil.test:${port}/`)).rejects.toThrow('ERR_HTTP_RESPONSE_CODE_FAILURE');
    const { page } = await open(await otherSite());
    const tried = await page.evaluate<readonly string[]>(`(async () => {
      const key = ${JSON.stringify(key)};
      const tell = (promise) => promise.then((answer) => answer.text()).then((text) => 'read ' + text.length, () => 'refused');
      const made = (name, change) => new Promise((resolve) => {
        const one = Object.assign(document.createElement(name), change);
        one.onload = () => resolve('loaded'); one.onerror = () => resolve('refused');
        document.body.append(one); setTimeout(() => resolve('nothing'), 1500);
      });
      const headers = { authorization: 'Bearer ' + key };
      return Promise.all([
        tell(fetch('/')),
        tell(fetch('http://evil.test:${port}/data?from=0', { headers })),
        tell(fetch('${origin}/data?from=0', { headers, mode: 'no-cors' })),
        tell(fetch('${origin}/data?from=0', { headers })),
        tell(fetch('${origin}/', {})),
        tell(fetch('${origin}/', { mode: 'no-cors' })),
        made('script', { src: '${origin}/data?from=0' }),
        made('img', { src: '${origin}/' }),
        new Promise((resolve) => { const one = new EventSource('${origin}/data?from=0'); one.onopen = () => resolve('opened'); one.onerror = () => resolve('refused'); }),
        new Promise((resolve) => { const one = new WebSocket('ws://127.0.0.1:${port}/data?from=0'); one.onopen = () => resolve('opened'); one.onerror = () => resolve('refused'); }),
      ]);
    })()`);
    expect(tried).toEqual(['read 10', ...Array<string>(9).fill('refused')]);
    await page.evaluate(
      `document.body.append(Object.assign(document.createElement('iframe'), { src: '${origin}/' }))`,
    );
    await expect.poll(() => page.frames().length).toBe(2);
    // The browser's own word that nothing may be shown there.
    await expect.poll(() => known(page.frames()[1], 'a frame').url()).toMatch(/^chrome-error:/);
    await page.close();
    await server.close();
  });
});

inChromium('judging in a served page', (open) => {
  it('accepts, rejects with a reason and corrects by keys, beside the log, and other pages see it', async () => {
    const { path, address, turn, ended } = await playing(2);
    await turn(1);
    await turn(2);
    await ended;
    const before = readFileSync(path);
    const [mine, yours] = [await open(`${address}&step=1`), await open(`${address}&step=1`)];
    const { page } = mine;
    await expect.poll(() => status(page)).toMatch(/6 steps/);
    await page.keyboard.press('y');
    await expect.poll(() => page.locator('.told').textContent()).toBe('Step 1: accepted.');
    const pressed = (one: Page, name: string) =>
      one.getByRole('button', { name, exact: true }).getAttribute('aria-pressed');
    for (const one of [page, yours.page]) await expect.poll(() => pressed(one, 'Accept')).toBe('true');
    await page.keyboard.press('l');
    await page.keyboard.press('x');
    await page.keyboard.type('it repeats itself');
    await page.keyboard.press('Control+Enter');
    for (const one of [page, yours.page]) {
      await one.getByRole('tab', { name: 'All steps' }).click();
      await expect.poll(() => one.locator('.badge').count()).toBe(2);
    }
    await yours.page.keyboard.press('m');
    await expect.poll(() => yours.page.locator('.said').textContent()).toBe('rejected: it repeats itself');
    await page.keyboard.press('u');
    await expect.poll(() => page.locator('.where input').inputValue()).toBe('4');
    await page.keyboard.press('c');
    expect(await page.getByRole('textbox', { name: 'The reply that' }).inputValue()).toBe('ACTION: WAIT');
    await page.keyboard.type('I go back.\nACTION: GO WEST');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect.poll(() => page.locator('dialog[open]').count()).toBe(0);
    const marks = readMarks(path).ofRun(known(makerOf(path).reader.runs()[0], 'a run').runId);
    expect(marks.map(({ step, verdict, text }) => [step, verdict, text])).toEqual([
      [1, 'accepted', ''],
      [2, 'rejected', 'it repeats itself'],
      [4, 'corrected', 'I go back.\nACTION: GO WEST'],
    ]);
    expect(readFileSync(path).equals(before)).toBe(true);
    expect([...mine.complaints, ...yours.complaints]).toEqual([]);
    for (const one of [page, yours.page]) await one.close();
  });

  it('hears keys that come faster than frames and answers, each about the step that was there', async () => {
    const { path, address, turn, ended } = await playing(2);
    await turn(1);
    await turn(2);
    await ended;
    const { page } = await open(`${address}&step=1`);
    await expect.poll(() => status(page)).toMatch(/6 steps/);
    await page.evaluate(`{
      const press = (key, more) => document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...more }));
      press('y'); press('l'); press('x');
      document.querySelector('textarea').value = 'no';
      press('Enter', { ctrlKey: true });
      press('u'); press('y'); press('l'); press('y'); press('y');
    }`);
    const run = known(makerOf(path).reader.runs()[0], 'a run').runId;
    const held = () =>
      readMarks(path)
        .ofRun(run)
        .map(({ step, verdict }) => `${step} ${verdict}`);
    await expect.poll(() => readFileSync(`${path}.marks.jsonl`, 'utf8')).toContain('"none"');
    expect(held()).toEqual(['1 accepted', '2 rejected', '4 accepted']);
    expect(
      jsonLines(readFileSync(`${path}.marks.jsonl`)).map(({ step, verdict }) => [step, verdict]),
    ).toEqual([
      [1, 'accepted'],
      [2, 'rejected'],
      [4, 'accepted'],
      [5, 'accepted'],
      [5, 'none'],
    ]);
    await page.close();
  });

  it('can be done by keyboard and ear alone, and says why a word was not kept without losing it', async () => {
    const { path, address, turn, ended } = await playing(1);
    await turn(1);
    await ended;
    const { page } = await open(`${address}&step=1`);
    await expect.poll(() => status(page)).toMatch(/3 steps/);
    const group = page.getByRole('group', { name: 'Your verdict on this step' });
    expect(await group.getByRole('button').allTextContents()).toEqual(['Accept', 'Reject', 'Correct']);
    await group.getByRole('button', { name: 'Accept' }).focus();
    await page.keyboard.press('Space');
    await expect.poll(() => page.locator('.told[role=status]').textContent()).toBe('Step 1: accepted.');
    await expect
      .poll(() => page.getByRole('slider', { name: 'Step' }).getAttribute('aria-valuetext'))
      .toMatch(/\. Verdict: accepted$/);
    // The focus stays where it was, also on a step that is nobody's.
    await page.keyboard.press('l');
    await page.keyboard.press('l');
    await expect
      .poll(() => group.getByRole('button', { name: 'Accept' }).getAttribute('aria-disabled'))
      .toBe('true');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.locator('.told').textContent()).toBe('No agent replied in this step.');
    await page.keyboard.press('h');
    const marks = `${path}.marks.jsonl`;
    const before = readFileSync(marks);
    rmSync(marks);
    mkdirSync(marks);
    await page.keyboard.press('x');
    const dialog = page.getByRole('dialog', { name: 'Reject step 2 of bob' });
    await page.keyboard.type('it waits');
    await page.keyboard.press('Control+Enter');
    await expect.poll(() => dialog.getByRole('alert').textContent()).toContain("can't be written");
    expect(await dialog.getByRole('textbox', { name: 'Reason' }).inputValue()).toBe('it waits');
    rmdirSync(marks);
    writeFileSync(marks, before);
    errors.length = 0;
    await page.keyboard.press('Control+Enter');
    await expect.poll(() => page.locator('.said').textContent()).toBe('rejected: it waits');
    await page.close();
  });

  it('keeps no correction that the agent could not have answered, and says why beside what was typed', async () => {
    const { path, address, turn, ended } = await playing(1);
    await turn(1);
    await ended;
    const { page } = await open(`${address}&step=1`);
    await expect.poll(() => status(page)).toMatch(/3 steps/);
    await page.keyboard.press('c');
    const keep = page.getByRole('button', { name: 'Save' });
    for (const [words, why] of [
      ['go back', "the correction of ann's reply can't be parsed: I found no answer"],
      ['ACTION: GO NORTH', "the rules would refuse the correction of ann's reply: "],
    ] as const) {
      await page.keyboard.press('Control+a');
      await page.keyboard.type(words);
      await keep.click();
      await expect.poll(() => page.getByRole('dialog').getByRole('alert').textContent()).toContain(why);
      expect(await page.getByRole('textbox', { name: 'The reply that' }).inputValue()).toBe(words);
      // The step is not corrected, and looks so.
      await expect.poll(() => page.locator('button.corrected').getAttribute('aria-pressed')).toBe('false');
    }
    // Who types on goes on where they were.
    await page.keyboard.type(' please');
    expect(await page.getByRole('textbox', { name: 'The reply that' }).inputValue()).toBe(
      'ACTION: GO NORTH please',
    );
    await page.keyboard.press('Control+a');
    await page.keyboard.type('ACTION: WAIT');
    await keep.click();
    await expect.poll(() => page.locator('.said').textContent()).toBe('corrected: ACTION: WAIT');
    expect(jsonLines(readFileSync(`${path}.marks.jsonl`)).map(({ text }) => text)).toEqual(['ACTION: WAIT']);
    await page.close();
  });

  it('shows what mark keeps meanwhile, and in a page that is a file what was kept, to read only', async () => {
    const { path, address, turn, ended } = await playing(1);
    await turn(1);
    await ended;
    const { page } = await open(`${address}&step=2`);
    await expect.poll(() => status(page)).toMatch(/3 steps/);
    const hostile = '</script><img src=x onerror=pwned=1> told twice';
    const mark = (...words: readonly string[]) => orchestrate(['mark', path, '--step', '2', ...words]);
    expect((await mark('--reject', hostile)).code).toBe(0);
    await expect.poll(() => page.locator('.said').textContent()).toBe(`rejected: ${hostile}`);
    const file = join(cwd, 'marked.html');
    writeFileSync(file, pageHtml(readPageFiles(), await partsOf(path)));
    expect((await mark('--clear')).code).toBe(0);
    await expect.poll(() => page.locator('.said').isVisible()).toBe(false);
    await page.close();
    const still = await open(`${pathToFileURL(file).href}#step=1`);
    await expect.poll(() => status(still.page)).toMatch(/3 steps/);
    await still.page.keyboard.press('m');
    await expect.poll(() => still.page.locator('.said').textContent()).toBe(`rejected: ${hostile}`);
    expect(new URL(still.page.url()).hash).toContain('step=2');
    expect(await still.page.getByRole('button', { name: 'Accept' }).count()).toBe(0);
    await still.page.keyboard.press('y');
    await still.page.keyboard.press('x');
    expect(await still.page.locator('dialog[open]').count()).toBe(0);
    const canvas = still.page.locator('canvas.marks');
    const width = known(await canvas.boundingBox(), 'a time line').width;
    await canvas.hover({ position: { x: (width * 2) / 3 - 3, y: 28 } });
    await expect
      .poll(() => still.page.locator('.time-tip').textContent())
      .toContain('Verdict: rejected: </script>');
    expect(still.complaints).toEqual([]);
    await still.page.close();
  });
});

it.runIf(CHROMIUM === null)('is left out where there is no Chromium', () => {
  expect(CHROMIUM).toBeNull();
});

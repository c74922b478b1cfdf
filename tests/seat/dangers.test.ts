/**
 * What may happen to a person at a seat: pages of other sites, words and names of others, a lost lease, a lost network.
 * @module-tag long
 */
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { connect, createServer as createTcp } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { ROOT } from '../support/children.js';
import { clientsOf } from '../serve/served.js';
import type { ServedOptions } from '../serve/served.js';
import { inChromium } from '../view/browser.js';
import { withSeats } from './with-seats.js';

const SCENARIO = join(ROOT, 'scenarios/two-keepers.yaml');
const closing: (() => unknown)[] = [];
afterAll(async () => {
  for (const close of closing) await close();
});

async function seats(options: ServedOptions = {}) {
  const world = await withSeats(SCENARIO, { waitFor: 2, ...options });
  closing.push(() => world.close());
  return world;
}

/** A site of somebody else's on this machine; gives its address by a name of its own. */
async function otherSite(): Promise<string> {
  const site = createServer((_, response) =>
    response.setHeader('content-type', 'text/html').end('<body>evil'),
  );
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  closing.push(() => site.close());
  return `http://evil.test:${(site.address() as AddressInfo).port}/`;
}

/** A way to the world that can be cut: connections break off, and new ones come to nothing. */
async function networkTo(address: string) {
  const sockets = new Set<Socket>();
  let isCut = false;
  const proxy = createTcp((socket) => {
    if (isCut) return void socket.destroy();
    const onward = connect(Number(new URL(address).port), '127.0.0.1');
    for (const one of [socket, onward]) sockets.add(one.on('error', () => undefined));
    socket.pipe(onward).pipe(socket);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const cut = () => {
    isCut = true;
    for (const socket of sockets) socket.destroy();
  };
  closing.push(() => {
    cut();
    proxy.close();
  });
  return {
    address: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    cut,
    mend: () => (isCut = false),
  };
}

const MARKUP = '<img src=x onerror="document.title=1"><b>bold</b>';

inChromium('a seat', (open) => {
  it('is out of reach for another site, also for one whose name leads to this machine', async () => {
    const { address, run } = await seats();
    const { port } = new URL(address);
    // A rebound name, same machine and port, another Host.
    const rebound = await open(`http://evil.test:${port}/seat`);
    expect(await rebound.page.textContent('body')).toMatch(
      /^this server answers only requests to its own host name; .* --allow-host evil\.test\n$/,
    );
    const { page } = await open(await otherSite());
    const tried = await page.evaluate<readonly string[]>(`(async () => {
      const tell = (promise) => promise.then((answer) => answer.text()).then((text) => 'read ' + text.length, () => 'refused');
      const acquire = '${address}/orchestrate.world.v1.LeaseService/AcquireLease';
      const body = JSON.stringify({ entity: 'monk', controller: 'evil' });
      return Promise.all([
        tell(fetch('/')),
        tell(fetch(acquire, { method: 'POST', headers: { 'content-type': 'application/json' }, body })),
        tell(fetch(acquire, { method: 'POST', mode: 'no-cors', headers: { 'content-type': 'text/plain' }, body })),
        tell(fetch('http://evil.test:${port}/orchestrate.world.v1.LeaseService/AcquireLease', { method: 'POST', headers: { 'content-type': 'application/json' }, body })),
        tell(fetch('${address}/seat')),
      ]);
    })()`);
    // A request without CORS is sent, and its answer is hidden from the page: what counts is that nothing came of it.
    expect(tried.filter((one) => one === 'read 10')).toHaveLength(1);
    expect(tried.filter((one) => one !== 'refused' && one !== 'read 10' && one !== 'read 0')).toEqual([]);
    expect(run.leases.countHeld(run.served)).toBe(0);
    await page.evaluate(`new Promise((resolve) => {
      const form = Object.assign(document.createElement('form'), { method: 'post', enctype: 'text/plain', target: 'out', action: '${address}/orchestrate.world.v1.LeaseService/AcquireLease' });
      form.append(Object.assign(document.createElement('input'), { name: '{"entity":"monk","controller":"evil","x":"', value: '"}' }));
      const frame = Object.assign(document.createElement('iframe'), { name: 'out', onload: resolve });
      document.body.append(frame, form); form.submit();
    })`);
    expect(run.leases.countHeld(run.served)).toBe(0);
    await page.evaluate(
      `document.body.append(Object.assign(document.createElement('iframe'), { src: '${address}/seat' }))`,
    );
    await expect
      .poll(() => page.frames().map((frame) => frame.url()))
      .toContain('chrome-error://chromewebdata/');
    for (const one of [rebound, { page }]) await one.page.close();
  });

  it('shows markup in names and speech of others as the characters that it is made of', async () => {
    const { address } = await seats();
    const { leases, play } = clientsOf(address);
    const { page, complaints } = await open(`${address}/seat`);
    const { lease } = await leases.acquireLease({ entity: 'monk', controller: MARKUP });
    await expect.poll(() => page.locator('.seats').textContent()).toContain(`played by ${MARKUP}`);
    await page.getByRole('button', { name: 'Take miner' }).click();
    for await (const { tick, attempt } of play.streamObservations({ lease })) {
      if (tick === 0n) continue;
      await play.submitIntent({ lease, tick, attempt, intent: { case: 'say', value: { text: MARKUP } } });
      break;
    }
    await expect.poll(() => page.locator('.journal').textContent()).toContain('bold');
    const made = `[...document.querySelectorAll('img, b, script:not([src])')].length`;
    expect(await page.evaluate(made)).toBe(0);
    expect(await page.title()).toBe('miner · Two Keepers');
    expect(complaints).toEqual([]);
    await page.close();
  });

  it('says why it was lost, and frees the entity soon after its page is closed', async () => {
    const { address, run } = await seats({ waitFor: 1 });
    const { leases } = clientsOf(address);
    const { page } = await open(`${address}/seat`);
    await page.getByRole('button', { name: 'Take monk' }).click();
    await expect.poll(() => page.locator('.countdown').count()).toBe(1);
    const taken = await leases.acquireLease({ entity: 'monk', controller: 'operator', supersedeEpoch: 1n });
    await expect
      .poll(() => page.locator('.outcome').textContent())
      .toBe('Someone else has taken over your seat.');
    await leases.releaseLease({ lease: taken.lease });
    await expect.poll(() => page.getByRole('button', { name: 'Take monk' }).isEnabled()).toBe(true);
    await page.getByRole('button', { name: 'Take monk' }).click();
    await expect.poll(() => run.leases.countHeld(run.served)).toBe(1);
    await page.close({ runBeforeUnload: true });
    await expect.poll(() => run.leases.countHeld(run.served)).toBe(0);
  });

  it('asks for a token where the world wants one, keeps it out of the address, and plays as its owner', async () => {
    const hash = createHash('sha256').update('sesame').digest();
    const principal = { name: 'ann', roles: ['agent'] as const, entities: ['monk'] };
    const { address, run } = await seats({ tokens: [{ hash, principal }] });
    const { page } = await open(`${address}/seat`);
    await expect.poll(() => page.locator('.outcome').textContent()).toContain('requires a token');
    await page.getByLabel('Token').fill('barley');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.locator('.outcome').textContent()).toContain('does not accept the token');
    await page.getByLabel('Token').fill('sesame');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Take miner' }).click();
    await expect.poll(() => page.locator('.outcome').textContent()).toBe('Ann may not control miner.');
    await page.getByRole('button', { name: 'Take monk' }).click();
    await expect.poll(() => run.leases.currentLease('monk')?.principal).toBe('ann');
    await page.close();
    const other = await open(`${address}/seat#token=sesame`);
    await expect.poll(() => other.page.locator('.seats li').count()).toBe(2);
    expect(other.page.url()).toBe(`${address}/seat`);
    await other.page.close();
  });

  it('outlives a network that is gone for a moment', async () => {
    const { address, run } = await seats({ waitFor: 1, ttlMs: 60_000 });
    const network = await networkTo(address);
    const { page } = await open(`${network.address}/seat`);
    await page.getByRole('button', { name: 'Take monk' }).click();
    await expect.poll(() => page.locator('.countdown').textContent()).toMatch(/^Your turn/);
    network.cut();
    await page.getByRole('button', { name: 'WAIT' }).click();
    await expect.poll(() => page.locator('.outcome').textContent()).toContain('can’t be reached');
    network.mend();
    await expect.poll(() => page.locator('.countdown').textContent()).toMatch(/^Your turn/);
    await page.getByRole('button', { name: 'WAIT' }).click();
    await expect.poll(() => page.locator('.status').textContent()).toContain('turn 2');
    // The stream was opened again, too: what the world asks next comes.
    await page.getByRole('button', { name: 'WAIT' }).click();
    await expect.poll(() => page.locator('.status').textContent()).toContain('turn 3');
    expect(run.leases.epoch('monk')).toBe(1);
    await page.close();
  });
});

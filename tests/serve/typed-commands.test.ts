/** What a page for people needs of the API: typed lines read without cost, each way an offer may be said, and where a picture's tiles lie. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { decodePng } from '../../src/render/png-input.js';
import { LogReader } from '../../src/log/reader.js';
import { Part } from '../../src/serve/gen/orchestrate/world/v1/world_pb.js';
import type { Observation } from '../../src/serve/gen/orchestrate/world/v1/world_pb.js';
import { ROOT } from '../support/children.js';
import { servedWorld } from '../support/served-world.js';
import type { Clients, Served, ServedOptions } from './served.js';

const SCENARIO = join(ROOT, 'scenarios/two-keepers.yaml');
/** The miner, asked for the first time. */
async function seated(
  options: ServedOptions = {},
): Promise<Served & Clients & { lease: string; seen: Observation }> {
  const one = await servedWorld(SCENARIO, options);
  const { lease } = await one.leases.acquireLease({ entity: 'miner', controller: 'test' });
  const parts = [Part.FORMS, Part.FRAME, Part.FACTS, Part.OFFERS];
  for await (const seen of one.play.streamObservations({ lease, parts }))
    if (seen.tick > 0n) return { ...one, lease, seen };
  throw new Error('nothing was asked');
}

it('a typed line is read as a reply would be, again and again, and no attempt is used up', async () => {
  const { play, lease, log, world } = await seated();
  const read = async (line: string) => {
    const { ok, call, words, problem } = await play.readCommand({ lease, line });
    return ok ? [words, call?.action, call?.args['target']?.value.value] : problem;
  };
  for (let i = 0; i < 5; i++) expect(await read('dance')).toBe('unknown-action');
  expect(await read('go to green lever')).toEqual(['GO TO green-lever', 'GO', 'green-lever']);
  expect(await read('ACTION: go to the green lever')).toEqual(['GO TO green-lever', 'GO', 'green-lever']);
  expect(await read('go to gren lever')).toBe('bad-argument');
  // It may be said and is understood; that the way is locked, the world says once it is tried.
  expect((await play.readCommand({ lease, line: 'go east' })).ok).toBe(true);
  const { call } = await play.readCommand({ lease, line: 'look at red lever' });
  const ack = await play.submitIntent({
    lease,
    tick: 1n,
    attempt: 1,
    intent: { case: 'call', value: { action: call?.action ?? '', args: call?.args ?? {} } },
  });
  expect([ack.accepted, ack.attemptsLeft]).toEqual([true, 3]);
  await world.close();
  const reader = new LogReader(log);
  const [{ runId } = { runId: '' }] = reader.runs();
  const acts = [...reader.steps(runId)].flatMap((step) => step.acts);
  expect(acts.filter(({ result }) => !result.ok)).toEqual([]);
  reader.close();
});

it('a line is read for whoever holds the lease, and against what that one was shown', async () => {
  const { play, leases, lease } = await seated();
  await leases.releaseLease({ lease });
  await expect(play.readCommand({ lease, line: 'wait' })).rejects.toThrow('the lease has ended');
  await expect(play.readCommand({ lease: 'guessed', line: 'wait' })).rejects.toThrow('the lease has ended');
  const others = await servedWorld(SCENARIO, { waitFor: 2 });
  const early = await others.leases.acquireLease({ entity: 'monk', controller: 'other' });
  const { ok, message } = await others.play.readCommand({ lease: early.lease, line: 'read inscription' });
  expect([ok, message]).toEqual([false, 'there is no observation yet']);
});

it('forms say each way in which an offer may be said, with the values that fit', async () => {
  const { seen } = await seated();
  const told = seen.forms.map(({ action, parts }) => [
    action,
    ...parts.map(({ word, slot, values }) => (word === '' ? `${slot}=${values.join('|')}` : word)),
  ]);
  const targets = told.find(([action, word]) => action === 'GO' && word === 'TO')?.[2] ?? '';
  expect(targets.replace('target=', '').split('|').toSorted()).toEqual([
    'blue lever',
    'brass lever',
    'green lever',
    'iron lever',
    'red lever',
    'vault gate',
  ]);
  expect(told).toContainEqual(['SPEAK', 'text=']);
  expect(told).toContainEqual(['WAIT']);
  // The only exit is locked: no direction is open.
  expect(told.filter(([action, slot]) => action === 'GO' && slot?.startsWith('direction'))).toEqual([]);
  expect(new Set(seen.forms.map(({ action }) => action))).toEqual(
    new Set(seen.offers.map(({ action }) => action)),
  );
});

it.each([false, true])('the tiles of a picture are those of the window (ruler: %s)', async (ruler) => {
  const { seen } = await seated({ set: [`render.ruler=${ruler}`] });
  const { png, tilePixels, marginPixels } = seen.frame ?? {
    png: new Uint8Array(),
    tilePixels: 0,
    marginPixels: 0,
  };
  const { width, height } = await decodePng(png, 'frame');
  const rows = seen.facts?.window?.rows ?? [];
  expect(marginPixels > 0).toBe(ruler);
  expect([width, height]).toEqual([
    (rows[0]?.length ?? 0) * tilePixels + marginPixels,
    rows.length * tilePixels + marginPixels,
  ]);
});

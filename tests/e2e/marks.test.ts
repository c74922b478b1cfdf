/**
 * `render.marks` wherever a player gets a picture: of two equal things and two doors of one name, each bears a number, an answer may
 * name it by that number, and the log holds and replays both, through whatever door the player comes.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { at } from '../../src/base/assert.js';
import { LogReader } from '../../src/log/reader.js';
import { Part } from '../../src/serve/gen/orchestrate/world/v1/world_pb.js';
import { startFakeServer } from '../fake-server/server.mjs';
import { harness, textOf } from '../mcp/harness.js';
import { verified } from '../replay/support.js';
import { withSeats } from '../seat/with-seats.js';
import { orchestrate } from '../support/captured-io.js';
import { answering } from '../support/controllers.js';
import { temporaryFolder } from '../support/folder.js';
import { play } from '../support/play.js';
import { servedWorld } from '../support/served-world.js';
import { inChromium } from '../view/browser.js';

/** All within reach. First 1 is the red key, 2 the blue one, 3 the left door, 4 the right one; what is taken has no number any more. */
const TWO = `title: Two of each
map: |
  #####
  #kAK#
  #d#D#
  #.#.#
  #####
legend: { A: { agent: ann }, k: { thing: red }, K: { thing: blue }, d: { door: left }, D: { door: right } }
rooms: { hall: { area: [1, 1, 3, 1] }, west: { area: [1, 3, 1, 1] }, east: { area: [3, 3, 1, 1] } }
doors: { left: { name: door, state: closed }, right: { name: door, state: closed } }
things:
  red: { name: key, kind: key, sprite: item/key-red }
  blue: { name: key, kind: key, sprite: item/key-blue }
agents: [{ id: ann, sprite: figure/knight }]
rules: { movement: tile }
turns: { attempts: 1, repair: false, max: 4 }
render: { marks: true }
`;

/** Four turns of answers, and what they mean. */
const COMMANDS = ['TAKE 2', 'OPEN 3', 'TAKE 1', 'OPEN 1'];
const MEANT = ['blue', 'right', 'red', 'left'];
const SENTENCE = 'In place of a name, you may write the number that something has in the picture.';
const NUMBERS = {
  both: ['Numbers in the picture: 1: key; 2: key; 3: west door; 4: east door.', SENTENCE],
  image: [SENTENCE],
};
type Channel = keyof typeof NUMBERS;
const CHANNELS: readonly Channel[] = ['both', 'image'];

const channelSet = (channel: Channel): string => `render.channel=${channel}`;

/** The picture of the first turn, with the numbers or without. */
async function firstPicture(channel: Channel, hasMarks: boolean): Promise<string | undefined> {
  const ann = answering([]);
  await play(TWO, { controllers: { ann }, set: [channelSet(channel), `render.marks=${hasMarks}`] });
  return ann.inputs[0]?.messages.at(-1)?.parts.find((part) => part.kind === 'image')?.frameHash;
}

/** The log's picture and numbers are those of the first turn, its acts are as meant, and it replays. */
async function expectPlayed(log: string, channel: Channel): Promise<void> {
  const reader = new LogReader(log);
  const { runId } = at(reader.runs(), 0);
  const steps = [...reader.steps(runId, { agent: 'ann' })];
  const request = reader.call(runId, at(at(steps, 0).calls, 0))?.request;
  reader.close();
  expect(steps.map(({ acts }) => Object.values(acts.at(-1)?.intent?.args ?? {}))).toEqual(
    MEANT.map((id) => [id]),
  );
  expect(steps.map(({ acts }) => acts.at(-1)?.result.ok)).toEqual([true, true, true, true]);
  expect(request?.frameHash).toBe(await firstPicture(channel, true));
  expect(request?.frameHash).not.toBe(await firstPicture(channel, false));
  expect(request?.observation.sections.find(({ id }) => id === 'numbers')?.lines).toEqual(NUMBERS[channel]);
  expect(await verified(log)).toMatchObject({ difference: null });
}

function scenarioIn(folder: string): void {
  writeFileSync(join(folder, 'two.yaml'), TWO);
}

it.each(CHANNELS)('a model over HTTP (%s); replay and export show what it was sent', async (channel) => {
  const cwd = temporaryFolder();
  scenarioIn(cwd);
  const replies = COMMANDS.values();
  const server = await startFakeServer({ reply: () => `ACTION: ${replies.next().value ?? 'WAIT'}` });
  onTestFinished(() => server.close());
  const model = ['--base-url', server.baseUrl, '--set', channelSet(channel), '--out', 'run.sqlite'];
  expect((await orchestrate(['run', 'two.yaml', ...model], { cwd })).code).toBe(0);
  await expectPlayed(join(cwd, 'run.sqlite'), channel);
  const out = async (...args: string[]) =>
    expect(await orchestrate(args, { cwd })).toMatchObject({ code: 0 });
  await out('replay', 'run.sqlite', '--step', '1', '--out', 'still.png');
  await out('export', 'run.sqlite', '--format', 'frames', '--out', 'frames');
  await out('show', 'run.sqlite', '--step', '1');
  const sent = readFileSync(join(cwd, 'run.frames/000001-ann-1.png'));
  for (const file of ['still.png', 'frames/train/00001-000001-ann-1.png'])
    expect(readFileSync(join(cwd, file)).equals(sent)).toBe(true);
});

it.each(CHANNELS)('a person at the terminal (%s)', async (channel) => {
  const cwd = temporaryFolder();
  scenarioIn(cwd);
  const stdin = `${COMMANDS.join('\n')}\n`.toLowerCase();
  const args = ['run', 'two.yaml', '--human', 'ann', '--set', channelSet(channel), '--out', 'run.sqlite'];
  const { out } = await orchestrate(args, { cwd, stdin });
  expect(out).toContain(NUMBERS[channel].join('\n'));
  await expectPlayed(join(cwd, 'run.sqlite'), channel);
});

it.each(CHANNELS)(
  'a program in a served world, by typed lines, fields, ids and whole replies (%s)',
  async (channel) => {
    const { leases, play: service, log, run } = await servedWorld(TWO, { set: [channelSet(channel)] });
    const { lease } = await leases.acquireLease({ entity: 'ann', controller: 'tester' });
    const text = (value: string) => ({ value: { case: 'text' as const, value } });
    const intents = [
      // As the page does it: the line is read first, and what it means is sent.
      async () => ({
        case: 'call' as const,
        value: (await service.readCommand({ lease, line: 'take 2' })).call ?? {},
      }),
      async () => ({ case: 'call' as const, value: { action: 'OPEN', args: { target: text('right') } } }),
      async () => ({ case: 'pickup' as const, value: { item: '1' } }),
      async () => ({ case: 'words' as const, value: { content: 'ACTION: OPEN 1' } }),
    ].values();
    const parts = [Part.TEXT, Part.FRAME];
    let first = true;
    for await (const seen of service.streamObservations({ lease, parts })) {
      if (seen.isFinal) break;
      const { tick, attempt } = seen;
      if (tick === 0n) continue;
      if (first) {
        expect(seen.frame?.hash).toBe(await firstPicture(channel, true));
        expect(seen.text.find(({ section }) => section === 'numbers')?.lines).toEqual(NUMBERS[channel]);
      }
      first = false;
      const intent = await intents.next().value?.();
      if (intent !== undefined)
        expect(await service.submitIntent({ lease, tick, attempt, intent })).toMatchObject({
          accepted: true,
        });
    }
    await run.ended;
    await expectPlayed(log, channel);
  },
);

it.each(CHANNELS)('a harness over MCP, with numbers as text or as numbers (%s)', async (channel) => {
  const world = await servedWorld(TWO, { set: [channelSet(channel)] });
  const { call, use } = await harness(world.address, 'ann');
  const first = await call('observe');
  expect(textOf(first)).toContain(NUMBERS[channel].join('\n'));
  await use('take', { thing: '2' });
  await use('open', { target: 3 });
  await use('take', { thing: 1 });
  expect(await use('open', { target: '1' })).toContain('The run is over');
  await world.run.ended;
  await expectPlayed(world.log, channel);
});

inChromium('a person at a seat in the browser', (open) => {
  it.each(CHANNELS)('names them by number, or by the button of one (%s)', async (channel) => {
    const seats = await withSeats(TWO, { set: [channelSet(channel)] });
    onTestFinished(() => seats.close());
    const { page } = await open(`${seats.address}/seat`);
    await page.getByLabel('Your name').fill('Ann');
    await page.getByRole('button', { name: 'Take ann' }).click();
    const line = page.getByLabel('Command', { exact: true });
    for (const [i, command] of COMMANDS.entries()) {
      await expect.poll(() => page.locator('.status').textContent()).toContain(`turn ${i + 1}`);
      if (i === 1) {
        const door = channel === 'image' ? 'right' : 'east door';
        await page.getByRole('button', { name: `OPEN ${door}` }).click();
        continue;
      }
      await line.fill(command.toLowerCase());
      await expect.poll(() => page.locator('.reading').textContent()).toBe('Understood.');
      await page.keyboard.press('Enter');
    }
    await seats.run.ended;
    await expectPlayed(seats.log, channel);
  });
});

it.each(CHANNELS)('`parse` reads a number as a run would (%s)', async (channel) => {
  const cwd = temporaryFolder();
  scenarioIn(cwd);
  const parsed = async (stdin: string) =>
    JSON.parse(
      (await orchestrate(['parse', 'two.yaml', '--json', '--set', channelSet(channel)], { cwd, stdin })).out,
    );
  expect(await parsed('ACTION: TAKE 2')).toMatchObject({ ok: true, args: { thing: 'blue' } });
  expect(await parsed('ACTION: OPEN 4')).toMatchObject({ ok: true, args: { target: 'right' } });
});

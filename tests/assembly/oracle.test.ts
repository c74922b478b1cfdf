/** `controller: oracle` plays a shortest plan, alone and with others, whatever these do; its runs resume and verify like any other. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commandForm } from '../../src/forms/command-form.js';
import { openScenario, resumeRun, runScenario, vocabularyOf } from '../../src/index.js';
import { LogReader } from '../../src/log/reader.js';
import { leftInTheMidst } from '../support/left-run.js';
import { folderPerFile } from '../support/folder.js';
import { verified } from '../replay/support.js';

const folder = folderPerFile();

interface Room {
  turns?: string;
  bob?: string;
  success?: string;
  rules?: string;
}

/** Ann is three steps and a TAKE from the coin; a wall between makes the straight way longer. */
function room({
  turns = '{ max: 12 }',
  bob = '',
  success = '{ agent: ann, holds: coin }',
  rules,
}: Room = {}) {
  return `title: Room
map: |
  #######
  #A.c..#
  #.##..#
  #B....#
  #######
legend: { A: { agent: ann }, B: { agent: bob }, c: { thing: coin } }
rooms: { hall: { name: hall, from: [1, 1] } }
things: { coin: { kind: item, name: gold coin } }
rules: ${rules ?? '{ movement: tile, go_to: false }'}
agents:
  - { id: ann, sprite: ranger, controller: oracle, actions: [GO, TAKE, GIVE] }
  - { id: bob, sprite: ranger, actions: [GO, TAKE, GIVE], ${bob === '' ? 'controller: oracle' : bob} }
success: ${success}
turns: ${turns}
`;
}

async function played(scenario: string) {
  const { steps, end } = await runScenario(scenario);
  const said = steps
    .filter(({ agent }) => agent !== 'world')
    .map(({ agent, turn, acts }) => `${turn} ${agent} ${JSON.stringify(acts.at(-1)?.intent ?? null)}`);
  return { said, end, turn: steps.at(-1)?.turn };
}

describe('an oracle', () => {
  it('walks the shortest way and names things as a prompt does', async () => {
    const { steps, end } = await runScenario(room());
    expect(end.status).toBe('succeeded');
    const replies = steps
      .filter(({ agent }) => agent === 'ann')
      .map(({ acts }) => (acts.at(-1)?.reading?.ok === true ? acts.at(-1)?.reading : null))
      .map((reading) => (reading !== null && reading !== undefined && reading.ok ? reading.words : null));
    // One step east brings the coin within reach of hands.
    expect(replies).toEqual(['GO east', 'TAKE gold coin']);
  });

  // Models that learn from an oracle's replies are often played with guided decoding.
  it.each([
    ['walks and takes', room()],
    [
      'gives',
      room({
        success: '{ agent: bob, holds: coin }',
        bob: "replies: ['ACTION: WAIT'], after_replies: repeat",
      }),
    ],
  ])('says only what the guided form allows where it %s', async (_, scenario) => {
    const log = join(folder(), 'run.sqlite');
    const { end } = await runScenario(scenario, { log });
    expect(end.status).toBe('succeeded');
    const { environment } = await openScenario({
      path: 'room.yaml',
      content: scenario,
      readFile: () => new Uint8Array(),
    });
    const reader = new LogReader(log);
    const [run] = reader.runs();
    const calls = [...reader.steps(run?.runId ?? '')]
      .filter(({ agent }) => agent === 'ann')
      .flatMap(({ step, agent }) => reader.calls(run?.runId ?? '', step).map((call) => ({ agent, call })));
    const strange = calls.flatMap(({ agent, call: { request, end: ended } }) => {
      const vocabulary = vocabularyOf(environment, agent);
      const { guided } = commandForm.form(vocabulary, request.observation.offered, { reasoning: false });
      const said = ended?.kind === 'replied' ? ended.reply.content : '';
      return new RegExp(`^(?:${guided?.regex ?? ''})$`).test(said) ? [] : [said];
    });
    reader.close();
    expect(calls.length).toBeGreaterThan(1);
    expect(strange).toEqual([]);
  });

  it('wins in the same turn where all act at once', async () => {
    const { turn, end } = await played(room({ turns: '{ order: simultaneous, max: 12 }' }));
    expect([end.status, turn]).toEqual(['succeeded', 2]);
  });

  it('plans anew where another agent does not do what the plan says', async () => {
    // Bob must carry the coin: Ann can only hand it over; a bob who waits would leave Ann to go to him.
    const success = '{ agent: bob, holds: coin }';
    const waits = "replies: ['ACTION: WAIT'], after_replies: repeat";
    const together = await played(room({ success }));
    const alone = await played(room({ success, bob: waits }));
    expect([together.end.status, alone.end.status]).toEqual(['succeeded', 'succeeded']);
    expect(alone.said.filter((line) => / bob .*GO/.test(line))).toEqual([]);
    expect(alone.said.some((line) => line.includes('"action":"GIVE"'))).toBe(true);
  });

  it('waits where nothing leads to success', async () => {
    const { said, end } = await played(
      room({
        success: '{ all: [{ agent: ann, holds: coin }, { agent: bob, holds: coin }] }',
        turns: '{ max: 3 }',
      }),
    );
    expect(end.status).toBe('failed');
    expect(said.every((line) => line.includes('"action":"WAIT"'))).toBe(true);
  });

  it('resumes as if it had not been interrupted, and its log verifies', async () => {
    const dir = folder();
    const scenario = room({ success: '{ agent: bob, holds: coin }' });
    const whole = join(dir, 'whole.sqlite');
    const left = join(dir, 'left.sqlite');
    await leftInTheMidst(scenario, { log: whole, runId: 'run', path: left });
    const resumed = await resumeRun(left);
    expect(resumed.end.chain).toBe((await runScenario(scenario)).end.chain);
    expect((await verified(left)).difference).toBeNull();
  });
});

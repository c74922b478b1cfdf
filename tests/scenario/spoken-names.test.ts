/** Other names for actions: one table that help, offers, parsing, tools, refusals, history and logs share. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { orchestrate } from '../support/captured-io.js';
import { temporaryFolder } from '../support/folder.js';

const folder = temporaryFolder();
const on = (...args: readonly string[]) => orchestrate(args, { cwd: folder });
const parsed = async (reply: string, ...args: readonly string[]) =>
  (await orchestrate(['parse', 'hall.yaml', ...args], { cwd: folder, stdin: reply })).out;

const hall = (names: string, replies = ''): string => `title: Hall
map: |
  #######
  #A...k#
  #.....#
  #######
legend: { A: { agent: ann }, k: { thing: small-key } }
things: { small-key: { kind: key } }
agents: [{ id: ann, sprite: knight${replies} }]
success: { agent: ann, holds: small-key }
actions: ${names}
`;

const NAMES = '{ LOOK: observe, GO: move, TAKE: pickup, USE: use_item }';
writeFileSync(join(folder, 'hall.yaml'), hall(NAMES));

describe('other names for actions', () => {
  it.each(['command', 'json', 'react', 'tools'])('are all that a prompt tells: %s', async (protocol) => {
    const set = `agents.ann.protocol=${protocol}`;
    const { out } = await on('preview', 'hall.yaml', '--agent', 'ann', '--messages', '--json', '--set', set);
    // Tools are sent beside the messages, so that only offers name actions there.
    const told = protocol === 'tools' ? ['OBSERVE', 'MOVE'] : ['OBSERVE', 'MOVE', 'PICKUP', 'USE_ITEM'];
    for (const name of told) expect(out).toContain(name);
    expect(out).not.toMatch(/\b(?:LOOK|GO|TAKE|USE)\b/);
  });

  it('are read in every protocol, in any case', async () => {
    expect(await parsed('ACTION: move to small key')).toContain('intent   MOVE {"target": "small-key"}');
    expect(await parsed('{"name": "observe", "parameters": {}}', '--protocol', 'json')).toContain(
      'intent   OBSERVE',
    );
    const react = 'Thought: hm\nAction: move\nAction Input: {"target": "small key"}';
    expect(await parsed(react, '--protocol', 'react')).toContain('intent   MOVE {"target": "small-key"}');
  });

  it('leave the old name as another word for it, and no alias of another action', async () => {
    expect(await parsed('ACTION: TAKE small key')).toContain('PICKUP');
    writeFileSync(join(folder, 'read.yaml'), hall('{ READ: inspect }'));
    const { out } = await orchestrate(['parse', 'read.yaml'], {
      cwd: folder,
      stdin: 'ACTION: INSPECT small key',
    });
    expect(out).toContain('intent   INSPECT');
  });

  it('stand in refusals', async () => {
    const far = await parsed('ACTION: PICKUP small key');
    expect(far).toContain('out of reach');
    expect(far).toContain('MOVE TO small key first');
  });

  it('stand in the log, which verifies, and win as the rules do', async () => {
    const replies = ", replies: ['ACTION: observe', 'ACTION: move to small key', 'ACTION: pickup small key']";
    writeFileSync(join(folder, 'win.yaml'), hall(NAMES, replies));
    expect((await on('run', 'win.yaml', '--out', 'win.sqlite')).code).toBe(0);
    const { out } = await on('show', 'win.sqlite', '--json');
    for (const name of ['OBSERVE', 'MOVE', 'PICKUP']) expect(out).toContain(`"action":"${name}"`);
    expect((await on('verify', 'win.sqlite')).code).toBe(0);
    const plan = await on('check', 'win.yaml', '--plan');
    expect(plan.out).toContain('PICKUP small-key');
  });

  it.each([
    ['{ LOK: observe }', "there is no action called 'LOK'", "did you mean 'LOOK'?"],
    ['{ LOOK: take }', 'TAKE is already an action of this world', 'give TAKE another name too'],
    ['{ LOOK: see, READ: see }', 'would both be called SEE', 'choose another name'],
    ['{ LOOK: "look at" }', "'LOOK AT' is not a valid name for an action", 'one word of letters'],
    ['{ WAIT: rest }', "WAIT can't be renamed", 'leave it out'],
    ['{ CALCULATE: sum }', "there is no action called 'CALCULATE'", ''],
  ])('are refused where they clash: %s', async (names, message, hint) => {
    writeFileSync(join(folder, 'clash.yaml'), hall(names));
    const { code, err } = await on('check', 'clash.yaml');
    expect(code).toBe(2);
    expect(err).toContain(message);
    expect(err).toContain(hint);
  });

  it.each([
    ['command', NAMES],
    ['json', NAMES],
    // The word for one action is now the name of another.
    ['command', '{ GO: take, TAKE: go }'],
  ])('hold up no built-in player: %s %s', async (protocol, names) => {
    writeFileSync(join(folder, 'played.yaml'), hall(names));
    const args = ['--controller', 'scripted', '--out', `played-${protocol}`, '--max-turns', '6'];
    const { code, out } = await on('run', 'played.yaml', ...args, '--set', `agents.ann.protocol=${protocol}`);
    expect([code, out]).toEqual([0, expect.stringContaining('Ann holds the small key')]);
  });

  it(
    'are those that check is told to do without, in worlds that differ in what nobody knows as well',
    { tags: ['long'] },
    async () => {
      const text = readFileSync('tests/fixtures/scenarios/levers-alike.yaml', 'utf8');
      writeFileSync(
        join(folder, 'keepers.yaml'),
        `${text}\nactions: { SPEAK: say, ANNOUNCE: proclaim, USE: pull }\n`,
      );
      const [plain, silent] = [
        await on('check', 'keepers.yaml', '--plan'),
        await on('check', 'keepers.yaml', '--without', 'SAY', '--without', 'PROCLAIM'),
      ];
      expect([plain.code, plain.out]).toEqual([0, expect.stringContaining('no luck needed')]);
      expect(plain.out).toMatch(/SAY "Only the green lever[^]*PULL green-lever/);
      expect([silent.code, silent.out]).toEqual([
        1,
        expect.stringContaining('unwinnable without SAY and PROCLAIM'),
      ]);
    },
  );

  it('may change places', async () => {
    writeFileSync(join(folder, 'swap.yaml'), hall('{ LOOK: read, READ: look }'));
    expect((await on('check', 'swap.yaml')).code).toBe(0);
  });
});

/** `report --funnel`: what reached an agent, what it saw, which replies were read, and which turns its decisions lost, by hand from small logs. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { LogWriter } from '../../src/log/writer.js';
import { TurnOrchestrator } from '../../src/orchestrator/turn-orchestrator.js';
import type { FunnelTotal } from '../../src/report/funnel.js';
import { corridor } from '../orchestrator/two-agents.js';
import { orchestrate } from '../support/captured-io.js';
import { temporaryFolder } from '../support/folder.js';
import { NEVER_STOPPED, partsFor } from '../support/play.js';
import { teller } from '../support/teller.js';

const cwd = temporaryFolder();
const on = (...args: readonly string[]) => orchestrate(args, { cwd });

async function played(name: string, yaml: string, ...options: readonly string[]): Promise<string> {
  writeFileSync(join(cwd, `${name}.yaml`), yaml);
  const log = `${name}.sqlite`;
  const { err } = await on('run', `${name}.yaml`, '--out', log, '--quiet', ...options);
  expect(err).not.toContain('error');
  return log;
}

async function totalsOf(log: string, ...options: readonly string[]): Promise<readonly FunnelTotal[]> {
  const { out, err } = await on('report', log, '--funnel', '--json', ...options);
  expect(err).toBe('');
  return (JSON.parse(out) as { totals: readonly FunnelTotal[] }).totals;
}

const fixed = (...replies: readonly string[]) =>
  `controller: replies, replies: ${JSON.stringify(replies.map((one) => `ACTION: ${one}`))} }`;

/** Ann and Bob answer so. */
const two = (turns: string, ann: readonly string[], bob: readonly string[]) =>
  corridor(turns)
    .replace('figure/knight }', `figure/knight, ${fixed(...ann)}`)
    .replace('figure/wizard }', `figure/wizard, ${fixed(...bob)}`);

describe('answered', () => {
  it('counts first replies by tier and problem, and refused ones apart; a WAIT that was forced by unread ones is no decision', async () => {
    const replies = ['hm', 'ACTION: TAKE coin', 'hm', 'ACTION: WAIT', 'ACTION: GO SOUTH', 'hm', 'hm'];
    const ann = `controller: replies, replies: ${JSON.stringify(replies)}, after_replies: wait }`;
    const yaml = two('max: 5, attempts: 1, repair: false', [], ['WAIT']).replace(
      /controller: replies, replies: \[\] \}/,
      ann,
    );
    // One try each: unread and a forced WAIT; refused and a forced WAIT; unread; WAIT; GO SOUTH.
    const [one] = await totalsOf(await played('single', yaml.replace('TAKE coin', 'TAKE sign')));
    expect(one).toMatchObject({
      agent: 'ann',
      hasOthers: true,
      runs: 1,
      reached: null,
      seen: null,
      decided: null,
    });
    expect(one?.answered).toMatchObject({
      share: 3 / 5,
      asked: 5,
      lost: 0,
      tiers: { label: 3 },
      problems: { unparsable: 2 },
      refused: { 'illegal/not-portable': 1 },
      forcedWaits: 2,
    });
    const { out } = await on('report', 'single.sqlite', '--funnel');
    expect(out).toContain('2 WAITs forced by unread replies, and no decisions');
    // Two tries: the second reply of a turn does not count; only the last turn has two that can't be read.
    const pairs = yaml.replace('attempts: 1', 'attempts: 2').replace('max: 5', 'max: 4');
    const [other] = await totalsOf(await played('pairs', pairs.replace('TAKE coin', 'WAIT')));
    expect(other?.answered).toMatchObject({
      share: 1 / 4,
      problems: { unparsable: 3 },
      refused: {},
      forcedWaits: 1,
    });
  });
});

describe('reached', () => {
  const OWL =
    "triggers:\n  owl: { if: { agent: ann, holds: coin }, then: [{ tell: 'The owl says: go east!', to: bob }] }\n";
  const facts = (...list: readonly string[]) => `measures: { chance: 10, facts: [${list.join(', ')}] }\n`;
  const yaml = (turns = 'max: 4') =>
    two(
      turns,
      ['GO SOUTH', 'TAKE coin', 'SPEAK "the sign is a lie"'],
      ['WAIT', 'WAIT', 'READ sign', 'WAIT', 'WAIT'],
    );

  const turns = async (name: string, ...list: readonly string[]) => {
    const totals = await totalsOf(await played(name, yaml() + OWL + facts(...list)));
    return totals.map(({ agent, reached }) => [agent, reached?.runs, reached?.medianTurn]);
  };

  it('is the turn in which the last fact was seen, read, heard or told, for each agent that needs it', async () => {
    expect(await turns('told', '{ seen: coin }', '{ told: the OWL says go east, agent: bob }')).toEqual([
      ['ann', 1, 1],
      ['bob', 1, 2],
    ]);
    expect(await turns('read', '{ told: Mind the step, agent: bob }', '{ seen: bob, agent: ann }')).toEqual([
      ['ann', 1, 1],
      ['bob', 1, 3],
    ]);
    expect(await turns('heard', '{ told: sign is a lie, agent: bob }')).toEqual([
      ['ann', undefined, undefined],
      ['bob', 1, 3],
    ]);
  });

  it('is nothing that an agent said itself, or that reached another', async () => {
    expect(await turns('own', '{ told: sign is a lie, agent: ann }')).toEqual([
      ['ann', 0, null],
      ['bob', undefined, undefined],
    ]);
    expect(await turns('other', '{ told: go east }')).toEqual([
      ['ann', 0, null],
      ['bob', 1, 2],
    ]);
  });

  it('takes ids and words from what was drawn', async () => {
    const drawn = `${yaml()}draw: { what: [coin] }\n${facts("{ seen: '{{what}}', agent: ann }")}`;
    const [ann] = await totalsOf(await played('drawn', drawn));
    expect(ann?.reached).toMatchObject({ share: 1, runs: 1, medianTurn: 1 });
  });
});

describe('seen', () => {
  it('is what a player sees beyond what it guesses with a grey picture', async () => {
    const path = join(cwd, 'seen.sqlite');
    const writer = new LogWriter(path);
    const asks =
      'probes: { every: 1, each: 2, ask: [{ about: coin, kind: side }, { about: coin, kind: holds }], grey: true }';
    let calls = 0;
    // Nobody moves: the coin is to the south-east, and not held. Each question comes twice, the grey one second.
    const ann = teller({
      words: (messages) => {
        if (JSON.stringify(messages).includes('Do you hold')) return 'no';
        calls += 1;
        if (calls % 2 === 0) return 'unknown';
        return JSON.stringify(messages).includes('further west') ? 'east' : 'south';
      },
    });
    const parts = await partsFor(`${corridor('max: 4')}${asks}\n`, writer, {
      controllers: { ann, bob: teller({ words: null }) },
    });
    await new TurnOrchestrator(parts).run(NEVER_STOPPED);
    writer.close();
    const [one] = await totalsOf('seen.sqlite');
    // (mean(1, 1) - mean(0, 1)) / (1 - mean(0, 1))
    expect(one?.seen).toMatchObject({ share: 1, questions: 8 });
    expect(one?.seen?.kinds.toSorted((a, b) => (a.kind < b.kind ? -1 : 1))).toEqual([
      { kind: 'holds', asked: 4, right: 4, greyRight: 4 },
      { kind: 'side', asked: 4, right: 4, greyRight: 0 },
    ]);
  });
});

/** Ann sees the coin, takes at best six turns to it, and has ten. */
const hall = (replies: readonly string[], more = '', max = 10) => `title: Hall
map: |
  #########
  #A.....k#
  #########
legend:
  A: { agent: ann }
  k: { thing: coin }
rooms: { hall: { area: [1, 1, 7, 1] } }
things: { coin: { kind: item, name: coin, sprite: item/coin } }
agents:
  - { id: ann, sprite: figure/knight, goals: [Take the coin.], sight: 9, ${fixed(...replies)}
success: { agent: ann, holds: coin }
rules: { movement: tile, go_to: false }
turns: { max: ${max} }
render: { window: [17, 17] }
${more}`;

/** One turn, none, two, none, and all six that were left. */
const STEPS = ['WAIT', 'GO EAST', 'GO WEST', 'GO EAST', 'DONE'];
const NO_TURNS = { steps: 0, exact: 0, estimated: 0, lost: 0 };

describe('decided', () => {
  it('is what the sighted player loses by going on after a step and not before it, where facts are missing', async () => {
    const [one] = await totalsOf(await played('hall', hall(STEPS)), '--regret');
    expect(one?.decided).toMatchObject({
      informed: null,
      sighted: { mean: 9 / 5, of: 1 },
      counts: { informed: NO_TURNS, sighted: { steps: 5, played: 5, undecided: 0, lost: 9 } },
    });
  });

  it('is regret once all needed facts have reached the agent', async () => {
    const seen = hall(STEPS, 'measures: { chance: 0, facts: [{ seen: coin }] }\n');
    const [one] = await totalsOf(await played('informed', seen), '--regret');
    expect(one?.decided?.counts).toEqual({
      informed: { steps: 5, exact: 5, estimated: 0, lost: 9 },
      sighted: { steps: 0, played: 0, undecided: 0, lost: 0 },
    });
    const later = hall(
      STEPS,
      "measures: { chance: 0, facts: [{ told: now }] }\ntriggers:\n  go: { if: { agent: ann, at: [2, 1] }, then: [{ tell: 'Now!', to: ann }] }\n",
    );
    const [parts] = await totalsOf(await played('later', later), '--regret');
    const { informed, sighted } = parts?.decided?.counts ?? {};
    expect(parts?.reached).toMatchObject({ medianTurn: 3 });
    expect([informed?.steps, informed?.lost, sighted?.steps, sighted?.lost]).toEqual([3, 8, 2, 1]);
  });

  it('goes on with what was seen on the way, as the sighted player itself would', async () => {
    const rooms = `title: Find
generate: { size: [20, 14], rooms: 4, room_size: [4, 5], loops: 1, apart: [red, blue] }
things:
  red: { kind: item, name: red key, sprite: item/key-red }
  blue: { kind: item, name: blue key, sprite: item/key-blue }
agents:
  - { id: ann, sprite: figure/knight, goals: [Take the red key.], actions: [GO, OPEN, TAKE], sight: 9 }
success: { agent: ann, holds: red }
rules: { movement: tile, go_to: false }
turns: { max: 60 }
`;
    const log = await played('rooms', rooms, '--controller', 'sighted', '--seed', '1');
    const [one] = await totalsOf(log, '--regret', '--rollouts', '8');
    expect(one?.decided?.counts.sighted).toMatchObject({ played: 8, undecided: 0, lost: 0 });
  });

  it('goes on with what was told once, however long ago', async () => {
    const steps = ['WAIT', 'WAIT', 'WAIT', 'WAIT', 'GO {{side}}', 'GO {{side}}', 'DONE'];
    const told = `title: Told
draw: { side: [west, east] }
map: |
  .......
  .......
things:
  west-post: { sprite: furniture/well, portable: false, at: [0, 1] }
  east-post: { sprite: furniture/well, portable: false, at: [6, 1] }
triggers:
  clue: { if: { agent: crow, at: [3, 0] }, then: [{ tell: 'It is the {{side}}.', to: ann }] }
agents:
  - { id: crow, part: world, sprite: figure/wizard, at: [3, 0], controller: replies, replies: ['ACTION: WAIT'], after_replies: wait }
  - id: ann
    sprite: figure/knight
    at: [3, 1]
    goals: [Be done beside the right post.]
    actions: [GO, DONE]
    controller: replies
    replies: ${JSON.stringify(steps.map((one) => `ACTION: ${one}`))}
success: { all: [{ agent: ann, done: true }, { agent: ann, near: '{{side}}-post' }] }
rules: { movement: tile, go_to: false }
turns: { max: 20 }
`;
    for (const seed of ['1', '2', '3', '4']) {
      const [one] = await totalsOf(await played(`told-${seed}`, told, '--seed', seed), '--regret');
      // Each WAIT loses a turn; a player that has forgotten the sentence would guess.
      expect(one?.decided?.counts.sighted).toEqual({ steps: 7, played: 7, undecided: 0, lost: 4 });
    }
  });

  it('goes on with what the agent did, not with what the sighted player would have done', async () => {
    const yaml = hall(
      ['SPEAK "open"', 'GO EAST'],
      'triggers:\n  word: { when: { said: open, agent: ann }, then: [{ count: spoken }] }\n',
      12,
    ).replace(
      'success: { agent: ann, holds: coin }',
      'success: { all: [{ agent: ann, holds: coin }, { counter: spoken, at_least: 1 }] }',
    );
    const [one] = await totalsOf(await played('word', yaml), '--regret', '--rollouts', '1');
    // Nothing is lost if it does not say the word once more.
    expect(one?.decided?.counts.sighted).toEqual({ steps: 12, played: 1, undecided: 0, lost: 0 });
  });

  it('leaves open what the sighted player does not win, and steps beyond the limit', async () => {
    const [one] = await totalsOf(await played('short', hall(STEPS, '', 3)), '--regret');
    expect(one?.decided).toMatchObject({
      sighted: null,
      counts: { sighted: { steps: 3, played: 3, undecided: 3, lost: 0 } },
    });
    const [two_] = await totalsOf('hall.sqlite', '--regret', '--rollouts', '2');
    // The first of each half: WAIT, and the fourth step.
    expect(two_?.decided?.counts.sighted).toEqual({ steps: 5, played: 2, undecided: 0, lost: 1 });
    const { out } = await on('report', 'hall.sqlite', '--funnel', '--regret', '--rollouts', '2');
    expect(out).toContain('lost to sighted: played on at 2 of 5 decisions, 0 undecided');
  });

  it.each([[], ['--set', 'turns.order=simultaneous']])(
    'is nothing for the sighted player itself, because it goes on with what it would have learnt: %s',
    async (...order) => {
      const log = `itself-${order.length}.sqlite`;
      await on(
        'run',
        resolve('scenarios/two-keepers.yaml'),
        '--controller',
        'sighted',
        '--out',
        log,
        '--quiet',
        ...order,
      );
      const totals = await totalsOf(log, '--regret', '--rollouts', '100');
      expect(totals.map(({ agent }) => agent)).toEqual(['monk', 'miner']);
      for (const { decided } of totals) {
        const { sighted } = decided?.counts ?? {};
        expect(sighted).toMatchObject({ undecided: 0, lost: 0 });
        expect(sighted?.played).toBe(sighted?.steps);
        expect(sighted?.steps).toBeGreaterThan(1);
      }
    },
  );
});

describe('report --funnel', () => {
  it('prints the same as text, Markdown, LaTeX and CSV', async () => {
    const log = await played('forms', hall(STEPS, 'measures: { chance: 0, facts: [{ seen: coin }] }\n'));
    const { out } = await on('report', log, '--funnel');
    expect(out).toMatch(
      /^forms\n {2}players {2}runs {2}reached \(95 %\) {2}turn .*\n {2}replies {5}1 {2}100 % \(21–100\) {5}1 /,
    );
    expect(out).not.toContain('lost to sighted');
    expect(out).toContain('replies: seen is not known: no questions were asked (probes).');
    expect(out).toContain('first replies read: label 5; not read: none; refused: none');
    const markdown = (await on('report', log, '--funnel', '--regret', '--table', 'markdown')).out;
    expect(markdown).toMatch(
      /^\| players \| runs \| reached \(95 %\) .*\| lost, informed \| lost to sighted \|\n/,
    );
    expect(markdown).toContain('| 1.80 (n = 1) | – |');
    const latex = (await on('report', log, '--funnel', '--table', 'latex')).out;
    expect(latex).toContain('\\label{tab:funnel}');
    expect(latex).toContain('100 \\% (21--100)');
    const [heads = '', line = ''] = (await on('report', log, '--funnel', '--regret', '--csv')).out.split(
      '\r\n',
    );
    const fields = Object.fromEntries(heads.split(',').map((head, i) => [head, line.split(',')[i]]));
    expect(fields).toMatchObject({
      scenario: 'forms',
      players: 'replies',
      agent: 'ann',
      reached: '1',
      reached_turn: '1',
      seen: '',
      answered: '1',
      steps: '5',
      refused: '0',
      informed: '1.8',
      informed_exact: '5',
      sighted: '',
    });
  });

  it('is refused with what it does not go with', async () => {
    for (const more of [
      ['--knowledge'],
      ['--questions'],
      ['--out', 'x.html'],
      ['--csv', '--json'],
      ['--rollouts', '3'],
    ])
      expect((await on('report', 'forms.sqlite', '--funnel', ...more)).code, more.join(' ')).toBe(2);
  });

  it('says of older logs what is not in them', async () => {
    const old = gunzipSync(readFileSync(resolve('tests/fixtures/logs/v5.sqlite.gz')));
    writeFileSync(join(cwd, 'old.sqlite'), old);
    const { out, code } = await on('report', 'old.sqlite', '--funnel', '--regret');
    expect(code).toBe(0);
    expect(out).toContain('reached is not known: the scenario names no facts that it needs (measures.facts)');
    expect(out).toContain('seen is not known: no questions were asked (probes)');
  });
});

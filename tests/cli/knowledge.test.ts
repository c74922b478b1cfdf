/** `report --knowledge`: who learnt what when and from whom, and who acted; what it says of the shipped games is what their scenarios hold. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { KnowingRun, KnowingTotal } from '../../src/report/knowledge-totals.js';
import type { Fact } from '../../src/report/knowledge.js';
import { corridor } from '../orchestrator/two-agents.js';
import { orchestrate } from '../support/captured-io.js';
import { temporaryFolder } from '../support/folder.js';

const cwd = temporaryFolder();
const on = (...args: readonly string[]) => orchestrate(args, { cwd });

interface Known {
  totals: readonly KnowingTotal[];
  runs: readonly KnowingRun[];
}

async function knownIn(...logs: readonly string[]): Promise<Known> {
  return JSON.parse((await on('report', ...logs, '--knowledge', '--json')).out) as Known;
}

async function factsOf(log: string): Promise<readonly Fact[]> {
  const { runs } = await knownIn(log);
  return runs[0]?.facts ?? [];
}

const of = (facts: readonly Fact[], words: string) => facts.find((one) => one.words.includes(words));
/** "2 miner heard monk" */
const told = (fact: Fact | undefined) =>
  fact?.learnt.map(({ turn, agent, how, from }) =>
    [turn, agent, how, ...(from === null ? [] : [from])].join(' '),
  );

beforeAll(async () => {
  for (const name of ['two-keepers', 'crypt'])
    await on(
      'run',
      resolve(`scenarios/${name}.yaml`),
      '--out',
      `${name}.sqlite`,
      '--controller',
      'scripted',
      '--quiet',
    );
  const fixed = (...replies: readonly string[]) =>
    `controller: replies, replies: ${JSON.stringify(replies)} }`;
  writeFileSync(
    join(cwd, 'told.yaml'),
    corridor('max: 3')
      .replace(
        'figure/knight }',
        `figure/knight, ${fixed('ACTION: SPEAK "No <b>coin</b> here"', 'ACTION: SPEAK "no"')}`,
      )
      .replace(
        'figure/wizard }',
        `figure/wizard, ${fixed('ACTION: WAIT', 'ACTION: READ sign', 'ACTION: GO TO coin')}`,
      ),
  );
  await on('run', 'told.yaml', '--out', 'told.sqlite', '--quiet');
  const carried = ['GO SOUTH', 'TAKE coin', 'GO NORTH', 'DROP coin', 'TAKE coin'];
  writeFileSync(
    join(cwd, 'carried.yaml'),
    corridor('max: 6')
      .replace('Mind the step.', 'The coin is cursed.')
      .replace('figure/knight }', `figure/knight, ${fixed(...carried.map((one) => `ACTION: ${one}`))}`)
      .replace('figure/wizard }', `figure/wizard, ${fixed('ACTION: READ sign', 'ACTION: DROP coin')}`),
  );
  await on('run', 'carried.yaml', '--out', 'carried.sqlite', '--quiet');
  writeFileSync(
    join(cwd, 'owl.yaml'),
    corridor('max: 3')
      .replace('coin: { kind: item, name: coin,', 'coin: { kind: item, name: slip,')
      .replace(
        'sign: { kind: sign, name: sign, text: Mind the step. }',
        'sign: { kind: item, name: slip, sprite: item/note }',
      )
      .replace('figure/knight }', `figure/knight, ${fixed('ACTION: GO SOUTH', 'ACTION: TAKE coin')}`)
      .replace('figure/wizard }', `figure/wizard, ${fixed('ACTION: WAIT')}`)
      .concat(
        "triggers:\n  owl: { if: { agent: ann, holds: coin }, then: [{ tell: 'The owl says: go east.', to: bob }] }\n",
      ),
  );
  await on('run', 'owl.yaml', '--out', 'owl.sqlite', '--quiet');
});

describe('report --knowledge', () => {
  it('follows a text from where it was read to who was told and who acted on it', async () => {
    const fact = of(await factsOf('two-keepers.sqlite'), 'Only the green lever opens the vault gate.');
    expect(told(fact)).toEqual(['1 monk read inscription', '2 miner heard monk']);
    expect(fact?.acted.map(({ turn, agent, words }) => `${turn} ${agent} ${words}`)).toContain(
      '3 miner USE green lever',
    );
    expect(fact?.about).not.toContain('inscription');
  });

  it('tells where a key was seen, and of nothing before somebody perceived it', async () => {
    const facts = await factsOf('crypt.sqlite');
    // The map of the scenario has it in the corner of the smithy.
    const key = of(facts, 'brass key');
    expect(key?.learnt[0]).toMatchObject({ agent: 'blacksmith', how: 'seen', place: { x: 16, y: 1 } });
    const scroll = of(facts, 'The key of the iron door lies in the oak chest in the store.');
    expect(told(scroll)?.[0]).toBe('2 wizard read scroll');
    const others = (told(scroll) ?? []).slice(1);
    expect(others.map((one) => one.split(' ').slice(1).join(' ')).toSorted()).toEqual([
      'blacksmith heard wizard',
      'knight heard wizard',
    ]);
    // It lies in a closed coffin until the last turn.
    expect(of(facts, 'golden crown')?.learnt.map(({ turn }) => turn)).toEqual([37]);
  });

  it('keeps short words apart from longer ones that hold them, and words from what they name', async () => {
    const facts = await factsOf('told.sqlite');
    const words = facts.filter(({ kind }) => kind === 'words').map((one) => one.words);
    expect(words).toEqual(['No <b>coin</b> here', 'no', 'Mind the step.']);
    expect(told(of(facts, 'No <b>coin'))).toEqual(['1 ann said', '1 bob heard ann']);
  });

  it('tells of a thing anew where it was seen elsewhere, and of each deed once, by those who knew of it', async () => {
    const facts = await factsOf('carried.sqlite');
    const deeds = (fact: Fact | undefined) =>
      fact?.acted.map(({ turn, agent, words }) => `${turn} ${agent} ${words}`);
    const coin = facts.find(({ kind, words }) => kind === 'thing' && words === 'coin');
    expect(coin?.learnt.map(({ turn, agent, place }) => [turn, agent, place])).toEqual([
      [1, 'ann', { x: 3, y: 2 }],
      [1, 'bob', { x: 3, y: 2 }],
      // Ann has put it down where she stands now.
      [4, 'bob', { x: 2, y: 1 }],
      [5, 'ann', { x: 2, y: 1 }],
    ]);
    // She takes it up a second time; that Bob would drop what he does not hold is no deed.
    expect(deeds(coin)).toEqual(['2 ann TAKE coin', '4 ann DROP coin']);
    // Nobody told her what stands on the sign.
    const curse = of(facts, 'The coin is cursed.');
    expect([curse?.about, told(curse), deeds(curse)]).toEqual([['coin'], ['1 bob read sign'], []]);
    expect((await on('report', 'carried.sqlite', '--knowledge')).out).toContain(
      '    T4 ann: DROP coin (acted)\n',
    );
    await on('report', 'carried.sqlite', '--knowledge', '--out', 'carried.html');
    const page = readFileSync(join(cwd, 'carried.html'), 'utf8');
    for (const deed of ['T2 ann: TAKE coin (acted)', 'T4 ann: DROP coin (acted)'])
      expect(page.split(deed)).toHaveLength(2);
  });

  it('has what the world told an agent, and not what it saw happen', async () => {
    const facts = await factsOf('owl.sqlite');
    const words = facts.filter(({ kind }) => kind === 'words');
    // Bob saw Ann walk and take the slip as well.
    expect(words.map((one) => [one.words, told(one)])).toEqual([['The owl says: go east.', ['2 bob told']]]);
    expect((await on('report', 'owl.sqlite', '--knowledge')).out).toContain('    T2 bob was told it\n');
  });

  it('tells things of one name apart, in one run and over several', async () => {
    const { out } = await on('report', 'owl.sqlite', '--knowledge');
    const [first, second] = ['coin', 'sign'].map((id) => out.split(`\n  slip (${id})\n`)[1] ?? '');
    expect(first).toContain('T2 ann: TAKE coin (acted)');
    expect(second?.split('\n  ')[0]).not.toContain('acted');
    await on('run', 'owl.yaml', '--seed', '2', '--out', 'owl-2.sqlite', '--quiet');
    const { totals } = await knownIn('owl.sqlite', 'owl-2.sqlite');
    const things = totals[0]?.facts.filter(({ kind }) => kind === 'thing') ?? [];
    expect(things.map(({ words, about, runs }) => [words, about, runs])).toEqual([
      ['slip', ['coin'], 2],
      ['slip', ['sign'], 2],
    ]);
    const summary = (await on('report', 'owl.sqlite', 'owl-2.sqlite', '--knowledge')).out;
    expect(summary).toContain('  slip (coin)\n    ann: learnt in 2 of 2 runs (seen 2), acted on it in 2\n');
  });

  it('is a text within the terminal, a page in which nobody’s words act, and no table', async () => {
    const { out } = await orchestrate(['report', 'crypt.sqlite', '--knowledge'], {
      cwd,
      isTerminal: true,
      columns: 60,
      env: { NO_COLOR: '1' },
    });
    expect(out.split('\n').filter(({ length }) => length > 60)).toEqual([]);
    expect(out).toContain('    T12 blacksmith heard it from wizard');
    await on('report', 'told.sqlite', '--knowledge', '--out', 'known.html');
    const page = readFileSync(join(cwd, 'known.html'), 'utf8');
    expect(page).toContain('No &lt;b&gt;coin&lt;/b&gt; here');
    expect(page).not.toContain('<b>coin');
    expect(page).toContain('T1 bob heard it from ann');
    expect((await on('report', 'told.sqlite', '--knowledge', '--csv')).code).toBe(2);
  });

  it('tells what was learnt and done turn by turn, under the run, its log and how it ended, in the words of show', async () => {
    const { out } = await on('report', 'two-keepers.sqlite', '--knowledge');
    expect(out).toMatch(
      /^two-keepers, seed \d+, played by scripted\n {2}two-keepers\.sqlite#two-keepers-\w+: succeeded: The miner is in the vault\n/,
    );
    const shown = (await on('show', 'two-keepers.sqlite')).out;
    const acted = [...out.matchAll(/miner: (.*) \(acted\)/g)].map(([, words = '']) => words);
    expect(acted).toContain('GO TO green lever');
    for (const words of acted) expect(shown).toContain(` ${words} `);
    const { out: crypt } = await on('report', 'crypt.sqlite', '--knowledge');
    for (const fact of crypt.split(/\n {2}(?=\S)/).slice(2)) {
      const turns = [...fact.matchAll(/^ {4}T(\d+) /gm)].map(([, turn]) => Number(turn));
      expect(turns).toEqual(turns.toSorted((a, b) => a - b));
    }
  });

  it(
    'counts over many runs who learnt a fact, how, and acted on it, as text, page and JSON',
    { tags: ['long'] },
    async () => {
      for (const seed of ['1', '2', '3', '4'])
        await on(
          'run',
          resolve('scenarios/two-keepers.yaml'),
          '--controller',
          'random',
          '--set',
          'draw.lever=[green]',
          '--quiet',
          '--seed',
          seed,
          '--out',
          `${seed}.sqlite`,
        );
      const logs = ['1.sqlite', '2.sqlite', '3.sqlite', '4.sqlite'];
      const { totals, runs } = await knownIn(...logs, 'two-keepers.sqlite');
      expect(totals.map(({ players, runs: of }) => [players, of])).toEqual([['random', 4]]);
      // Counted anew from the runs' own facts.
      const knew = runs
        .filter(({ players }) => players === 'random')
        .flatMap(({ facts }) => facts.filter(({ words }) => words === 'green lever'));
      const total = totals[0]?.facts.find(({ words }) => words === 'green lever');
      const miner = total?.agents.find(({ agent }) => agent === 'miner');
      expect(total?.runs).toBe(knew.length);
      expect(miner?.learnt).toBe(
        knew.filter((fact) => fact.learnt.some(({ agent }) => agent === 'miner')).length,
      );
      expect(miner?.acted).toBe(
        knew.filter((fact) => fact.acted.some(({ agent }) => agent === 'miner')).length,
      );
      expect(miner?.ways.reduce((sum, way) => sum + way.runs, 0)).toBe(miner?.learnt);
      const line = `miner: learnt in ${miner?.learnt} of 4 runs (seen ${miner?.learnt}), acted on it in ${miner?.acted}`;
      const { out } = await on('report', ...logs, '--knowledge', '--out', 'many.html');
      expect(out).toMatch(/^two-keepers, played by random: 4 runs\n/);
      expect(out.slice(0, out.indexOf('seed 1'))).toContain(`    ${line}\n`);
      expect(readFileSync(join(cwd, 'many.html'), 'utf8')).toContain(line);
    },
  );

  it('has nothing to tell of worlds without places and speech', async () => {
    await on(
      'run',
      resolve('scenarios/react.yaml'),
      '--out',
      'sum.sqlite',
      '--controller',
      'random',
      '--quiet',
    );
    expect((await on('report', 'sum.sqlite', '--knowledge')).out).toContain(
      'nothing was said, read or found',
    );
  });
});

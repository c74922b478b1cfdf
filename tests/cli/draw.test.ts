/** A scenario with `draw` on the command line: what `check`, `show`, `report` and `export` tell of it, and what a batch, a fork and a chain make of it. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { openLogged } from '../../src/assembly/open-logged.js';
import { known } from '../../src/base/assert.js';
import { LogReader } from '../../src/log/reader.js';
import { possibleWorlds } from '../../src/scenario/possible-worlds.js';
import { drawnText } from '../../src/scenario/scenario.js';
import { BASE } from '../scenario/support.js';
import { orchestrate } from '../support/captured-io.js';
import { temporaryFolder } from '../support/folder.js';

const cwd = temporaryFolder();
const DRAW = 'draw: { colour: [red, green, blue], n: [2, 3] }\n';
const WORLD = `${BASE}    goals: ['Take the {{colour}} key.']
    controller: random
turns: { max: '{{n}}' }
`.replace('{ kind: key }', "{ kind: key, name: '{{colour}} key' }");

interface RunDocument {
  run_id: string;
  chain_hash: string;
}

async function json<T>(...words: string[]): Promise<T> {
  const { out, err } = await orchestrate([...words, '--json'], { cwd });
  expect(out, err).not.toBe('');
  return JSON.parse(out) as T;
}

beforeAll(async () => {
  writeFileSync(join(cwd, 'world.yaml'), `${WORLD}${DRAW}`);
  for (const seed of ['1', '2', '3', '4'])
    await orchestrate(['run', 'world.yaml', '--seed', seed, '--out', 'runs.sqlite'], { cwd });
});

/** What each seed drew, by the seeds of the log. */
function drawnInLog(): readonly { runId: string; colour: unknown; n: number; text: string }[] {
  const reader = new LogReader(join(cwd, 'runs.sqlite'));
  const all = reader.runs().map(({ runId }) => {
    const { drawn } = known(reader.run(runId).scenario.draw, 'a draw');
    return {
      runId,
      colour: drawn['colour'],
      n: Number(drawn['n']),
      text: drawnText(drawn),
    };
  });
  reader.close();
  return all;
}

describe('a scenario with draw', () => {
  it('is told by check, show, report and export', async () => {
    const [first] = drawnInLog();
    const { text = '', runId = '' } = first ?? {};
    expect((await orchestrate(['check', 'world.yaml'], { cwd })).out).toContain(
      `seed 1 draws ${text}: one of 6 worlds`,
    );
    expect((await json<{ drawn: object }>('check', 'world.yaml')).drawn).toMatchObject({
      colour: first?.colour,
    });
    expect((await orchestrate(['show', `runs.sqlite#${runId}`], { cwd })).out).toContain(`drawn: ${text}\n`);
    expect((await json<{ drawn: object }>('show', `runs.sqlite#${runId}`)).drawn).toMatchObject({
      n: first?.n,
    });
    const report = await json<{ runs: { drawn: { colour: string } }[] }>('report', 'runs.sqlite');
    expect(report.runs.map(({ drawn }) => drawn.colour)).toEqual(drawnInLog().map(({ colour }) => colour));
    await orchestrate(['export', 'runs.sqlite', '--format', 'jsonl', '--all', '--out', 'set'], { cwd });
    const rows = readFileSync(join(cwd, 'set', 'train.jsonl'), 'utf8')
      .trim()
      .split('\n');
    expect(rows.map((row) => (JSON.parse(row) as { drawn: string }).drawn)).toContain(text);
  });

  it('is one row of a report, though its texts and limits differ from seed to seed', async () => {
    expect(new Set(drawnInLog().map(({ text }) => text)).size).toBeGreaterThan(1);
    const { runs } = await json<{ runs: { settings: string }[] }>('report', 'runs.sqlite');
    expect(runs.map(({ settings }) => settings)).toEqual(['', '', '', '']);
  });

  it('has the chain of the scenario in which the values are written', async () => {
    const [{ colour, n } = { colour: '', n: 0 }] = drawnInLog();
    const written = WORLD.replaceAll('{{colour}}', String(colour)).replace("'{{n}}'", String(n));
    writeFileSync(join(cwd, 'written.yaml'), written);
    const drawn = await json<RunDocument>('run', 'world.yaml', '--seed', '1');
    expect((await json<RunDocument>('run', 'written.yaml', '--seed', '1')).chain_hash).toBe(drawn.chain_hash);
    const forced = await json<RunDocument>('run', 'world.yaml', '--seed', '1', '--set', `draw.n=[${5 - n}]`);
    expect(forced.chain_hash).not.toBe(drawn.chain_hash);
  });

  it('gives the same worlds from its log, whatever settings were used', async () => {
    const { run_id: runId } = await json<RunDocument>(
      'run',
      'world.yaml',
      '--out',
      'set.sqlite',
      '--set',
      'draw.colour=[red, white]',
      '--set',
      'turns.max=1',
    );
    const reader = new LogReader(join(cwd, 'set.sqlite'));
    const { scenario, module, loaded } = await openLogged(reader.run(runId));
    reader.close();
    const worlds = known(
      possibleWorlds(scenario, { reader: module.reader, sprites: loaded.sprites }),
      'worlds',
    );
    const text = drawnText({ colour: known(scenario.draw, 'a draw').drawn['colour'] ?? '' });
    expect(worlds.map(({ drawn }) => drawnText(drawn))).toEqual(['colour red', 'colour white']);
    const actual = worlds.find(({ drawn }) => drawnText(drawn) === text);
    expect(actual?.definition).toEqual(scenario.definition);
    expect(actual?.agents.map(({ goals }) => goals)).toEqual(scenario.agents.map(({ goals }) => goals));
  });

  it('is forked with what was drawn, which a fork may not change', async () => {
    const { run_id: runId } = await json<RunDocument>(
      'run',
      'world.yaml',
      '--out',
      'forked.sqlite',
      '--set',
      'draw.colour=[white]',
    );
    const address = `forked.sqlite#${runId}`;
    const set = ['fork', address, '--at', '2', '--set'];
    const { run_id: fork } = await json<RunDocument>(...set, 'agents.ann.persona=I like {{colour}}.');
    const reader = new LogReader(join(cwd, 'forked.sqlite'));
    expect(reader.run(fork).scenario.agents[0]?.persona).toBe('I like white.');
    reader.close();
    const refused = await orchestrate([...set, 'draw.colour=[red]'], { cwd });
    expect([refused.code, refused.err]).toEqual([2, expect.stringContaining('would change draw')]);
    expect((await orchestrate(['verify', 'forked.sqlite'], { cwd })).code).toBe(0);
  });
});

describe('a batch', () => {
  it('is refused for a mistake that only another seed would show, and says with which draw', async () => {
    const bad = WORLD.replace("turns: { max: '{{n}}' }", "turns: { max: '{{n}}', attempts: '{{tries}}' }");
    writeFileSync(
      join(cwd, 'bad.yaml'),
      `${bad}${DRAW}`.replace('draw: {', 'draw: { tries: [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 11],'),
    );
    writeFileSync(join(cwd, 'batch.yaml'), 'title: All\nscenarios: [bad.yaml]\nseeds: [1]\n');
    const good = await orchestrate(['run', 'bad.yaml'], { cwd });
    expect(good.code, good.err).toBe(0);
    for (const words of [
      ['batch', 'batch.yaml', '--dry-run'],
      ['check', 'bad.yaml'],
    ]) {
      const { code, err } = await orchestrate(words, { cwd });
      expect(code).toBe(2);
      expect(err).toContain('11 is out of range; the maximum is 10 (with tries 11');
    }
  });

  it('has other runs if other values may be drawn, though its own seed draws the same', async () => {
    const [{ n } = { n: 0 }] = drawnInLog();
    const others = [n, 8, 9].map(
      (other) => `n${other}: ['draw.n=[${n}, ${n}, ${n}, ${n}, ${n}, ${n}, ${other}]']`,
    );
    writeFileSync(
      join(cwd, 'switched.yaml'),
      `title: All\nscenarios: [world.yaml]\nseeds: [1]\nswitches:\n  n: { ${others.join(', ')} }\n`,
    );
    const { code, err, out } = await orchestrate(['batch', 'switched.yaml', '--dry-run', '--json'], { cwd });
    expect(code, err).toBe(0);
    const { runs } = JSON.parse(out) as { runs: { run_id: string }[] };
    expect(new Set(runs.map(({ run_id: runId }) => runId)).size).toBe(3);
  });
});

describe('the world of the documentation', () => {
  const page = readFileSync('docs/how-to/check-a-scenario.md', 'utf8');
  const [, world = ''] = /```yaml\n(title: Count the Skulls\n[\s\S]*?)```/.exec(page) ?? [];

  it('has no mistake with any draw, and no warning', async () => {
    writeFileSync(join(cwd, 'count.yaml'), world);
    const { code, out, err } = await orchestrate(['check', 'count.yaml'], { cwd });
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(/draws n \(word (two|three|four), .*\): one of 3 worlds/);
  });

  it('is won by the right number alone, which differs from seed to seed', async () => {
    const wins = new Set<string>();
    for (const seed of ['1', '2', '3', '4', '5', '6', '7', '8'])
      for (const word of ['two', 'three', 'four']) {
        writeFileSync(join(cwd, 'replies.yaml'), `ranger: ['ACTION: SPEAK "${word}"']\n`);
        const { win, proof, drawn } = await json<{
          win: unknown;
          proof: { status: string };
          drawn: { n: { word: string } };
        }>('check', 'count.yaml', '--replies', 'replies.yaml', '--effort', '0', '--set', `seed=${seed}`);
        expect(win).toBeNull();
        expect(proof.status).toBe(drawn.n.word === word ? 'succeeded' : 'failed');
        if (drawn.n.word === word) wins.add(word);
      }
    expect(wins.size).toBe(3);
  });
});

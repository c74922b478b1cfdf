/** Old replies read again: what differs from what was understood then is found, counted where it belongs, and bounded. */
import { readFileSync } from 'node:fs';
import type Database from 'better-sqlite3';
import { beforeAll, describe, expect, it } from 'vitest';
import { known } from '../../src/base/assert.js';
import { LIMITS } from '../../src/base/limits.js';
import { MODULES } from '../../src/worlds/registry.js';
import { stageOpener } from '../../src/assembly/stage.js';
import { LogReader } from '../../src/log/reader.js';
import { readAgain } from '../../src/replay/reparse.js';
import type { ReadAgain } from '../../src/replay/reparse.js';
import { ReparseTally } from '../../src/replay/reparse-tally.js';
import { MemorySink } from '../../src/trajectory/memory-sink.js';
import { corridor } from '../orchestrator/two-agents.js';
import { answering } from '../support/controllers.js';
import { partsFor } from '../support/play.js';
import { changeReply } from './changes.js';
import { changed, logged } from './support.js';

let path = '';

beforeAll(async () => {
  const controllers = {
    ann: answering(['I think.\nACTION: GO EAST', 'no idea', 'ACTION: WAIT']),
    bob: answering(['ACTION: READ sign', 'ACTION: GO WEST', 'ACTION: GO SOUTH']),
  };
  ({ path } = await logged(corridor('max: 2'), { controllers }));
});

function read(log: string, modules = MODULES): readonly ReadAgain[] {
  const reader = new LogReader(log);
  try {
    const { runId } = known(reader.runs()[0], 'a run');
    return [...readAgain(reader, runId, stageOpener({ modules }))];
  } finally {
    reader.close();
  }
}

/** As if another parser had understood an act otherwise when it was played. */
function understood(step: number, act: number, fields: object): (db: Database.Database) => void {
  return (db) => {
    const text = String(db.prepare('SELECT acts FROM steps WHERE step = ?').pluck().get(step));
    const acts = JSON.parse(text) as object[];
    acts[act] = { ...acts[act], ...fields };
    db.prepare('UPDATE steps SET acts = ? WHERE step = ?').run(JSON.stringify(acts), step);
  };
}

const PROBLEM = { ok: false, problem: { code: 'empty', message: 'There was no answer.' } };

describe('reading again', () => {
  it('finds every acting reply as it was, where nothing changed', () => {
    const all = read(path);
    expect(all.map(({ agent, attempt, comparison }) => [agent, attempt, comparison])).toEqual([
      ['ann', 1, 'same'],
      ['bob', 1, 'same'],
      ['bob', 2, 'same'],
      ['ann', 1, 'same'],
      ['ann', 2, 'same'],
      ['bob', 1, 'same'],
    ]);
    expect(all.map(({ rung }) => rung)).toEqual(['label', 'label', 'label', null, 'label', 'label']);
    expect(all.some(({ isToldOtherwise }) => isToldOtherwise)).toBe(false);
  });

  it('tells what was a problem and is an intent: recovered', () => {
    const log = changed(path, understood(1, 0, { intent: null, reading: null, result: PROBLEM }));
    const [first, ...rest] = read(log);
    expect(first).toMatchObject({ comparison: 'recovered', rung: 'label', was: { intent: null } });
    expect(first?.now.intent).toMatchObject({ action: 'GO', args: { direction: 'east' } });
    expect(rest.every(({ comparison }) => comparison === 'same')).toBe(true);
  });

  it('tells what was an intent and is a problem: lost, under the rule that read it', () => {
    const log = changed(path, (db) => changeReply(db, 1, 'I would rather not.'));
    expect(read(log)[0]).toMatchObject({
      comparison: 'lost',
      rung: 'label',
      was: { intent: { action: 'GO' } },
      now: { intent: null, problem: { code: 'unparsable' } },
    });
  });

  it('tells another intent, in its action or in an argument: changed', () => {
    const other = changed(path, (db) => changeReply(db, 1, 'ACTION: GO SOUTH'));
    expect(read(other)[0]).toMatchObject({
      comparison: 'changed',
      was: { intent: { args: { direction: 'east' } } },
      now: { intent: { args: { direction: 'south' } } },
    });
  });

  it('counts a refusal of the rules as understood, and an old problem in other words as the same', () => {
    const refused = understood(1, 0, { result: PROBLEM });
    expect(read(changed(path, refused))[0]?.comparison).toBe('same');
    const reworded = read(changed(path, understood(4, 0, { result: PROBLEM })))[3];
    expect(reworded).toMatchObject({ comparison: 'same', isToldOtherwise: true });
  });

  it('leaves out what came back from outside', () => {
    const intent = { agent: 'ann', action: 'GO', args: { direction: 'east' }, outside: { error: 'x' } };
    expect(read(changed(path, understood(1, 0, { intent })))[0]?.comparison).toBe('same');
  });

  it('changes nothing in the log', () => {
    const before = readFileSync(path);
    read(path);
    expect(readFileSync(path).equals(before)).toBe(true);
  });
});

describe('the sum', () => {
  const where = { log: 'a.sqlite', run: 'run' };
  const sample = (): ReadAgain => known(read(changed(path, (db) => changeReply(db, 1, 'Hm.')))[0], 'a reply');

  it('has a row for each model, protocol and rule, sorted, and adds them up', () => {
    const tally = new ReparseTally(1);
    const one = sample();
    tally.add({ ...one, model: 'b' }, where);
    tally.add({ ...one, model: 'a', comparison: 'same', rung: null }, where);
    tally.add({ ...one, model: 'a', comparison: 'same', rung: null }, where);
    tally.add({ ...one, model: 'a', protocol: 'json', comparison: 'changed' }, where);
    expect(tally.rows.map(({ model, protocol, rung, same }) => [model, protocol, rung, same])).toEqual([
      ['a', 'command', 'none', 2],
      ['a', 'json', 'label', 0],
      ['b', 'command', 'label', 0],
    ]);
    expect(tally.total).toEqual({ same: 2, recovered: 0, lost: 1, changed: 1 });
  });

  it('keeps so many examples of a kind and row, and of a long reply the part that matters', () => {
    const tally = new ReparseTally(2);
    const one = sample();
    const room = LIMITS.reparseExcerptUnits;
    const content = `${'x'.repeat(5000)}ACTION: GO EAST${'y'.repeat(5000)}`;
    const now = { ...one.was, span: { start: 5000, end: 5015 } };
    for (let i = 0; i < 5; i++)
      tally.add({ ...one, comparison: 'recovered', reply: { ...one.reply, content }, now }, where);
    tally.add({ ...one, model: 'other' }, where);
    expect(tally.examples('recovered')).toHaveLength(2);
    expect(tally.examples('lost')).toHaveLength(1);
    expect(tally.examples('recovered')[0]?.reply).toEqual({
      before: `…${'x'.repeat(room / 2)}`,
      accepted: 'ACTION: GO EAST',
      after: `${'y'.repeat(room / 2)}…`,
    });
  });

  it('stays bounded however many models a log names', () => {
    const tally = new ReparseTally(1);
    const one = sample();
    for (let i = 0; i < LIMITS.reparseRows + 50; i++) tally.add({ ...one, model: `model ${i}` }, where);
    expect(tally.rows).toHaveLength(LIMITS.reparseRows + 1);
    expect(tally.rows.find(({ model }) => model === 'other models')?.lost).toBe(50);
    expect(tally.total.lost).toBe(LIMITS.reparseRows + 50);
  });
});

describe('every environment in every protocol', () => {
  const worlds = ['scenarios/brass-key.yaml', 'scenarios/two-robots.yaml', 'scenarios/files.yaml'];
  const cases = worlds.flatMap((world) =>
    (['command', 'json', 'react', 'tools'] as const).map((protocol) => [world, protocol] as const),
  );

  it.each(cases)('%s by %s reads as it was played', async (world, protocol) => {
    const { agents } = (await partsFor(world, new MemorySink())).scenario;
    const set = [
      'turns.max=6',
      ...agents.flatMap(({ id }) => [`agents.${id}.protocol=${protocol}`, `agents.${id}.controller=random`]),
    ];
    const all = read((await logged(world, { set })).path);
    expect(all.length).toBeGreaterThan(0);
    expect(all.map((one) => [one.comparison, one.protocol])).toEqual(all.map(() => ['same', protocol]));
    expect(all.some(({ rung }) => rung !== null)).toBe(true);
  });
});

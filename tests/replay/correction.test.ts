/** A correction is what its agent could have answered: in its protocol's form, of what it perceived, allowed by its world as it was then. */
import type Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { MODULES } from '../../src/worlds/registry.js';
import { stageOpener } from '../../src/assembly/stage.js';
import { known } from '../../src/base/assert.js';
import { UsageError } from '../../src/base/errors.js';
import { judgedAct } from '../../src/log/annotations.js';
import { MemorySink } from '../../src/trajectory/memory-sink.js';
import { LogReader } from '../../src/log/reader.js';
import { readCorrection } from '../../src/replay/correction.js';
import type { Correction } from '../../src/replay/correction.js';
import { readAgain } from '../../src/replay/reparse.js';
import { protocolOf } from '../../src/parse/protocols.js';
import { corridor } from '../orchestrator/two-agents.js';
import { answering } from '../support/controllers.js';
import { partsFor } from '../support/play.js';
import { changed, logged } from './support.js';

const open = stageOpener({ modules: MODULES });

function correct(path: string, step: number, text: string): Correction {
  const reader = new LogReader(path);
  try {
    const run = reader.run(known(reader.runs()[0], 'a run').runId);
    const record = known(reader.step(run.runId, step), 'a step');
    const { call } = known(judgedAct(record), 'an answer');
    return readCorrection({ reader, run, step: record, call }, text, open);
  } finally {
    reader.close();
  }
}

/** In words: what it asks for, or why it can't be kept. */
function said(path: string, step: number, text: string): string {
  try {
    const { intent } = correct(path, step, text);
    return [intent.action, ...Object.values(intent.args)].join(' ');
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
}

async function played(
  ann: readonly string[],
  bob: readonly string[],
  { turns = 'max: 2', set = [] as readonly string[] } = {},
): Promise<string> {
  const controllers = { ann: answering(ann), bob: answering(bob) };
  return (await logged(corridor(turns), { controllers, set })).path;
}

describe('every reply that settled its step', () => {
  const worlds = ['scenarios/brass-key.yaml', 'scenarios/two-robots.yaml', 'scenarios/files.yaml'];
  const cases = worlds.flatMap((world) =>
    (['command', 'json', 'react', 'tools'] as const).map((protocol) => [world, protocol] as const),
  );

  it.each(cases)('of %s by %s could be its own correction', async (world, protocol) => {
    const { agents } = (await partsFor(world, new MemorySink())).scenario;
    const set = [
      'turns.max=6',
      ...agents.flatMap(({ id }) => [`agents.${id}.protocol=${protocol}`, `agents.${id}.controller=random`]),
    ];
    const { path } = await logged(world, { set });
    const reader = new LogReader(path);
    const { runId } = known(reader.runs()[0], 'a run');
    let read = 0;
    for (const { step, call, reply } of readAgain(reader, runId, open)) {
      const act = known(judgedAct(known(reader.step(runId, step), 'a step')), 'an answer');
      if (act.call !== call || act.reading?.ok !== true) continue;
      const text = reply.toolCalls.length > 0 ? protocolOf(protocol).replyText(act.reading) : reply.content;
      const { intent, isTried } = correct(path, step, text);
      const { action, args } = known(act.intent, 'an intent');
      expect([intent.action, intent.args, isTried]).toEqual([action, args, true]);
      read += 1;
    }
    expect(read).toBeGreaterThan(0);
    reader.close();
  });
});

describe('words that ask for nothing', () => {
  it('are told as the agent would be, with the reply that came in its form', async () => {
    const path = await played(['I look east.\nACTION: go east'], []);
    for (const words of [
      '',
      'east would be better',
      'ACTION: FLY',
      'ACTION: TAKE sword',
      '{"action": "WAIT"}',
    ])
      expect(said(path, 1, words)).toMatch(
        /^the correction of ann's reply would not be understood: .* The actual reply, in this format: ACTION: go east$/,
      );
    expect(said(path, 1, 'East.\nACTION: GO EAST')).toBe('GO east');
  });

  it('include another form that the reader merely puts up with', async () => {
    const path = await played(['ACTION: WAIT'], []);
    for (const words of ['GO EAST', '<action>GO EAST</action>'])
      expect(said(path, 1, words)).toBe("the correction must be in ann's reply format: ACTION: GO EAST");
    const json = await played(['{"action": "WAIT"}'], [], { set: ['agents.ann.protocol=json'] });
    expect(said(json, 1, 'ACTION: WAIT')).toMatch(/^the correction of ann's reply would not be understood: /);
    expect(said(json, 1, '{"action": "WAIT"}')).toBe('WAIT');
  });
});

describe('what the rules would refuse', () => {
  it('is refused, in the world as the agent had it', async () => {
    const take = ['ACTION: TAKE coin'];
    const inTurn = await played(take, ['ACTION: WAIT']);
    expect(said(inTurn, 1, 'ACTION: GO NORTH')).toMatch(
      /^the rules would refuse the correction of ann's reply: /,
    );
    // Ann has it since the step before; where both act at once she had not yet.
    expect(said(inTurn, 2, 'ACTION: TAKE coin')).toMatch(
      /^the correction of bob's reply would not be understood: /,
    );
    const atOnce = await played(take, ['ACTION: WAIT'], { turns: 'max: 2, order: simultaneous' });
    expect(said(atOnce, 2, 'ACTION: TAKE coin')).toBe('TAKE coin');
    expect(said(atOnce, 5, 'ACTION: TAKE coin')).toMatch(
      /^the correction of bob's reply would not be understood: /,
    );
  });

  it('is a free action too many, counting those that were done in the step', async () => {
    const bob = ['ACTION: READ sign', 'ACTION: WAIT'];
    const one = await played([], bob, { turns: 'max: 1, free_acts: 1' });
    expect(said(one, 2, 'ACTION: READ sign')).toMatch(
      /^the rules would refuse the correction of bob's reply: The free actions/,
    );
    const two = await played([], bob, { turns: 'max: 1, free_acts: 2' });
    expect(said(two, 2, 'ACTION: READ sign')).toBe('READ sign');
  });

  it('is not asked of a world that is another one than the logged', async () => {
    const path = await played(['ACTION: GO EAST'], []);
    const other = changed(path, (db: Database.Database) => {
      db.exec(`UPDATE steps SET state = replace(hex(zeroblob(32)), '0', 'a') WHERE step = 1`);
    });
    expect(correct(other, 2, 'ACTION: GO WEST')).toMatchObject({ intent: { action: 'GO' }, isTried: false });
  });
});

it('a step that was given up is corrected at its last reply', async () => {
  const path = await played(['no idea', 'none', 'still none'], []);
  expect(said(path, 1, 'ACTION: GO EAST')).toBe('GO east');
  expect(said(path, 1, 'still none')).toMatch(
    /^the correction of ann's reply would not be understood: (?!.* The actual reply)/,
  );
});

/** A log proves itself; and whatever is changed in it, verifying names the first step and the part that differ. */
import type Database from 'better-sqlite3';
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { known } from '../../src/base/assert.js';
import { genesis } from '../../src/trajectory/chain.js';
import { LogReader } from '../../src/log/reader.js';
import type { LoggedCall, RunRecord } from '../../src/trajectory/records.js';
import { corridor } from '../orchestrator/two-agents.js';
import { answering } from '../support/controllers.js';
import { LIBRARY_YAML } from '../support/library-scenario.js';
import { libraryModule } from '../support/library-world.js';
import { teller } from '../support/teller.js';
import {
  changeBlob,
  changeBytes,
  changeFrame,
  changeObservation,
  changeReply,
  changeText,
  numberIn,
} from './changes.js';
import { changed, damaged, logged, verified } from './support.js';

/** Refused, a free act, a step; ann's second turn is steps 4 (ann), 5 (bob), 6 (the world). */
const ANN = ['hm', 'ACTION: LOOK', 'ACTION: GO EAST', 'I think.\nACTION: WAIT'];
const STEPS = 12;
let path = '';
let run: RunRecord;
let calls: readonly LoggedCall[] = [];

beforeAll(async () => {
  const bob = answering(['ACTION: READ sign', 'ACTION: WAIT']);
  ({ path } = await logged(corridor('max: 4'), { controllers: { ann: answering(ANN), bob } }));
  const reader = new LogReader(path);
  run = reader.run(known(reader.runs()[0], 'a run').runId);
  calls = [...reader.steps(run.runId)].flatMap(({ step }) => reader.calls(run.runId, step));
  reader.close();
});

/** The difference that whoever forged the log's own hashes as well would leave. */
const difference = async (change: (db: Database.Database) => void) =>
  (await verified(changed(path, change))).difference;

/** The last call of a step. */
const lastCall = (step: number) =>
  known(
    calls.findLast(({ request }) => request.step === step),
    `a call of step ${step}`,
  ).request;

it('a log as it was written is made again, step by step and frame by frame', async () => {
  const frames = calls.filter(({ request }) => request.frameHash !== null).length;
  expect(await verified(path)).toMatchObject({ difference: null, steps: STEPS, frames, status: 'ended' });
});

describe('one field of a step, changed', () => {
  const step = (set: string, number = 4) => `UPDATE steps SET ${set} WHERE step = ${number}`;
  it.each([
    ['a part of the state', step(`parts = json_set(parts, '$.rng', 'x')`), 'rng', '/parts/rng'],
    ['the hash of the state', step(`state = replace(hex(zeroblob(32)), '0', 'a')`), 'state', '/stateHash'],
    ['the chain', step(`chain = replace(hex(zeroblob(32)), '0', 'a')`), 'chain', '/chain'],
    [
      'an intent',
      step(`acts = json_set(acts, '$[0].intent.action', 'DONE')`),
      'parser',
      '/acts/0/intent/action',
    ],
    ['a reading', step(`acts = json_set(acts, '$[0].reading.rung', 9)`), 'parser', '/acts/0/reading/rung'],
    [
      'a result',
      step(`acts = json_set(acts, '$[0].result.message', 'x')`),
      'result',
      '/acts/0/result/message',
    ],
    [
      'an act too many',
      step(`acts = json_insert(acts, '$[#]', json('{"result":{"ok":true}}'))`),
      'acts',
      '/acts/1',
    ],
    [
      'an event too many',
      step(`events = json_insert(events, '$[#]', json('{"data":{},"seenBy":[]}'))`),
      'events',
      null,
    ],
    ['its agent', step(`agent = 'bob'`), 'step', null],
    ['its turn', step('turn = 3'), 'step', '/turn'],
    ['no calls', step(`calls = '[]'`), 'call', '/calls/0'],
  ])('%s', async (_what, sql, part, at) => {
    const found = await difference((db) => db.exec(sql));
    expect(found).toMatchObject({ run: run.runId, step: 4, part, ...(at === null ? {} : { path: at }) });
    expect(found?.logged).not.toBe(found?.made);
    expect(found?.note).not.toBe('');
  });

  it('tells both values', async () => {
    const found = await difference((db) =>
      db.exec(step(`acts = json_set(acts, '$[0].intent.action', 'DONE')`)),
    );
    expect(found).toMatchObject({ agent: 'ann', logged: '"DONE"', made: '"WAIT"' });
  });
});

describe('the order of steps, changed', () => {
  it.each([
    ['one is missing', 'DELETE FROM steps WHERE step = 5', 5, 'step'],
    ['the first is missing', 'DELETE FROM steps WHERE step = 1', 1, 'step'],
    ['the last is missing', `DELETE FROM steps WHERE step = ${STEPS}`, STEPS, 'end'],
    [
      'two are swapped',
      'UPDATE steps SET step = 99 WHERE step = 4; UPDATE steps SET step = 4 WHERE step = 5; UPDATE steps SET step = 5 WHERE step = 99',
      4,
      'step',
    ],
    [
      'there is one more',
      `INSERT INTO steps (run, step, turn, agent, calls, acts, events, state, parts, chain, finished_at, sha256) SELECT run, ${STEPS + 1}, turn, agent, calls, acts, events, state, parts, chain, finished_at, sha256 FROM steps WHERE step = ${STEPS}`,
      STEPS + 1,
      'step',
    ],
  ])('%s', async (_what, sql, step, part) => {
    expect(await difference((db) => db.exec(sql))).toMatchObject({ step, part });
  });
});

describe('what was asked and answered, changed with its hashes', () => {
  it.each([
    ['a command', 'ACTION: GO WEST', 'parser'],
    ['a word before it', 'I thunk.\nACTION: WAIT', 'chain'],
  ])('%s in a reply', async (_what, content, part) => {
    const { call } = lastCall(4);
    expect(await difference((db) => changeReply(db, call, content))).toMatchObject({ step: 4, part });
  });

  it('a word of a message', async () => {
    const request = lastCall(11);
    const found = await difference((db) => changeText(db, request, (text) => `${text}!`));
    expect(found).toMatchObject({ step: 11, agent: 'bob', part: 'messages' });
    expect(found?.path).toMatch(/^\/calls\/0\/messages\/\d+\/parts\/0\/text$/);
  });

  it.each(['{}', '{"scope":"x"}', '{"scope":[1]}'])(
    'an observation that is no such thing: %s',
    async (text) => {
      const found = await difference((db) => changeObservation(db, lastCall(4), () => text));
      expect(found).toMatchObject({ step: 4, part: 'observation' });
    },
  );

  it('a word of an observation', async () => {
    const request = lastCall(4);
    const found = await difference((db) =>
      changeObservation(db, request, (text) => text.replace('coin', 'cain')),
    );
    expect(found).toMatchObject({ step: 4, part: 'observation' });
    expect(found?.path).toMatch(/^\/calls\/0\/observation\//);
  });

  it('a pixel of a frame; the same pixels in another file are the same picture', async () => {
    const { frameHash, messages } = lastCall(1);
    const image = messages.at(-1)?.parts.find((part) => part.kind === 'image');
    const png = known(image, 'a picture').png;
    const pixels = await sharp(png).raw().toBuffer({ resolveWithObject: true });
    const again = (data: Buffer) => sharp(data, { raw: pixels.info }).png({ compressionLevel: 1 }).toBuffer();
    const [same, other] = [await again(pixels.data), await again(withOnePixelChanged(pixels.data))];
    const hash = known(frameHash, 'a frame');
    expect(Buffer.compare(same, png)).not.toBe(0);
    expect(await difference((db) => changeFrame(db, hash, same))).toBeNull();
    const found = await difference((db) => changeFrame(db, hash, other));
    expect(found).toMatchObject({ step: 1, agent: 'ann', part: 'frame', path: `/frames/${hash}` });
    expect(found?.logged).toContain('"rgba"');
    const broken = await difference((db) => changeFrame(db, hash, png.slice(0, 60)));
    expect(broken).toMatchObject({ step: 1, part: 'frame' });
  });

  it.each([
    ['a call that is listed', (call: number) => `DELETE FROM calls WHERE call = ${call}`, 'call'],
    ['its reply', (call: number) => `DELETE FROM replies WHERE call = ${call}`, 'reply'],
  ])('%s, missing', async (_what, sql, part) => {
    const { call } = lastCall(11);
    expect(await difference((db) => db.exec(sql(call)))).toMatchObject({ step: 11, part });
  });
});

function withOnePixelChanged(data: Buffer): Buffer {
  const copy = Buffer.from(data);
  copy[600] = (copy[600] ?? 0) ^ 1;
  return copy;
}

describe('what the run began with, changed with its hashes', () => {
  const blobOf = (db: Database.Database, column: string) => numberIn(db, `SELECT ${column} FROM runs`);

  it('the seed', async () => {
    expect(await difference((db) => db.exec(`UPDATE runs SET seed = '2'`))).toMatchObject({
      step: null,
      part: 'seed',
    });
  });

  it('the scenario', async () => {
    const change = (text: string) => text.replace('Mind the step.', 'Mind the stop.');
    const found = await difference((db) => changeBlob(db, blobOf(db, 'scenario'), change));
    expect(found).toMatchObject({ step: null, part: 'scenario', path: '/genesisHash' });
  });

  it('the scenario and the genesis', async () => {
    const scenario = { ...run.scenario, prompt: { ...run.scenario.prompt, rules: 'Other rules.' } };
    const hash = genesis({ scenario, seed: run.seed, rules: run.versions.rules, log: 2 });
    const found = await difference((db) => {
      changeBlob(db, blobOf(db, 'scenario'), () => JSON.stringify(scenario));
      db.prepare('UPDATE runs SET genesis = ?').run(hash);
    });
    expect(found).toMatchObject({ step: 1, part: 'messages', path: '/calls/0/messages/0/parts/0/text' });
  });

  it('a scenario that no environment can open', async () => {
    const scenario = { ...run.scenario, definition: {} };
    const hash = genesis({ scenario, seed: run.seed, rules: run.versions.rules, log: 2 });
    const found = await difference((db) => {
      changeBlob(db, blobOf(db, 'scenario'), () => JSON.stringify(scenario));
      db.prepare('UPDATE runs SET genesis = ?').run(hash);
    });
    expect(found).toMatchObject({ step: null, part: 'scenario' });
  });

  it('the tileset: other pixels, or none', async () => {
    const name = 'tileset.png';
    const blob = (db: Database.Database) =>
      numberIn(db, `SELECT content FROM tileset_images WHERE name = '${name}'`);
    const negative = await sharp(known(run.tileset.images[name], 'an image'))
      .negate({ alpha: false })
      .png()
      .toBuffer();
    const found = await difference((db) => changeBytes(db, blob(db), negative));
    expect(found).toMatchObject({ step: 1, part: 'frame', path: '/calls/0/frameHash' });
    const none = await difference((db) => changeBytes(db, blob(db), Buffer.from('no picture')));
    expect(none).toMatchObject({ step: null, part: 'tileset' });
  });

  it('the state before the first step, and after the last', async () => {
    const late = (text: string) => JSON.stringify({ ...(JSON.parse(text) as object), turn: 77 });
    const first = await difference((db) =>
      changeBlob(db, numberIn(db, 'SELECT state FROM snapshots WHERE step = 0'), late),
    );
    expect(first).toMatchObject({ step: null, part: 'turn', path: '/initialState/turn', made: '1' });
    const last = await difference((db) => changeBlob(db, numberIn(db, 'SELECT final_state FROM ends'), late));
    expect(last).toMatchObject({ step: null, part: 'turn', path: '/end/finalState/turn', logged: '77' });
  });

  it.each([
    ['status', `'succeeded'`],
    ['reason', `'because'`],
    ['turns', '3'],
  ])('the %s of its end', async (column, value) => {
    const found = await difference((db) => db.exec(`UPDATE ends SET ${column} = ${value}`));
    expect(found).toMatchObject({ step: null, part: 'end', path: `/end/${column}` });
  });
});

describe('bytes changed without their hashes', () => {
  const lastReply = 'call = (SELECT max(call) FROM calls WHERE step = 5)';
  it.each([
    [
      'a command',
      `UPDATE replies SET content = 'ACTION: GO WEST' WHERE ${lastReply}`,
      5,
      'parser',
      '/acts/0/',
    ],
    [
      'a word of a reply',
      `UPDATE replies SET content = content || ' ' WHERE ${lastReply}`,
      5,
      'chain',
      '/chain',
    ],
    ['a picture', 'UPDATE frames SET png = zeroblob(99)', 1, 'frame', '/frames/'],
    [
      'a text',
      `UPDATE blobs SET content = content || ' ' WHERE blob = (SELECT max(blob) FROM blobs WHERE encoding = 'plain')`,
      11,
      'messages',
      '/calls/0/messages/',
    ],
    [
      'an observation',
      `UPDATE blobs SET content = '{"agent":"zed"}' WHERE blob = (SELECT observation FROM calls WHERE step = 4)`,
      4,
      'observation',
      '/calls/0/observation/',
    ],
  ])('%s: part, path and both values are named, and the damage', async (_what, sql, step, part, at) => {
    const { difference: found, damage } = await verified(damaged(path, (db) => db.exec(sql)));
    expect(found).toMatchObject({ run: run.runId, step, part });
    expect(found?.path.startsWith(at)).toBe(true);
    expect(found?.made).not.toBeNull();
    expect(found?.logged).not.toBe(found?.made);
    expect(damage).toContain(`run ${run.runId}, step ${step}: `);
    expect(damage).toContain('is damaged');
  });

  it.each([
    ['a hash', `UPDATE calls SET sha256 = replace(hex(zeroblob(32)), '0', 'a') WHERE call = 1`, 1],
    [
      'what a program can not read',
      `UPDATE blobs SET content = x'00' WHERE blob = (SELECT observation FROM calls WHERE step = 4)`,
      4,
    ],
  ])('%s: with nothing to compare, the damage and its step are told', async (_what, sql, step) => {
    const broken = verified(damaged(path, (db) => db.exec(sql)));
    await expect(broken).rejects.toThrow(`run ${run.runId}, step ${step}: `);
    await expect(broken).rejects.toMatchObject({ exitCode: 3 });
  });
});

describe('other versions', () => {
  it.each(['rules', 'parser', 'prompt', 'render'])(
    'of the %s are told instead of the difference',
    async (name) => {
      const sql = `UPDATE sittings SET versions = json_set(versions, '$.${name}', 0);
      UPDATE steps SET acts = json_set(acts, '$[0].result.message', 'x') WHERE step = 4`;
      const found = await difference((db) => {
        db.exec(sql);
        const { scenario, seed } = run;
        const rules = name === 'rules' ? 0 : run.versions.rules;
        db.prepare('UPDATE runs SET genesis = ?').run(genesis({ scenario, seed, rules, log: 2 }));
      });
      expect(found).toMatchObject({ part: 'version', path: `/versions/${name}`, logged: '0' });
      expect(found?.note).toContain('was made with version 0');
    },
  );

  it('are no difference where everything is made the same', async () => {
    const sql = `UPDATE sittings SET versions = json_set(versions, '$.parser', 0, '$.render', 0)`;
    expect(await difference((db) => db.exec(sql))).toBeNull();
  });
});

describe('what came from outside', () => {
  const modules = [libraryModule()];

  it('is used as it was stored, and where it was changed, the change is named', async () => {
    const library = await logged(LIBRARY_YAML, { modules });
    expect(await verified(library.path, modules)).toMatchObject({ difference: null, steps: 1 });
    const change = (db: Database.Database) =>
      void changeBlob(db, numberIn(db, 'SELECT output FROM outside'), (text) =>
        text.replace('blue', 'green'),
      );
    const { difference: found } = await verified(changed(library.path, change), modules);
    expect(found).toMatchObject({ step: 1, part: 'outside' });
    const missing = changed(library.path, (db) => db.exec('DELETE FROM outside'));
    expect((await verified(missing, modules)).difference).toMatchObject({ step: 1, part: 'outside' });
    const args = changed(library.path, (db) => db.exec(`UPDATE outside SET args = '{"entry":"sea"}'`));
    expect((await verified(args, modules)).difference).toMatchObject({ path: '/outside/0/args/entry' });
  });
});

describe('questions beside the run', () => {
  const set = [
    'probes.every=1',
    'agents.ann.memory.kind=summary',
    'agents.ann.memory.turns_max=2',
    'agents.ann.memory.turns_kept=1',
  ];

  it('are made again: probes, summaries, looking back', async () => {
    const controllers = { ann: teller({ words: 'no' }), bob: teller({ words: 'unknown' }) };
    const asked = await logged(corridor('max: 5'), {
      controllers,
      set: [...set, 'agents.ann.reflection.when=always'],
    });
    expect(await verified(asked.path)).toMatchObject({ difference: null, status: 'ended' });
    const found = async (sql: string) =>
      (await verified(changed(asked.path, (db) => db.exec(sql)))).difference;
    const probe = '(SELECT max(call) FROM probes WHERE call IN (SELECT call FROM calls WHERE step = 7))';
    expect(await found(`UPDATE probes SET answer = 'x' WHERE call = ${probe}`)).toMatchObject({
      step: 7,
      part: 'probe',
      path: '/probe/answer',
    });
    expect(await found(`DELETE FROM probes WHERE call = ${probe}`)).toMatchObject({ step: 7, part: 'probe' });
    const summary = `(SELECT min(call) FROM calls WHERE purpose = 'summary')`;
    const summed = changed(asked.path, (db) =>
      changeReply(db, numberIn(db, `SELECT ${summary}`), 'Other words.'),
    );
    expect((await verified(summed)).difference).toMatchObject({ part: 'memory', agent: 'ann' });
  });
});

/** `mark`: what people say of steps lies beside the log, and decides what is exported. */
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { LIMITS } from '../../src/base/limits.js';
import { addMark, readMarks } from '../../src/log/annotations.js';
import { LogReader } from '../../src/log/reader.js';
import { orchestrate } from '../support/captured-io.js';
import { temporaryFolder } from '../support/folder.js';
import { filesIn, jsonLines, playInto } from './runs.js';

const cwd = temporaryFolder();
let before: Buffer;

beforeAll(async () => {
  await playInto(cwd, 'one');
  before = readFileSync(join(cwd, 'one.sqlite'));
  await marked('1', '--accept');
  await marked('2', '--reject', 'first thoughts');
  await marked('2', '--reject', 'it waits for nothing');
  await marked('4', '--correct', 'The coin is here.\nACTION: TAKE coin');
});

function marked(step: string, ...words: readonly string[]) {
  return orchestrate(['mark', 'one.sqlite', '--step', step, ...words], { cwd });
}

function runsOf(log: string): readonly string[] {
  const reader = new LogReader(join(cwd, log));
  const runs = reader.runs().map(({ runId }) => runId);
  reader.close();
  return runs;
}

async function rows(out: string, ...words: readonly string[]) {
  const args = ['export', 'one.sqlite', '--format', 'jsonl', '--out', out, ...words];
  expect((await orchestrate(args, { cwd })).code).toBe(0);
  return jsonLines(filesIn(join(cwd, out))['train.jsonl']);
}

describe('mark', () => {
  it('leaves the log alone; the last word on a step holds', () => {
    expect(readFileSync(join(cwd, 'one.sqlite')).equals(before)).toBe(true);
    const lines = jsonLines(readFileSync(join(cwd, 'one.sqlite.marks.jsonl')));
    expect(lines.map(({ step, verdict }) => [step, verdict])).toEqual([
      [1, 'accepted'],
      [2, 'rejected'],
      [2, 'rejected'],
      [4, 'corrected'],
    ]);
    const marks = readMarks(join(cwd, 'one.sqlite'));
    expect(marks.of(String(lines[0]?.['run']), 2)?.text).toBe('it waits for nothing');
  });

  it('is read behind the byte order mark of an editor', () => {
    const plain = readFileSync(join(cwd, 'one.sqlite.marks.jsonl'));
    const [run = ''] = runsOf('one.sqlite');
    writeFileSync(join(cwd, 'bom.sqlite.marks.jsonl'), Buffer.concat([Buffer.from('\uFEFF'), plain]));
    expect(readMarks(join(cwd, 'bom.sqlite')).of(run, 1)?.verdict).toBe('accepted');
  });

  it('keeps what nobody rejected, or only what was accepted or corrected, the settling reply alone', async () => {
    const all = await rows('all', '--only', 'any');
    const kept = await rows('kept');
    expect(all.length - kept.length).toBe(1);
    const accepted = await rows('accepted', '--only', 'accepted');
    expect(accepted.map(({ step, attempt, mark }) => [step, attempt, mark])).toEqual([
      [1, 1, 'accepted'],
      [4, 3, 'corrected'],
    ]);
    const [rejected] = await rows('rejected', '--only', 'rejected');
    expect(rejected).toMatchObject({ step: 2, attempt: 2, mark_text: 'it waits for nothing' });
  });

  it('puts a person’s words in place of the reply, and keeps the reply beside them', async () => {
    const [, corrected] = await rows('corrected', '--only', 'accepted');
    expect(corrected).toMatchObject({
      reply: 'The coin is here.\nACTION: TAKE coin',
      given: 'ACTION: TAKE coin',
    });
    // They were never read nor tried: nothing of the reply before them is told as theirs.
    const unknown = {
      action: null,
      arguments: null,
      rung: null,
      span: null,
      ok: null,
      problem: null,
      result: null,
    };
    expect(corrected).toMatchObject({ ...unknown, completion_tokens: null, finish_reason: null });
    expect(corrected?.['after']).toEqual({ message: null, events: [] });
    const tried = await rows('tried', '--only', 'accepted', '--ok');
    expect(tried.map(({ mark }) => mark)).toEqual(['accepted']);
  });

  it('can be taken back', async () => {
    const marks = () =>
      readMarks(join(cwd, 'one.sqlite'))
        .ofRun(run)
        .map(({ step }) => step);
    const run = String(jsonLines(readFileSync(join(cwd, 'one.sqlite.marks.jsonl')))[0]?.['run']);
    const file = readFileSync(join(cwd, 'one.sqlite.marks.jsonl'));
    expect(marks()).toEqual([1, 2, 4]);
    expect(await marked('2', '--clear')).toMatchObject({
      code: 0,
      out: expect.stringContaining('removed the mark on'),
    });
    expect(marks()).toEqual([1, 4]);
    expect((await marked('2', '--clear', '--accept')).code).toBe(2);
    writeFileSync(join(cwd, 'one.sqlite.marks.jsonl'), file);
  });

  it('is written to a plain file alone, whole, and after a line that was cut off', { tags: ['long'] }, () => {
    const said = { run: 'a', step: 1, verdict: 'accepted', text: '' } as const;
    const at = (name: string) => join(cwd, name);
    writeFileSync(at('precious'), 'precious');
    symlinkSync(at('precious'), at('led.marks.jsonl'));
    expect(() => addMark(at('led'), said)).toThrow("can't be written");
    expect(readFileSync(at('precious'), 'utf8')).toBe('precious');
    symlinkSync(at('nowhere'), at('gone.marks.jsonl'));
    expect(() => addMark(at('gone'), said)).toThrow("can't be written");
    expect(existsSync(at('nowhere'))).toBe(false);
    mkdirSync(at('folder.marks.jsonl'));
    expect(() => addMark(at('folder'), said)).toThrow("can't be written");
    expect(() => addMark(at('no/such'), said)).toThrow("can't be written");
    execFileSync('mkfifo', [at('pipe.marks.jsonl')]);
    expect(() => addMark(at('pipe'), said)).toThrow("can't be written");
    expect(() => readMarks(at('pipe'))).toThrow('not a plain file');
    symlinkSync('/dev/zero', at('zero.marks.jsonl'));
    expect(() => readMarks(at('zero'))).toThrow('not a plain file');
    writeFileSync(at('cut.marks.jsonl'), '{"run"');
    addMark(at('cut'), said);
    expect(readFileSync(at('cut.marks.jsonl'), 'utf8')).toBe(`{"run"\n${JSON.stringify(said)}\n`);
    writeFileSync(at('full.marks.jsonl'), Buffer.alloc(LIMITS.marksBytes, '\n'));
    expect(() => addMark(at('full'), said)).toThrow('would be larger than');
    expect(statSync(at('full.marks.jsonl')).size).toBe(LIMITS.marksBytes);
  });

  it('refuses what is no step, no word, or too long', async () => {
    expect((await marked('3', '--accept')).err).toContain('belongs to the world');
    expect((await marked('99', '--accept')).code).toBe(2);
    expect((await marked('1')).code).toBe(2);
    expect((await marked('1', '--accept', '--reject', 'no')).code).toBe(2);
    expect((await marked('5', '--reject', 'x'.repeat(LIMITS.markCharacters))).code).toBe(0);
    expect((await marked('5', '--reject', 'x'.repeat(LIMITS.markCharacters + 1))).code).toBe(2);
  });

  it('keeps a correction that the agent could have answered, and tells what it asks for', async () => {
    const kept = readFileSync(join(cwd, 'one.sqlite.marks.jsonl'), 'utf8');
    const right = await marked('4', '--correct', 'The coin is here.\nACTION: TAKE coin');
    expect([right.code, right.out]).toEqual([
      0,
      expect.stringContaining('understood as TAKE {"thing": "coin"}\n'),
    ]);
    const after = readFileSync(join(cwd, 'one.sqlite.marks.jsonl'), 'utf8');
    expect(after).toBe(`${kept}${after.slice(kept.length)}`);
    for (const [words, told] of [
      ['the coin, please', "the correction of ann's reply can't be parsed: "],
      ['TAKE coin', "the correction must be in ann's reply format: ACTION: TAKE coin"],
      ['ACTION: GO NORTH', "the rules would refuse the correction of ann's reply: "],
    ] as const) {
      const ran = await marked('4', '--correct', words);
      expect([ran.code, ran.out, ran.err]).toEqual([2, '', expect.stringContaining(told)]);
    }
    expect(readFileSync(join(cwd, 'one.sqlite.marks.jsonl'), 'utf8')).toBe(after);
    writeFileSync(join(cwd, 'one.sqlite.marks.jsonl'), kept);
  });

  it('is about the last reply of a step that was given up, so that a correction of it is exported', async () => {
    await playInto(cwd, 'lost', {
      answers: { ann: ['hm', 'well', 'no'], bob: ['ACTION: WAIT'] },
      turns: 'max: 1, attempts: 3',
    });
    const words = ['mark', 'lost.sqlite', '--step', '1', '--correct', 'ACTION: GO EAST'];
    expect((await orchestrate(words, { cwd })).code).toBe(0);
    const args = ['export', 'lost.sqlite', '--format', 'jsonl', '--out', 'given-up', '--only', 'accepted'];
    expect((await orchestrate(args, { cwd })).code).toBe(0);
    const found = jsonLines(filesIn(join(cwd, 'given-up'))['train.jsonl']);
    expect(
      found.map(({ step, attempt, reply, given, settled }) => [step, attempt, reply, given, settled]),
    ).toEqual([[1, 3, 'ACTION: GO EAST', 'no', false]]);
  });

  it('of a step that a fork shares is read as its parent was played', async () => {
    await playInto(cwd, 'parent');
    const to = ['fork', 'parent.sqlite', '--at', '4', '--set', 'agents.ann.protocol=json', '--quiet'];
    expect((await orchestrate(to, { cwd })).code).toBe(0);
    const [parent, fork] = runsOf('parent.sqlite');
    const correct = (step: string, words: string) =>
      orchestrate(['mark', `parent.sqlite#${fork}`, '--step', step, '--correct', words], { cwd });
    expect((await correct('1', 'ACTION: WAIT')).code).toBe(0);
    expect((await correct('4', 'ACTION: WAIT')).err).toContain(
      "the correction of ann's reply can't be parsed",
    );
    expect((await correct('4', '{"action": "WAIT"}')).code).toBe(0);
    const marks = readMarks(join(cwd, 'parent.sqlite'));
    expect([marks.of(String(parent), 1)?.text, marks.of(String(fork), 4)?.text]).toEqual([
      'ACTION: WAIT',
      '{"action": "WAIT"}',
    ]);
  });

  it('says which line of a file of marks is none, and reads none that is too large', async () => {
    const file = join(cwd, 'one.sqlite.marks.jsonl');
    const good = readFileSync(file);
    appendFileSync(file, '{"run": 1}\n');
    const args = ['export', 'one.sqlite', '--format', 'jsonl', '--out', 'bad'];
    const ran = await orchestrate(args, { cwd });
    expect([ran.code, ran.err]).toEqual([3, expect.stringContaining('line 6 is not a mark')]);
    writeFileSync(file, Buffer.alloc(LIMITS.marksBytes + 1, '\n'));
    expect((await orchestrate(args, { cwd })).err).toContain('larger than');
    writeFileSync(file, good);
  });
});

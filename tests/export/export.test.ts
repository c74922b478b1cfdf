/** `export` from the command line: what a row holds is what was sent and answered, the same command gives the same bytes, nothing is half there. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { LIMITS } from '../../src/base/limits.js';
import { LogReader } from '../../src/log/reader.js';
import { main } from '../../src/cli/main.js';
import { capturedIo, orchestrate } from '../support/captured-io.js';
import { temporaryFolder } from '../support/folder.js';
import { filesIn, jsonLines, playInto } from './runs.js';

const cwd = temporaryFolder();

beforeAll(async () => {
  await playInto(cwd, 'one');
  await playInto(cwd, 'two', { seed: '2' });
});

function exported(...words: readonly string[]) {
  return orchestrate(['export', ...words], { cwd });
}

interface JsonRow {
  messages: readonly {
    role: string;
    text: string;
    images: readonly string[];
  }[];
  images: readonly string[];
  readonly [column: string]: unknown;
}

let outs = 0;

/** All rows, refused answers too. */
async function rows(...words: readonly string[]): Promise<readonly JsonRow[]> {
  const out = `rows-${outs++}`;
  const { code, err } = await exported('one.sqlite', '--format', 'jsonl', '--out', out, '--all', ...words);
  expect([code, err]).toEqual([0, '']);
  return jsonLines(filesIn(join(cwd, out))['train.jsonl']) as unknown as readonly JsonRow[];
}

describe('a row', () => {
  it('holds the messages, the picture and the reply of one call as the log has them, the first frame included', async () => {
    const all = await rows();
    const files = filesIn(join(cwd, 'rows-0'));
    const reader = new LogReader(join(cwd, 'one.sqlite'));
    const [run] = reader.runs();
    expect(all[0]).toMatchObject({ step: 1, turn: 1, attempt: 1, agent: 'ann', ok: true, action: 'GO' });
    for (const row of all) {
      const logged = reader
        .calls(run?.runId ?? '', Number(row['step']))
        .find(({ request }) => request.attempt === row['attempt']);
      const sent = logged?.request.messages ?? [];
      const texts = sent.flatMap(({ parts }) =>
        parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])),
      );
      expect(row.messages.map(({ text }) => text).join('\n\n')).toBe(texts.join('\n\n'));
      const pictures = sent.flatMap(({ parts }) =>
        parts.flatMap((part) => (part.kind === 'image' ? [part.png] : [])),
      );
      expect(pictures).toHaveLength(1);
      expect(row.images.map((name) => files[name])).toEqual(pictures.map((png) => Buffer.from(png)));
      expect(row['reply']).toBe(logged?.end?.kind === 'replied' ? logged.end.reply.content : null);
    }
    reader.close();
  });

  it('tells what was understood and what came of it, each refused try included', async () => {
    const all = await rows('--agent', 'ann');
    expect(all.map((row) => [row['attempt'], row['action'], row['ok'], row['settled']])).toEqual([
      [1, 'GO', true, true],
      [1, null, false, false],
      [2, null, false, false],
      [3, 'TAKE', true, true],
      [1, 'WAIT', true, true],
      [1, 'WAIT', true, true],
    ]);
    expect(all.map((row) => row['problem']).slice(1, 3)).toEqual(['unparsable', 'unknown-action']);
    expect(all.map((row) => row['purpose']).slice(1, 4)).toEqual(['act', 'repair', 'act']);
  });
});

describe('without filters', () => {
  it('only answers that were carried out become rows; command, card and manifest count the others', async () => {
    const reader = new LogReader(join(cwd, 'one.sqlite'));
    const [run] = reader.runs();
    const acts = [...reader.steps(run?.runId ?? '')].flatMap((step) => step.acts);
    reader.close();
    const answered = acts.filter(({ call }) => call !== null);
    const refused = answered.filter(({ result }) => !result.ok);
    expect(refused.length).toBeGreaterThan(2);
    const words = ['one.sqlite', '--format', 'jsonl', '--duplicates', 'keep'];
    const { out } = await exported(...words, '--out', 'usual');
    const files = filesIn(join(cwd, 'usual'));
    const kept = jsonLines(files['train.jsonl']);
    expect(kept).toHaveLength(answered.length - refused.length);
    expect(kept.map(({ ok, problem }) => [ok, problem])).toEqual(kept.map(() => [true, null]));
    const told = `${refused.length} replies left out because they were not understood or not carried out: `;
    const codes = refused.map(({ result }) => (result.ok ? '' : result.problem.code)).toSorted();
    const listed = [...new Set(codes)].map((code) => [code, codes.filter((one) => one === code).length]);
    expect(out).toContain(told);
    expect(files['README.md']?.toString()).toContain(told);
    for (const [code, count] of listed) expect(out).toContain(`${count} ${code}`);
    const manifest = JSON.parse(String(files['export.json'])) as { left_out: object };
    expect(manifest.left_out).toEqual(Object.fromEntries(listed));
    const { out: all } = await exported(...words, '--out', 'everything', '--all');
    expect(all).not.toContain('left out');
    expect(jsonLines(filesIn(join(cwd, 'everything'))['train.jsonl'])).toHaveLength(answered.length);
  });

  it('an answer that was read with decoration is written in the own form of its protocol', async () => {
    const decorated = { ann: ['I look east.\n\n**Action**: `GO EAST`'], bob: ['ACTION: WAIT'] };
    await playInto(cwd, 'decorated', { answers: decorated, turns: 'max: 1, attempts: 1' });
    const answers = async (out: string, ...words: string[]) => {
      const ran = await exported('decorated.sqlite', '--format', 'openai', '--out', out, ...words);
      const rows = jsonLines(filesIn(join(cwd, out))['train.jsonl']);
      const texts = rows.map(({ messages }) =>
        (messages as readonly { content: readonly { text: string }[] }[]).at(-1),
      );
      return { told: ran.out, texts: texts.map((message) => message?.content[0]?.text) };
    };
    const own = await answers('own-form');
    expect(own.texts).toEqual(['I look east.\nACTION: GO EAST', 'ACTION: WAIT']);
    expect(own.told).toContain("1 answer written in the protocol's own form");
    const verbatim = await answers('verbatim', '--verbatim');
    expect(verbatim.texts).toEqual([decorated.ann[0], 'ACTION: WAIT']);
    expect(verbatim.told).not.toContain('own form');
  });

  it('pairs are asked for in vain where no run is a fork, and it says at once where they come from', async () => {
    const { code, err } = await exported('one.sqlite', '--format', 'preference', '--out', 'no-pairs');
    expect(code).toBe(2);
    expect(err).toContain('no run is a fork');
    expect(err).toContain('orchestrate branch');
    expect(existsSync(join(cwd, 'no-pairs'))).toBe(false);
  });
});

describe('filters', () => {
  it.each([
    [['--ok', '--first-attempt', '--agent', 'bob'], 3],
    [['--turns', '2..3'], 6],
    [['--turns', '..1'], 3],
    [['--where', 'ok && contains(reply, "WAIT") && agent == "ann"'], 2],
    [['--where', '!ok && attempt > 1'], 1],
    [['--where', 'turn * 2 - 1 >= 7 || problem == "unknown-action"'], 3],
    [['--outcome', 'failed'], 0],
    [['--outcome', 'ended'], 11],
    [['--outcome', 'failed', '--outcome', 'ended'], 11],
    [['--limit', '3'], 3],
    [['--limit', '3', '--seed', 'x'], 3],
  ])('%j', async (words, expected) => {
    const out = `filtered-${words.join('').replace(/\W/g, '_')}`;
    const { code } = await exported('one.sqlite', '--format', 'jsonl', '--out', out, '--all', ...words);
    expect(code).toBe(0);
    expect(jsonLines(filesIn(join(cwd, out))['train.jsonl'])).toHaveLength(expected);
  });

  it('draws other rows with another seed, and the same with the same', { tags: ['long'] }, async () => {
    const draw = (seed: string) => rows('--limit', '4', '--seed', seed);
    expect(await draw('x')).toEqual(await draw('x'));
    // The names of runs are random, and of few rows two seeds may well draw the same: of ten not all do.
    const ids = new Set<string>();
    for (const seed of 'abcdefghij') ids.add((await draw(seed)).map((row) => row['id']).join());
    expect(ids.size).toBeGreaterThan(1);
  });

  it('tell of how many of the runs there are rows', async () => {
    const words = ['one.sqlite', 'two.sqlite', '--format', 'jsonl', '--where', 'seed == "2"'];
    const { out } = await exported(...words, '--out', 'one-of-two');
    expect(out).toMatch(/: \d+ rows of 1 of 2 runs, /);
    expect(filesIn(join(cwd, 'one-of-two'))['README.md']?.toString()).toContain('rows of 1 of 2 runs, ');
    const kept = [...words.slice(0, 4), '--duplicates', 'keep', '--out', 'two-of-two'];
    const all = await exported(...kept);
    expect(all.out).toMatch(/: \d+ rows of 2 runs, /);
  });

  it('refuses turns that end before they begin', async () => {
    const words = ['--format', 'jsonl', '--out', 'backwards', '--turns', '5..3'];
    const { code, err } = await exported('one.sqlite', ...words);
    expect([code, err]).toEqual([2, expect.stringContaining('ends before it begins')]);
  });

  it('refuses a condition that is none, in words', async () => {
    const strange = [
      'turn.constructor',
      'this',
      'f(1)',
      'turns > 1',
      '1 +',
      '`${1}`',
      'a = 1',
      '[1]',
      'constructor',
    ];
    // Texts and numbers are never equal, nor in an order.
    strange.push('seed == 3', 'turn < "4"', 'ok == "true"', 'length(reply) == "4"', 'lower(agent) != 1');
    for (const where of strange) {
      const { code, err } = await exported(
        'one.sqlite',
        '--format',
        'jsonl',
        '--out',
        'none',
        '--where',
        where,
      );
      expect([where, code]).toEqual([where, 2]);
      expect(err).toContain('--where');
    }
    const long = `turn == ${'1'.repeat(LIMITS.whereCharacters)}`;
    expect((await exported('one.sqlite', '--format', 'jsonl', '--out', 'none', '--where', long)).code).toBe(
      2,
    );
  });

  it('keeps to the limits of its numbers', async () => {
    const at = (option: string, value: string) =>
      exported('one.sqlite', '--format', 'jsonl', '--out', 'none', '--dry-run', option, value);
    expect((await at('--scale', String(LIMITS.exportScale))).code).toBe(0);
    expect((await at('--scale', String(LIMITS.exportScale + 1))).code).toBe(2);
    expect((await at('--shard-rows', String(LIMITS.exportShardRows))).code).toBe(0);
    expect((await at('--shard-rows', String(LIMITS.exportShardRows + 1))).code).toBe(2);
  });
});

describe('history', () => {
  it('is whole, without earlier pictures, or left out; this turn is never touched', async () => {
    const [full, none] = [await rows(), await rows('--history', 'none', '--duplicates', 'keep')];
    const last = none.find((row) => row['id'] === full.at(-1)?.['id']);
    expect(last?.messages.map(({ role }) => role)).toEqual(['system', 'user']);
    expect(full.at(-1)?.messages.length).toBeGreaterThan(2);
    expect(last?.messages.at(-1)).toEqual(full.at(-1)?.messages.at(-1));
    const repair = none.find((row) => row['purpose'] === 'repair');
    expect(repair?.messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user']);
  });
});

describe('an export', () => {
  it('gives the same bytes whenever it is made', async () => {
    for (const out of ['same-1', 'same-2'])
      await exported(
        'one.sqlite',
        'two.sqlite',
        '--format',
        'openai',
        '--out',
        out,
        '--split',
        'train=1,test=1',
      );
    const [one, two] = [filesIn(join(cwd, 'same-1')), filesIn(join(cwd, 'same-2'))];
    expect(Object.keys(one)).toContain('images/00001/000001-ann-1.png');
    expect(two).toEqual(one);
  });

  it('leaves out what was there before, and says so', async () => {
    const { out } = await exported('one.sqlite', 'two.sqlite', '--format', 'jsonl', '--out', 'twice');
    expect(out).toMatch(/\d+ duplicates removed/);
    const kept = await exported(
      'one.sqlite',
      '--format',
      'jsonl',
      '--out',
      'k',
      '--duplicates',
      'keep',
      '--dry-run',
    );
    expect(kept.out).not.toContain('duplicate');
  });

  it('refuses a folder that holds something, and touches nothing there', async () => {
    mkdirSync(join(cwd, 'held'));
    writeFileSync(join(cwd, 'held', 'mine.txt'), 'mine');
    const { code, err } = await exported('one.sqlite', '--format', 'jsonl', '--out', 'held');
    expect([code, Object.keys(filesIn(join(cwd, 'held')))]).toEqual([2, ['mine.txt']]);
    expect(err).toContain('not empty');
  });

  it('tells with --dry-run what it would write to the byte, and writes nothing', async () => {
    const { out } = await exported('one.sqlite', '--format', 'openai', '--out', 'dry', '--dry-run', '--json');
    const trial = JSON.parse(out) as { bytes: number; rows: number };
    expect(() => filesIn(join(cwd, 'dry'))).toThrow();
    await exported('one.sqlite', '--format', 'openai', '--out', 'dry');
    const files = Object.entries(filesIn(join(cwd, 'dry'))).filter(([name]) => /jsonl$|^images/.test(name));
    expect(trial.bytes).toBe(files.reduce((sum, [, bytes]) => sum + bytes.length, 0));
  });

  it('is stopped by Ctrl-C with nothing half there, and goes on with the bytes of one that never was', async () => {
    await exported('one.sqlite', '--format', 'openai', '--out', 'whole');
    const args = ['export', 'one.sqlite', '--format', 'openai', '--out', 'broken'];
    const { io } = capturedIo({ cwd });
    const onInterrupt = (listener: () => void) => {
      listener();
      return () => undefined;
    };
    expect(await main(args, { ...io, onInterrupt })).toBe(130);
    const left = Object.keys(filesIn(join(cwd, 'broken')));
    expect(left).toEqual(['images/00001.part/000001-ann-1.png', 'unfinished.json']);
    expect((await orchestrate(args, { cwd })).err).toContain('resume it with --continue');
    const other = await orchestrate([...args, '--continue', '--ok'], { cwd });
    expect([other.code, other.err]).toEqual([
      2,
      expect.stringContaining('Changed: different options (--ok)\n'),
    ]);
    expect((await orchestrate([...args, '--continue'], { cwd })).code).toBe(0);
    expect(filesIn(join(cwd, 'broken'))).toEqual(filesIn(join(cwd, 'whole')));
    const again = await orchestrate([...args, '--continue'], { cwd });
    expect([again.code, again.err]).toEqual([0, 'broken is already complete\n']);
    const more = await orchestrate([...args, '--continue', '--limit', '3'], { cwd });
    expect([more.code, more.err]).toEqual([
      2,
      expect.stringContaining(
        'is complete and was made with different input. Changed: different options (--limit)',
      ),
    ]);
  });

  it('goes on with the marks that it was begun with alone, and names the run whose marks are others', async () => {
    await playInto(cwd, 'judged');
    const args = ['export', 'one.sqlite', 'judged.sqlite', '--format', 'openai', '--out', 'marked'];
    const { io } = capturedIo({ cwd });
    const onInterrupt = (listener: () => void) => {
      listener();
      return () => undefined;
    };
    expect(await main(args, { ...io, onInterrupt })).toBe(130);
    const mark = (word: string) => orchestrate(['mark', 'judged.sqlite', '--step', '1', word], { cwd });
    await mark('--accept');
    const { code, err } = await orchestrate([...args, '--continue'], { cwd });
    expect([code, err]).toEqual([
      2,
      expect.stringMatching(
        /^error: marked was started with different input\. Changed: different marks on \S+\n {2}hint: use the original logs and options/,
      ),
    ]);
    await mark('--clear');
    expect((await orchestrate([...args, '--continue'], { cwd })).code).toBe(0);
  });
});

/** Every format opened by a reader that its users have: as many pictures as places for them, each the one that was sent, each with its answer. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { parquetRows, parquetWords } from './hyparquet.js';
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { withoutPictureMarks } from '../../src/export/formats/picture-marks.js';
import { LogReader } from '../../src/log/reader.js';
import { orchestrate } from '../support/captured-io.js';
import { temporaryFolder } from '../support/folder.js';
import { duck, PYTHON, readByPython } from './readers.js';
import type { FoundRow } from './readers.js';
import { filesIn, jsonLines, playInto } from './runs.js';

interface TrlRow {
  prompt: readonly Told[];
  completion: readonly Told[];
}

interface Told {
  role: string;
  content: readonly { text: string | null }[];
}

const cwd = temporaryFolder();
/** Of all rows, from `jsonl`, whose rows export.test.ts holds against the log. */
let expected: readonly FoundRow[] = [];

beforeAll(async () => {
  await playInto(cwd, 'one');
  await playInto(cwd, 'two', { answers: { ann: ['ACTION: GO WEST', '<image>'], bob: ['ACTION: WAIT'] } });
  await exported('jsonl', 'everything');
  const files = filesIn(join(cwd, 'everything'));
  expected = await Promise.all(
    jsonLines(files['train.jsonl']).map(async ({ images, reply }) => ({
      marks: (images as readonly string[]).length,
      images: await Promise.all((images as readonly string[]).map((name) => pixels(files[name]))),
      answer: String(reply),
    })),
  );
});

async function exported(format: string, out: string, ...words: readonly string[]): Promise<void> {
  const logs = ['one.sqlite', 'two.sqlite'];
  const ran = await orchestrate(['export', ...logs, '--format', format, '--out', out, ...words], { cwd });
  expect([ran.code, ran.err]).toEqual([0, '']);
}

async function pixels(file: Uint8Array | undefined): Promise<string> {
  const rgb = await sharp(file).removeAlpha().toColourspace('srgb').raw().toBuffer();
  return createHash('sha256').update(rgb).digest('hex');
}

/** What is tuned on, by a processor that counts marks, has none in texts. */
function harmless(rows: readonly FoundRow[]): readonly FoundRow[] {
  return rows.map((row) => ({ ...row, answer: row.answer.replaceAll('<image>', '< image>') }));
}

describe.skipIf(PYTHON === null)(
  'read by Python (node scripts/python-readers.mjs makes it)',
  { tags: ['long'] },
  () => {
    it.each(['openai', 'trl', 'parquet', 'webdataset', 'imagefolder', 'llava', 'llama-factory'])(
      '%s',
      async (format) => {
        await exported(format, format);
        const found = await readByPython(format, join(cwd, format));
        const isAsItWas = format === 'openai' || format === 'imagefolder';
        expect(found).toEqual(isAsItWas ? expected : harmless(expected));
        expect(expected.some(({ answer }) => answer.includes('<image>'))).toBe(true);
      },
    );

    it('parquet and webdataset in many small files, and with pictures as WebP', async () => {
      for (const format of ['parquet', 'webdataset']) {
        await exported(format, `${format}-small`, '--shard-rows', '3');
        expect(await readByPython(format, join(cwd, `${format}-small`))).toEqual(harmless(expected));
        await exported(format, `${format}-webp`, '--image', 'webp');
        expect(await readByPython(format, join(cwd, `${format}-webp`))).toEqual(harmless(expected));
      }
    });
  },
);

describe('read by DuckDB', () => {
  it('parquet: each column as it was, pictures byte for byte', async () => {
    await exported('parquet', 'duck', '--shard-rows', '4');
    const rows =
      await duck(`SELECT id, ok, turn, reply, len(images) AS pictures, octet_length(images[1].bytes) AS bytes,
      len(list_filter(flatten(list_transform(prompt, m -> m.content)), p -> p.type = 'image')) AS marks
      FROM '${join(cwd, 'duck', 'data')}/train-*.parquet' ORDER BY id`);
    const files = filesIn(join(cwd, 'everything'));
    const lines = jsonLines(files['train.jsonl']);
    expect(rows.map((row) => ({ ...row, turn: Number(row['turn']) }))).toEqual(
      lines.map(({ id, ok, turn, reply, images }) => {
        const [name = ''] = images as readonly string[];
        const bytes = BigInt(files[name]?.length ?? 0);
        return { id, ok, turn, reply, pictures: 1n, bytes, marks: 1n };
      }),
    );
  });

  it('jsonl: filters and sums over its columns', async () => {
    const file = join(cwd, 'everything', 'train.jsonl');
    const [sum] = await duck(`SELECT count(*) AS rows, count(*) FILTER (ok) AS good, max(turn) AS turns
      FROM read_json_auto('${file}')`);
    const lines = jsonLines(filesIn(join(cwd, 'everything'))['train.jsonl']);
    const good = BigInt(lines.filter(({ ok }) => ok).length);
    expect(sum).toEqual({ rows: BigInt(lines.length), good, turns: 4n });
  });
});

describe('what is learnt', () => {
  it.each(['trl', 'parquet', 'qa'])('%s: the answer, apart from all that was said before', async (format) => {
    await exported(format, `apart-${format}`);
    const rows = await parquetRows(join(cwd, `apart-${format}`));
    expect(rows.length).toBeGreaterThan(3);
    for (const { prompt, completion, messages } of rows as readonly Record<string, { role: string }[]>[]) {
      expect(messages).toBeUndefined();
      expect(completion?.map(({ role }) => role)).toEqual(['assistant']);
      expect(prompt?.at(-1)?.role).toBe('user');
    }
  });

  it('is never something that nobody said: each turn of an assistant is of a reply in the log', async () => {
    await exported('trl', 'said', '--duplicates', 'keep');
    const replies = new Set<string>();
    for (const log of ['one', 'two']) {
      const reader = new LogReader(join(cwd, `${log}.sqlite`));
      const [run] = reader.runs();
      for (const { step } of reader.played(run?.runId ?? ''))
        for (const { end } of reader.calls(run?.runId ?? '', step.step))
          if (end?.kind === 'replied') replies.add(withoutPictureMarks(end.reply.content));
      reader.close();
    }
    let earlier = 0;
    for (const { prompt, completion } of (await parquetRows(join(cwd, 'said'))) as unknown as TrlRow[])
      for (const { role, content } of [...prompt, ...completion]) {
        if (role !== 'assistant') continue;
        earlier += 1;
        const words = content.map(({ text }) => text ?? '').join('');
        expect([words, [...replies].some((reply) => reply.includes(words))]).toEqual([words, true]);
      }
    expect(earlier).toBeGreaterThan(expected.length);
  });

  it('openai: what was said before has no weight', async () => {
    await exported('openai', 'weights');
    const rows = jsonLines(filesIn(join(cwd, 'weights'))['train.jsonl']);
    const weights = rows.map(({ messages }) =>
      (messages as readonly { role: string; weight?: number }[])
        .filter(({ role }) => role === 'assistant')
        .map(({ weight }) => weight),
    );
    expect(weights.every((one) => one.at(-1) === undefined)).toBe(true);
    expect(weights.flatMap((one) => one.slice(0, -1)).every((weight) => weight === 0)).toBe(true);
    expect(Math.max(...weights.map((one) => one.length))).toBeGreaterThan(1);
  });
});

describe('parquet', () => {
  it('says which column holds pictures, in the words of the hub', async () => {
    await exported('parquet', 'words');
    const metadata = parquetWords(join(cwd, 'words', 'data', 'train-00000.parquet'));
    const told = metadata.key_value_metadata?.find(({ key }) => key === 'huggingface')?.value ?? '{}';
    expect(JSON.parse(told)).toMatchObject({
      info: { features: { images: { feature: { _type: 'Image' }, _type: 'List' } } },
    });
  });
});

describe('pictures', () => {
  it('keep every pixel in another type and, repeated, at another size', { tags: ['long'] }, async () => {
    await exported('frames', 'plain');
    await exported('frames', 'large', '--image', 'webp', '--scale', '2');
    await exported('frames', 'small', '--scale', '1/2');
    const [plain, large, small] = ['plain', 'large', 'small'].map((name) => filesIn(join(cwd, name)));
    const name = 'train/00001-000001-ann-1';
    const raw = async (file: Uint8Array | undefined) =>
      sharp(file).removeAlpha().raw().toBuffer({ resolveWithObject: true });
    const [one, two, half] = [
      await raw(plain?.[`${name}.png`]),
      await raw(large?.[`${name}.webp`]),
      await raw(small?.[`${name}.png`]),
    ];
    expect([two.info.width, half.info.width]).toEqual([2 * one.info.width, one.info.width / 2]);
    const at = ({ data, info }: typeof one, x: number, y: number) => [
      ...data.subarray((y * info.width + x) * 3, (y * info.width + x) * 3 + 3),
    ];
    for (let y = 0; y < one.info.height; y += 7)
      for (let x = 0; x < one.info.width; x += 5) {
        expect(at(two, 2 * x, 2 * y)).toEqual(at(one, x, y));
        expect(at(two, 2 * x + 1, 2 * y + 1)).toEqual(at(one, x, y));
      }
    const colours = new Set(
      Array.from({ length: one.data.length / 3 }, (_, i) => one.data.readUIntBE(3 * i, 3)),
    );
    for (let i = 0; i < half.data.length; i += 3) expect(colours).toContain(half.data.readUIntBE(i, 3));
  });
});

describe('places of pictures', () => {
  /** As the processors of these families spell them: Qwen, LLaVA, InternVL, Phi, Kimi, Gemma, Pixtral, DeepSeek, Molmo, SmolVLM, MiniCPM, Janus. */
  const MARKS = [
    '<image>',
    '</image>',
    '<img>',
    '<|image_pad|>',
    '<|vision_start|>',
    '<IMG_CONTEXT>',
    '<|image_1|>',
    '<|IMAGE|>',
    '<|media_pad|>',
    '<image_placeholder>',
    '<audio_soft_token>',
    '<start_of_image>',
    '<|begin_of_image|>',
    '<｜begin▁of▁image｜>',
    '<im_patch>',
    '<fake_token_around_image>',
    '<global-img>',
    '<image 1>',
    '<<IMAGE>>',
    '<|video_pad|>',
    '[IMG]',
    '[IMG_END]',
    '[IMAGE]',
  ];

  it.each(MARKS)('%s', (mark) => {
    const shown = withoutPictureMarks(`a${mark}b`);
    expect(shown).not.toContain(mark);
    expect(shown.replaceAll(/(?<=[<＜[]) /g, '')).toBe(`a${mark}b`);
  });

  it('are nothing else: calls, reasoning, slots, comparisons stay', () => {
    const text =
      '<tool_call>\n{"name": "GO"}\n</tool_call> <think>1 < 2</think> ACTION: <command> a <b> [0] [redacted] |x|';
    expect(withoutPictureMarks(text)).toBe(text);
  });

  it('are found in time however long a text is', () => {
    const began = process.cpuUsage();
    for (const piece of ['<', '<|', '<a', '[A', '<image', '<a_']) withoutPictureMarks(piece.repeat(200_000));
    // Of the processor, which takes minutes where the time grows with the square.
    expect(process.cpuUsage(began).user / 1e6).toBeLessThan(20);
  });

  it('are broken wherever an agent said them, in every text that is tuned on', async () => {
    const said = MARKS.slice(0, 14).join(', ');
    await playInto(cwd, 'marked', {
      answers: { ann: [`ACTION: SPEAK ${JSON.stringify(`I saw ${said}.`)}`], bob: ['ACTION: WAIT'] },
    });
    for (const format of ['trl', 'llama-factory', 'llava', 'parquet']) {
      const words = ['export', 'marked.sqlite', '--format', format, '--out', `marked-${format}`];
      expect((await orchestrate(words, { cwd })).code).toBe(0);
      const told = format === 'trl' || format === 'parquet';
      const text = told
        ? JSON.stringify(
            (await parquetRows(join(cwd, `marked-${format}`))).map(({ prompt, completion }) => [
              prompt,
              completion,
            ]),
          )
        : String(filesIn(join(cwd, `marked-${format}`))['train.json']);
      expect(text).toContain('I saw');
      // The places of our own pictures aside, which have a line of their own.
      for (const mark of MARKS) expect(text.replaceAll('\\n<image>', '')).not.toContain(mark);
    }
  });
});

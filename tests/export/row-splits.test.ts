/** What stands in two splits: no picture and no observation, unless it is asked for; and what splits keep together. Held against the bytes of the pictures. */
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { orchestrate } from '../support/captured-io.js';
import { temporaryFolder } from '../support/folder.js';
import { parquetRows } from './hyparquet.js';
import { ANSWERS, answering, filesIn, jsonLines, nameRun, playInto } from './runs.js';

const cwd = temporaryFolder();
const SEEDS = ['1', '2', '3', '4', '5', '6'];
const HALVES = ['--split', 'train=1,test=1'];

beforeAll(async () => {
  for (const seed of SEEDS) {
    const ann = [`I am number ${seed}.\nACTION: GO EAST`, 'ACTION: WAIT'];
    await playInto(cwd, `s${seed}`, { seed, answers: { ...ANSWERS, ann } });
    await playInto(cwd, `t${seed}`, {
      seed,
      answers: { ...ANSWERS, ann },
      more: 'render: { channel: text }\n',
    });
    for (const title of ['north', 'south']) {
      const world = answering({ ...ANSWERS, ann }).replace(/^(title|name): .*$/m, `$1: ${title}`);
      writeFileSync(join(cwd, `${title}.yaml`), world);
      const out = `${title}${seed}.sqlite`;
      await orchestrate(['run', `${title}.yaml`, '--seed', seed, '--out', out, '--quiet'], { cwd });
      nameRun(join(cwd, out), `${title}${seed}`);
    }
  }
});

let outs = 0;

async function parted(logs: readonly string[], format: string, ...words: readonly string[]) {
  const out = `out-${outs++}`;
  const named = logs.map((log) => `${log}.sqlite`);
  const ran = await orchestrate(['export', ...named, '--format', format, '--out', out, ...HALVES, ...words], {
    cwd,
  });
  expect(ran.code).toBe(0);
  const folder = join(cwd, out);
  const files = filesIn(folder);
  return { ...ran, folder, files, card: String(files['README.md']) };
}

type Parted = Awaited<ReturnType<typeof parted>>;
type JsonRow = Readonly<Record<string, unknown>> & { images: readonly string[] };

function rowsIn({ files }: Parted, split: string): readonly JsonRow[] {
  return jsonLines(files[`${split}.jsonl`]) as readonly JsonRow[];
}

/** What each row shows: its pictures by their bytes, or without one the words of its turn. */
function shown(out: Parted, split: string): readonly string[] {
  return rowsIn(out, split).map(({ images, messages }) => {
    const [name] = images;
    if (name !== undefined)
      return createHash('sha256')
        .update(out.files[name] ?? '')
        .digest('hex');
    return (
      (messages as readonly { role: string; text: string }[]).filter(({ role }) => role === 'user').at(-1)
        ?.text ?? ''
    );
  });
}

function inBoth(out: Parted): number {
  const train = new Set(shown(out, 'train'));
  return shown(out, 'test').filter((one) => train.has(one)).length;
}

const pictured = SEEDS.map((seed) => `s${seed}`);
const told = SEEDS.map((seed) => `t${seed}`);

describe('no picture stands in two splits', () => {
  it('unless it is asked for; the card tells how many rows do, or would', async () => {
    const kept = await parted(pictured, 'jsonl', '--shared', 'keep');
    expect(inBoth(kept)).toBeGreaterThan(0);
    const count = Number(
      /(\d+) rows whose picture or observation is also in another split/.exec(kept.out)?.[1],
    );
    expect(count).toBeGreaterThan(0);
    expect(kept.card).toContain(`${count} rows show a picture`);
    const dropped = await parted(pictured, 'jsonl');
    expect(inBoth(dropped)).toBe(0);
    const left = Number(
      /(\d+) rows? whose picture or observation is also in another split removed/.exec(dropped.out)?.[1],
    );
    expect(dropped.card).toContain(`${left} rows with a picture from another split are left out`);
    const all = (out: Parted) => rowsIn(out, 'train').length + rowsIn(out, 'test').length;
    expect(all(dropped) + left).toBe(all(kept));
  });

  it('nor an observation that was told in words alone', async () => {
    const kept = await parted(told, 'jsonl', '--shared', 'keep');
    expect(rowsIn(kept, 'test').every(({ images }) => images.length === 0)).toBe(true);
    expect(inBoth(kept)).toBeGreaterThan(0);
    expect(inBoth(await parted(told, 'jsonl'))).toBe(0);
  });
});

describe('--split-by', () => {
  it(
    'image: rows of one picture stay together, and one seed fills both splits, in every format alike',
    { tags: ['long'] },
    async () => {
      const run = ['run', join(process.cwd(), 'scenarios/crypt.yaml'), '--out', 'crypt.sqlite', '--quiet'];
      expect((await orchestrate(run, { cwd })).code).toBe(0);
      const words = ['--split-by', 'image'];
      const lines = await parted(['crypt'], 'jsonl', ...words);
      expect(inBoth(lines)).toBe(0);
      for (const split of ['train', 'test']) expect(rowsIn(lines, split).length).toBeGreaterThan(5);
      expect(lines.out).not.toContain('another split');
      const table = await parted(['crypt'], 'trl', ...words);
      for (const split of ['train', 'test'])
        expect((await parquetRows(table.folder, split)).map(({ id }) => id)).toEqual(
          rowsIn(lines, split).map(({ id }) => id),
        );
    },
  );

  it('scenario: all runs of one scenario stay together', async () => {
    const logs = ['north', 'south'].flatMap((title) => SEEDS.map((seed) => `${title}${seed}`));
    const words = ['--split-by', 'scenario', '--shared', 'keep', '--duplicates', 'keep'];
    const out = await parted(logs, 'jsonl', ...words);
    const names = (split: string) => [...new Set(rowsIn(out, split).map(({ scenario }) => scenario))];
    expect(new Set([...names('train'), ...names('test')])).toEqual(new Set(['north', 'south']));
    expect([names('train').length, names('test').length]).toEqual([1, 1]);
    expect(out.card).toContain('Runs of one scenario, and forks');
  });
});

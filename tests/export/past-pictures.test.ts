/** Rows of steps in which an agent looked back: each text and picture stands where it was sent, in every format of conversations. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { orchestrate } from '../support/captured-io.js';
import { temporaryFolder } from '../support/folder.js';
import { parquetRows } from './hyparquet.js';
import { filesIn, jsonLines, playInto } from './runs.js';

const cwd = temporaryFolder();
const LABELS = ['What you saw in turn 1:', 'What you see now:'] as const;

interface Part {
  type: string;
  text?: string | null;
}

beforeAll(async () => {
  const ann = ['ACTION: GO EAST', 'ACTION: RECALL 1', 'ACTION: WAIT'];
  const words = ['--set', 'agents.ann.memory.recalls=1', '--set', 'agents.ann.memory.pictures=1'];
  await playInto(cwd, 'back', { answers: { ann, bob: ['ACTION: WAIT'] }, words, turns: 'max: 3' });
});

async function exported(format: string) {
  const told = await orchestrate(
    ['export', 'back.sqlite', '--format', format, '--agent', 'ann', '--out', format],
    { cwd },
  );
  expect(told.code).toBe(0);
  return join(cwd, format);
}

/** The part kinds and the labels of the message that looks back, among those before the answer. */
function looking(rows: readonly { messages: readonly { content: readonly Part[] }[] }[]) {
  const all = rows.flatMap(({ messages }) => messages);
  const found = all.filter(({ content }) => content.some(({ text }) => text === LABELS[1]));
  return found.map(({ content }) =>
    content.map(({ type, text }) => (type === 'text' ? (text ?? '').split('\n\n').at(-1) : 'picture')),
  );
}

it('openai, trl and parquet keep each picture behind its label', async () => {
  const wanted = [[LABELS[0], 'picture', LABELS[1], 'picture']];
  const rows = jsonLines(filesIn(await exported('openai'))['train.jsonl']);
  expect(looking(rows as never)).toEqual(wanted);
  for (const format of ['trl', 'parquet']) {
    const told = await parquetRows(await exported(format));
    expect(looking(told.map(({ prompt }) => ({ messages: prompt })) as never)).toEqual(wanted);
  }
});

it.each(['llava', 'llama-factory'])('%s marks each picture behind its label', async (format) => {
  const text = String(filesIn(await exported(format))['train.json']);
  expect(text).toContain(`${LABELS[0]}\\n<image>\\n${LABELS[1]}\\n<image>"`);
});

it('show saves the past pictures of a step beside the present one', async () => {
  const log = JSON.parse((await orchestrate(['show', 'back.sqlite', '--json'], { cwd })).out);
  const { step } = log.steps.find(({ acts }: { acts: readonly object[] }) => acts.length === 2);
  const shown = await orchestrate(['show', 'back.sqlite', '--step', String(step)], { cwd });
  // The newest turn of the memory, and the one that was asked for: the same turn here.
  expect(shown.out).toMatch(/-2\.png; 2 past pictures: saved as \S+-2-past-1\.png to \S+-2-past-2\.png/);
  const [, name = ''] = /([\w-]+)-2-past-1\.png/.exec(shown.out) ?? [];
  const saved = (which: string) => readFileSync(join(cwd, 'back.frames', `${name}-2${which}.png`));
  expect(saved('-past-1')).toEqual(saved('-past-2'));
  expect(saved('-past-1')).not.toEqual(saved(''));
  expect(existsSync(join(cwd, 'back.frames', `${name}-1-past-2.png`))).toBe(false);
});

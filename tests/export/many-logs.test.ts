/**
 * The same runs give the same data set, byte for byte, whether they lie in one log or in several.
 * @module-tag long
 */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { FORMATS } from '../../src/export/formats/formats.js';
import { LogWriter } from '../../src/log/writer.js';
import { TurnOrchestrator } from '../../src/orchestrator/turn-orchestrator.js';
import { orchestrate } from '../support/captured-io.js';
import { temporaryFolder } from '../support/folder.js';
import { NEVER_STOPPED, partsFor } from '../support/play.js';
import { ANSWERS, answering, filesIn } from './runs.js';

const cwd = temporaryFolder();
const SEEDS = ['1', '2', '3'];

/** Runs whose ids and times are the same each time. */
async function play(log: string, seeds: readonly string[]): Promise<void> {
  const writer = new LogWriter(join(cwd, log));
  for (const seed of seeds) {
    const set = [`seed=${seed}`, 'probes.every=1', 'probes.each=1'];
    const parts = await partsFor(answering(ANSWERS), writer, { set });
    const run = { ...parts.run, runId: `corridor-${seed}` };
    await new TurnOrchestrator({ ...parts, run }).run(NEVER_STOPPED);
  }
  writer.close();
}

async function exported(format: string, logs: readonly string[], out: string) {
  // Tables hold everything that happened; the other formats are split.
  const splits = format === 'tables' ? [] : ['--split', 'train=0.5,test=0.5'];
  const words = ['export', ...logs, '--format', format, ...splits, '--out', out];
  const { code, err } = await orchestrate(words, { cwd });
  expect({ code, err: code === 0 ? '' : err }, format).toEqual({ code: 0, err: '' });
  return filesIn(join(cwd, out));
}

it('in every format', async () => {
  await play('all.sqlite', SEEDS);
  for (const seed of SEEDS) await play(`${seed}.sqlite`, [seed]);
  // Pairs need forks.
  const formats = [...FORMATS.map(({ name }) => name).filter((name) => name !== 'preference'), 'tables'];
  expect(formats.length).toBeGreaterThan(10);
  for (const format of formats) {
    const one = await exported(format, ['all.sqlite'], `${format}-one`);
    const many = await exported(
      format,
      SEEDS.map((seed) => `${seed}.sqlite`),
      `${format}-many`,
    );
    expect(Object.keys(many), format).toEqual(Object.keys(one));
    const differing = Object.keys(one).filter((name) => !one[name]?.equals(many[name] ?? Buffer.of()));
    expect(differing, format).toEqual([]);
  }
});

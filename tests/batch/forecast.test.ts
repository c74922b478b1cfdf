/** `batch --dry-run` tells what the models would be asked, without asking them: as the sighted player would ask. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runScenario } from '../../src/assembly/run-scenario.js';
import { LogReader } from '../../src/log/reader.js';
import { orchestrate } from '../support/captured-io.js';
import { temporaryFolder } from '../support/folder.js';

const folder = temporaryFolder();
const BATCH = (more = ''): string => `
scenarios: [${process.cwd()}/examples/train/families/goblet.yaml]
models:
  seer: { model: Qwen3-VL-8B, base_url: 'http://127.0.0.1:9/v1', max_tokens: 100, price: { prompt: 5, reply: 2 } }
  still: { controller: random }
seeds: 6
parallel: 2
${more}`;

interface Forecast {
  model: string;
  calls: number;
  prompt_tokens: number;
  pictures: number;
  picture_tokens: number | null;
  reply_tokens_max: number;
  prompt_cost: number;
  reply_cost_max: number;
}

async function forecastOf(batch: string): Promise<readonly Forecast[]> {
  const file = join(folder, 'forecast.yaml');
  writeFileSync(file, batch);
  const { out, code } = await orchestrate([
    'batch',
    file,
    '--dry-run',
    '--json',
    '--out',
    join(folder, 'runs'),
  ]);
  expect(code).toBe(0);
  return (JSON.parse(out) as { forecast: readonly Forecast[] }).forecast;
}

describe('the forecast of a batch', () => {
  it('counts the requests of two runs by the sighted player, times the runs of the cell', async () => {
    // The same runs, played and logged: what their requests contain is counted anew.
    let [calls, characters, pictures] = [0, 0, 0];
    for (const seed of ['1', '2']) {
      const log = join(folder, `sighted-${seed}.sqlite`);
      const set = ['agents.0.controller=sighted'];
      const { run, steps } = await runScenario('examples/train/families/goblet.yaml', { seed, set, log });
      const reader = new LogReader(log);
      for (const call of steps.flatMap(({ step }) => reader.calls(run.runId, step))) {
        calls += 1;
        for (const { parts } of call.request.messages)
          for (const part of parts)
            if (part.kind === 'text') characters += part.text.length;
            else pictures += 1;
      }
      reader.close();
    }
    const [forecast, ...others] = await forecastOf(BATCH());
    expect(others).toEqual([]);
    expect(forecast).toMatchObject({ model: 'Qwen3-VL-8B', calls: 3 * calls, pictures: 3 * pictures });
    const { prompt_tokens: tokens = 0, picture_tokens: ofPictures = 0 } = forecast ?? {};
    expect(Math.abs(tokens - (ofPictures ?? 0) - (3 * characters) / 4)).toBeLessThanOrEqual(3);
    expect(ofPictures).toBeGreaterThan(0);
    expect(forecast?.reply_tokens_max).toBe(300 * calls);
    expect(forecast?.prompt_cost).toBeCloseTo((tokens * 5) / 1_000_000, 6);
    expect(forecast?.reply_cost_max).toBeCloseTo((300 * calls * 2) / 1_000_000, 6);
  });

  it('says what it does not know of pictures, and nothing of players without a model', async () => {
    const [unknown] = await forecastOf(BATCH().replace('Qwen3-VL-8B', 'my-own'));
    expect(unknown).toMatchObject({ model: 'my-own', picture_tokens: null });
    expect(unknown?.pictures).toBeGreaterThan(0);
    expect(await forecastOf(BATCH().replace(/ {2}seer:.*\n/, ''))).toEqual([]);
  });

  it('takes no more runs at once than there are', async () => {
    const file = join(folder, 'wide.yaml');
    writeFileSync(
      file,
      BATCH()
        .replace(/ {2}still:.*\n/, '')
        .replace('parallel: 2', 'parallel: 64'),
    );
    const { out } = await orchestrate(['batch', file, '--dry-run', '--out', join(folder, 'wide')]);
    const [, calls, seconds] = /: (\d+) calls.* (\d+)\.0 s if a call takes a second/.exec(out) ?? [];
    expect(Number(seconds)).toBe(Math.ceil(Number(calls) / 6));
  });

  it('is printed below the plan, and writes no log', async () => {
    const file = join(folder, 'printed.yaml');
    writeFileSync(file, BATCH());
    const { out } = await orchestrate(['batch', file, '--dry-run', '--out', join(folder, 'printed')]);
    expect(out).toMatch(
      /forecast, .*\n {2}Qwen3-VL-8B: \d+ calls, [\d,]+ prompt tokens, at most [\d,]+ reply tokens, cost /,
    );
    await expect(orchestrate(['show', join(folder, 'printed')])).resolves.not.toMatchObject({ code: 0 });
  });
});

/** What an export was made of: whatever is another than it was is named, by option and by run. */
import { describe, expect, it } from 'vitest';
import { DEFAULT_SETTINGS, settingsJson } from '../../src/export/export.js';
import type { ExportSettings } from '../../src/export/export.js';
import { EXPORT_VERSION, describeChanges, storedInputs } from '../../src/export/inputs.js';
import type { ExportInputs, RunInput } from '../../src/export/inputs.js';

const run = (name: string, more: Partial<RunInput> = {}): RunInput => ({
  run: name,
  steps: 4,
  sha256: 'a',
  marks: 'b',
  ...more,
});

function inputs(
  runs: readonly RunInput[],
  wishes: Partial<ExportSettings> = {},
  format = 'jsonl',
): ExportInputs {
  return {
    version: EXPORT_VERSION,
    wishes: settingsJson(format, { ...DEFAULT_SETTINGS, ...wishes }),
    runsHash: '',
    runs,
  };
}

/** As if written and read again. */
const changed = (before: ExportInputs, now: ExportInputs) =>
  describeChanges(JSON.parse(JSON.stringify(storedInputs(before))), now);

describe('what changed', () => {
  const two = inputs([run('x'), run('y')]);

  it('is nothing where all is the same', () => {
    expect(changed(two, two)).toEqual([]);
  });

  it('is told by the options as they are typed', () => {
    const { selection } = DEFAULT_SETTINGS;
    const other: readonly (readonly [string, Partial<ExportSettings>])[] = [
      ['--history', { history: 'none' }],
      ['--redact', { redact: ['a'] }],
      [
        '--split',
        {
          splits: [
            { name: 'train', share: 1 },
            { name: 'test', share: 1 },
          ],
        },
      ],
      ['--image', { image: { type: 'webp', scale: 1 } }],
      ['--scale', { image: { type: 'png', scale: 2 } }],
      ['--shard-rows', { shardRows: 5 }],
      ['--first-attempt', { selection: { ...selection, firstAttempt: true } }],
      ['--outcome', { selection: { ...selection, outcomes: ['succeeded'] } }],
      ['--turns', { selection: { ...selection, turns: { from: 1, to: 2 } } }],
      ['--only', { selection: { ...selection, only: 'any' } }],
    ];
    for (const [option, wishes] of other)
      expect(changed(two, inputs(two.runs, wishes))).toEqual([`different options (${option})`]);
    expect(changed(two, inputs(two.runs, { unit: 'pair' }, 'preference'))).toEqual([
      'different options (--format)',
    ]);
  });

  it('is told by the run', () => {
    expect(changed(two, inputs([run('x')]))).toEqual(['without y']);
    expect(changed(inputs([run('x')]), two)).toEqual(['y added']);
    expect(changed(two, inputs([run('y'), run('x')]))).toEqual(['the same runs in another order']);
    expect(changed(two, inputs([run('x'), run('y', { steps: 5, sha256: 'c' })]))).toEqual([
      'y has 1 more step',
    ]);
    expect(changed(two, inputs([run('x', { sha256: 'c' }), run('y', { marks: 'c' })]))).toEqual([
      'x has changed',
      'different marks on y',
    ]);
  });

  it('is told of what another version kept, or nobody of ours', () => {
    const told = ['another version of this program'];
    for (const kept of [null, 7, {}, { version: EXPORT_VERSION }, { ...storedInputs(two), version: 0 }])
      expect(describeChanges(kept, two)).toEqual(told);
  });
});

/** Runs of one scenario with different settings are told apart, and compared only where one thing differs. */
import { describe, expect, it } from 'vitest';
import { reportOf } from '../../src/report/report.js';
import { setupOf, withSettings } from '../../src/report/settings.js';
import type { MeasuredRun } from '../../src/report/settings.js';
import type { RunMetrics } from '../../src/report/run-metrics.js';
import { BASE, load } from '../scenario/support.js';
import { RUN } from './figures.js';

const { settings: _settings, ...FIGURES } = RUN;

const run = (more: string, change: Partial<RunMetrics> = {}): MeasuredRun => {
  const { scenario } = load(`${BASE}${more}`);
  const [agent] = scenario.agents;
  const controller = agent?.controller.kind === 'model' ? { name: 'model', model: 'qwen' } : { name: 'own' };
  return {
    figures: { ...FIGURES, ...change },
    setup: setupOf({ scenario, controllers: { ann: controller } }),
  };
};
/** What stands in a file with models, and who plays: agents come last in the base. */
const models = (more: string, plays = 'model: main') =>
  `    ${plays}\nmodels:\n  main: { base_url: "http://localhost/v1" ${more} }\n`;
const TEXT = 'render: { channel: text }\n';
const settings = (...runs: readonly MeasuredRun[]) => withSettings(runs).map((one) => one.settings);

describe('settings', () => {
  it('are not told where all are alike', () => {
    for (const more of ['', TEXT, 'rules: { movement: tile }\n', models(', temperature: 0.9')])
      expect(settings(run(more), run(more, { seed: '2' })), more).toEqual(['', '']);
  });

  it('are told of each run by path and value', () => {
    expect(settings(run(''), run(TEXT))).toEqual(['render.channel=both', 'render.channel=text']);
    expect(settings(run(''), run('rules: { movement: tile }\n'))[1]).toMatch(/movement=tile/);
  });

  it('that some players differ in are told of all players of the scenario', () => {
    const runs = [run(''), run(TEXT), run('', { players: 'gemma' })];
    expect(settings(...runs)[2]).toBe('render.channel=both');
  });

  it('in which only the players differ are no settings', () => {
    expect(settings(run(''), run(TEXT, { players: 'gemma' }))).toEqual(['', '']);
  });

  it('of the world count only between runs of one seed, since a made map is another with each', () => {
    const other = 'rules: { movement: tile }\n';
    expect(settings(run(''), run(other, { seed: '2' }))).toEqual(['', '']);
    expect(settings(run(''), run(other, { seed: '1' }))).not.toEqual(['', '']);
  });
});

describe('settings of a model', () => {
  const scripted = { players: 'scripted' } as const;

  it('that nobody asks make no other player', () => {
    const unasked = models(', temperature: 0.2', 'controller: scripted');
    expect(settings(run('', scripted), run(unasked, scripted))).toEqual(['', '']);
    const hotter = models(', temperature: 0.9', 'controller: scripted');
    expect(settings(run(hotter, scripted), run(unasked, scripted))).toEqual(['', '']);
  });

  it('that a controller of its own stood in for do not count either', () => {
    const standIn = (more: string): MeasuredRun => {
      const { scenario } = load(`${BASE}${models(more)}`);
      return {
        figures: { ...FIGURES, ...scripted },
        setup: setupOf({ scenario, controllers: { ann: { name: 'mine' } } }),
      };
    };
    expect(settings(standIn(', temperature: 0.2'), standIn(', temperature: 0.9'))).toEqual(['', '']);
  });

  it('that is asked are named one by one, as far as they differ', () => {
    const [cold, warm] = [run(models(', temperature: 0.2')), run(models(', temperature: 0.9'))];
    expect(settings(cold, warm)).toEqual(['models.main.temperature=0.2', 'models.main.temperature=0.9']);
    const short = run(models(', temperature: 0.9, max_tokens: 50'));
    expect(settings(warm, short)).toEqual(['models.main.max_tokens=512', 'models.main.max_tokens=50']);
  });

  it('are the same by whatever name the file calls the model', () => {
    const renamed = models(', temperature: 0.2').replaceAll('main', 'batch');
    expect(settings(run(models(', temperature: 0.2')), run(renamed))).toEqual(['', '']);
    expect(settings(run(models(', temperature: 0.9')), run(renamed))).toEqual([
      'models.main.temperature=0.9',
      'models.main.temperature=0.2',
    ]);
  });

  it('that only some of the runs ask say so in a word, beside what else differs', () => {
    const one = run(models(', temperature: 0.2'));
    const neither = run('');
    const other = run(models(', temperature: 0.9'));
    expect(settings(neither, one, other)).toEqual([
      'models.main=none',
      'models.main=asked, models.main.temperature=0.2',
      'models.main=asked, models.main.temperature=0.9',
    ]);
  });
});

it('turns.max makes rows of its own, since it changes how often a game is won', () => {
  const shorter = run(`    controller: scripted\nturns: { max: 7 }\n`);
  const longer = run(models('', 'controller: scripted'));
  expect(settings(longer, shorter)).toEqual(['turns.max=100', 'turns.max=7']);
});

describe('a report of runs with different settings', () => {
  const runs = withSettings([
    run(''),
    run(TEXT, { status: 'failed' }),
    run('', { players: 'gemma' }),
    run(TEXT, { players: 'gemma' }),
  ]);
  const { cells, pairings } = reportOf(runs);

  it('has a row for each', () => {
    expect(cells.map(({ players, successes }) => [players, successes])).toEqual([
      ['gemma · render.channel=both', 1],
      ['gemma · render.channel=text', 1],
      ['qwen · render.channel=both', 1],
      ['qwen · render.channel=text', 0],
    ]);
  });

  it('compares players with the same settings and settings of the same players, nothing else', () => {
    expect(pairings.map(({ one, other }) => [one, other])).toEqual([
      ['gemma · render.channel=both', 'gemma · render.channel=text'],
      ['gemma · render.channel=both', 'qwen · render.channel=both'],
      ['gemma · render.channel=text', 'qwen · render.channel=text'],
      ['qwen · render.channel=both', 'qwen · render.channel=text'],
    ]);
  });
});

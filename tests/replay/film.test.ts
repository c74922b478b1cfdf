/** Films of logged runs: every shipped world with pictures has one, walks and words take their time, and its length is bounded. */
import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { MODULES } from '../../src/worlds/registry.js';
import { moduleOf } from '../../src/worlds/environment-module.js';
import { environmentOf } from '../../src/assembly/scenario-environment.js';
import { known } from '../../src/base/assert.js';
import { LIMITS } from '../../src/base/limits.js';
import { LogReader } from '../../src/log/reader.js';
import type { StepRecord } from '../../src/trajectory/records.js';
import { isSameRaster } from '../../src/render/film-changes.js';
import { planSheet } from '../../src/render/film-sheet.js';
import { loadTileset } from '../../src/render/tileset.js';
import { checkLength, filmFrames, planFilm } from '../../src/replay/film.js';
import type { FilmSource } from '../../src/replay/film.js';
import { bubblesFor } from '../../src/replay/film-speech.js';
import { LoggedStates } from '../../src/replay/state-at.js';
import { corridor } from '../orchestrator/two-agents.js';
import { answering } from '../support/controllers.js';
import { logged } from './support.js';
import { SIZED, someOf } from '../support/sizes.js';

async function opened(path: string): Promise<FilmSource & { steps: number; close(): void }> {
  const reader = new LogReader(path);
  const { runId, steps } = known(reader.runs()[0], 'a run');
  const run = reader.run(runId);
  const environment = environmentOf(moduleOf(MODULES, run.scenario.environment), run.scenario);
  const states = new LoggedStates({ reader, run, environment });
  const tileset = await loadTileset(run.tileset);
  return { reader, run, environment, states, tileset, steps, close: () => reader.close() };
}

/** Films of part of a run: pictures, and the same for each viewer. */
function filmed(source: FilmSource, viewers: readonly (string | null)[], part: { from: number; to: number }) {
  const options = { viewers, ...part };
  const plan = planFilm(source, options);
  return plan === null ? null : [...filmFrames(source, plan, options)];
}

const SHIPPED = readdirSync('scenarios').filter((name) => name.endsWith('.yaml'));

it.each(someOf(SHIPPED, 'scenarios'))(
  '%s has a film where it has pictures, and no two pictures that follow are the same',
  SIZED,
  async (name) => {
    const { path } = await logged(`scenarios/${name}`, { set: ['turns.max=4'] });
    const source = await opened(path);
    const viewers = [null, ...source.run.scenario.agents.map(({ id }) => id)];
    const frames = filmed(source, viewers, { from: 1, to: source.steps });
    expect(frames === null).toBe(source.environment.scene(source.states.at(0).state, null) === null);
    for (const [i, { raster, delayMs }] of (frames ?? []).entries()) {
      expect(delayMs).toBeGreaterThan(0);
      const before = frames?.[i - 1];
      if (before !== undefined) expect(isSameRaster(before.raster, raster)).toBe(false);
      expect([raster.width % 2, raster.height % 2]).toEqual([0, 0]);
    }
    source.close();
  },
);

describe('in a corridor', () => {
  const played = async (order: string) => {
    const ann = answering([
      'ACTION: GO SOUTH',
      'ACTION: SPEAK "Mind the step, dear Bob, it is high."',
      'ACTION: WAIT',
    ]);
    const bob = answering(['ACTION: GO SOUTH', 'ACTION: WAIT', 'ACTION: WAIT']);
    return logged(corridor(`max: 3, order: ${order}`), { controllers: { ann, bob } });
  };

  it('words stay as long as it takes to read them', async () => {
    const source = await opened((await played('sequential')).path);
    const spoken = filmed(source, [null], { from: 4, to: 4 })?.map(({ delayMs }) => delayMs) ?? [];
    expect(Math.max(...spoken)).toBeGreaterThan(2000);
    const silent = filmed(source, [null], { from: 5, to: 5 })?.map(({ delayMs }) => delayMs) ?? [];
    expect(Math.max(...silent)).toBeLessThan(1000);
    source.close();
  });

  it('those who act at once move in the same pictures', async () => {
    const [one, other] = [
      await opened((await played('sequential')).path),
      await opened((await played('simultaneous')).path),
    ];
    const moves = (source: FilmSource) => filmed(source, [null], { from: 1, to: 2 })?.length ?? 0;
    expect(moves(other)).toBeLessThan(moves(one));
    one.close();
    other.close();
  });

  it('the agent’s own film ends with the run’s end', async () => {
    const source = await opened((await played('sequential')).path);
    const frames = filmed(source, ['ann'], { from: 1, to: source.steps }) ?? [];
    expect(frames.at(-1)?.delayMs).toBeGreaterThanOrEqual(3000);
    source.close();
  });
});

describe('speech', () => {
  const names = { ann: 'Ann' };
  const things = [{ id: 'ann', name: 'Ann', sprite: 's', layer: 1, x: 2, y: 0 }];
  const said = [{ speaker: 'ann', text: 'Psst.', hearers: ['bob'] }];
  it.each([
    [null, [{ text: 'Psst.', at: { x: 2, y: 0 } }]],
    ['ann', [{ text: 'Psst.', at: { x: 2, y: 0 } }]],
    ['bob', [{ text: 'Psst.', at: { x: 2, y: 0 } }]],
    ['eve', []],
  ])('is told to those who heard it, and to a viewer of the map: %s', (viewer, bubbles) => {
    expect(bubblesFor(said, { scene: { things }, viewer, names })).toEqual(bubbles);
  });

  it('from out of sight has no head to stand over, and names its speaker', () => {
    expect(bubblesFor(said, { scene: { things: [] }, viewer: 'bob', names })).toEqual([
      { text: 'Ann: Psst.', at: null },
    ]);
  });
});

describe('limits', () => {
  it('filmSidePixels: tiles become smaller so that the picture keeps to it', () => {
    const plan = (side: number, count: number) =>
      planSheet(
        Array.from({ length: count }, () => ({ width: side, height: side })),
        3,
        16,
      );
    for (const [side, count] of [
      [15, 1],
      [63, 1],
      [63, 4],
      [15, 30],
      [200, 2],
    ] as const)
      expect(plan(side, count).width).toBeLessThanOrEqual(LIMITS.filmSidePixels);
    expect(plan(1000, 1).panels[0]?.cell).toBe(1);
    expect(plan(15, 1).panels[0]?.cell).toBe(32);
  });

  it('filmFrames: more are refused, with the part that fits', () => {
    const step = (number: number): StepRecord => ({
      runId: 'r',
      step: number,
      turn: number,
      agent: 'ann',
      calls: [],
      acts: [],
      events: [],
      stateHash: '',
      parts: {},
      chain: '',
      finishedAt: 0,
    });
    const source = (steps: number) =>
      ({
        reader: { steps: () => Array.from({ length: steps }, (_, i) => step(i + 1)).values() },
        run: { runId: 'r', scenario: { turns: { order: 'sequential' } } },
      }) as unknown as FilmSource;
    const length = (steps: number) => checkLength(source(steps), { from: 1, to: steps });
    expect(length(LIMITS.filmFrames - 1)).toBe(LIMITS.filmFrames);
    expect(() => length(LIMITS.filmFrames)).toThrow(/more than 20000 pictures/);
  });
});

/**
 * Tasks that need a picture or words are not won without: players that throw pictures away, or neither speak nor listen, stay near the chance that
 * is written in the task's own file (`measures.chance`).
 */
import { readFileSync, readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { MemorySink } from '../../src/trajectory/memory-sink.js';
import { TurnOrchestrator } from '../../src/orchestrator/turn-orchestrator.js';
import { chance } from '../promises/chance.js';
import { DEAF, TEXT_ONLY, controllersOf } from '../support/blind-players.js';
import { NEVER_STOPPED, partsFor } from '../support/play.js';
import { LONG_SIZED, SIZED, reached, sizeOf } from '../support/sizes.js';

const FILES = ['scenarios', 'examples/train/families'].flatMap((folder) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => `${folder}/${name}`),
);
const textOf = (file: string): string => readFileSync(file, 'utf8');
const taskOf = (file: string): string => basename(file, '.yaml');
const chanceOf = (file: string): number => {
  const { measures } = parse(textOf(file)) as { measures?: { chance: number } };
  return measures?.chance ?? Number.NaN;
};
const fileOf = (task: string): string => FILES.find((file) => taskOf(file) === task) ?? task;

/** The share of seeds that are won, in points. */
async function wonBy(
  players: Parameters<typeof controllersOf>[0],
  file: string,
  kind: string,
): Promise<number> {
  const seeds = sizeOf('blindSeeds');
  let won = 0;
  for (let seed = 1; seed <= seeds; seed++) {
    const controllers = controllersOf(players, chance(`${kind} ${file} ${seed}`));
    const parts = await partsFor(file, new MemorySink(), { controllers, set: [`seed=${seed}`] });
    const { status } = await new TurnOrchestrator({ ...parts, painter: null }).run(NEVER_STOPPED);
    if (status === 'succeeded') won += 1;
  }
  return (100 * won) / seeds;
}

/** So many points above chance are luck: ten, and three standard errors of so few seeds. */
function luck(percent: number): number {
  const share = Math.min(1, (percent + 10) / 100);
  return 10 + 300 * Math.sqrt((share * (1 - share)) / sizeOf('blindSeeds'));
}

describe.each([
  ['without pictures', TEXT_ONLY],
  ['without words', DEAF],
])('%s', (kind, players) => {
  describe.each(Object.keys(players))('%s', (task) => {
    const file = fileOf(task);
    const most = chanceOf(file) + luck(chanceOf(file));
    // Of few seeds, all may be won by luck.
    it('is won by chance alone', most < 100 ? SIZED : LONG_SIZED, async () => {
      const won = await wonBy(players[task] ?? (() => ({})), file, kind);
      reached(
        `tasks ${kind}`,
        `${task} ${won.toFixed(0)} % of ${sizeOf('blindSeeds')} seeds, chance ${chanceOf(file)} %`,
      );
      expect(won).toBeLessThanOrEqual(most);
    });
  });
});

it('every task of which only the picture is sent has a player without pictures', () => {
  const pictured = FILES.filter((file) => /channel: image/.test(textOf(file))).map(taskOf);
  expect(Object.keys(TEXT_ONLY).toSorted()).toEqual(pictured.toSorted());
});

/** Tasks of several players without a deaf one, and why: whoever adds a task writes a player, or the reason. */
const NO_DEAF_PLAYER: Readonly<Record<string, string>> = {
  crypt: '`check --without SPEAK --without ANNOUNCE` proves that nobody wins without words',
  berries: 'no condition asks for words or for what only another one knows',
  'high-water': 'no condition asks for words or for what only another one knows',
  'lost-ring': '`check --without SPEAK --without ANNOUNCE` finds moves that win',
  'two-robots': 'still to be written: the mechanic has to say what it needs',
};

it('every task of several players has one without words, or a reason for none', () => {
  const several = FILES.filter((file) => {
    const { agents = [] } = parse(textOf(file)) as { agents?: readonly { part?: string }[] };
    return agents.filter(({ part }) => part !== 'world').length > 1;
  });
  const listed = [...Object.keys(DEAF), ...Object.keys(NO_DEAF_PLAYER)];
  expect(listed.toSorted()).toEqual(several.map(taskOf).toSorted());
});

it('a chance is written in the file of each task', () => {
  const tasks = [...Object.keys(TEXT_ONLY), ...Object.keys(DEAF)];
  expect(tasks.filter((task) => Number.isNaN(chanceOf(fileOf(task))))).toEqual([]);
});

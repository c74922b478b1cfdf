/**
 * `--player` and `--model`, which choose runs or rows with one meaning in every command: a player has its name
 * in the batch, otherwise that of its model, otherwise that of its controller; a model is what a server was
 * asked for.
 */
import { UsageError } from '../../base/errors.js';
import { compareText } from '../../base/ids.js';
import { meantOf } from '../../base/nearest.js';
import type { PlayerFilter, RunNames } from '../../trajectory/player-names.js';
import { repeated } from './option.js';
import type { Chosen } from './option.js';

export const PLAYER_FILTER = {
  player: repeated(
    'Only these players: by name in the batch, otherwise by model or controller (may be repeated)',
  ),
  model: repeated('Only these models, by the name that the server was asked for (may be repeated)'),
};

export type PlayerChoice = Chosen<typeof PLAYER_FILTER>;

export function playerFilter({ player = [], model = [] }: PlayerChoice): PlayerFilter {
  return {
    players: player.length === 0 ? null : player,
    models: model.length === 0 ? null : model,
  };
}

/** `all`: the names in the runs that were read, none of which is wanted. */
export function nobodyPlayed(
  { player = [], model = [] }: PlayerChoice,
  all: readonly RunNames[],
): UsageError {
  const wanted = [...player.map((name) => `player "${name}"`), ...model.map((name) => `model "${name}"`)];
  const names = (of: (one: RunNames) => readonly string[]): readonly string[] =>
    [...new Set(all.flatMap(of))].toSorted(compareText);
  const [players, models] = [
    names((one) => [...one.players, ...Object.values(one.seats)]),
    names((one) => one.models),
  ];
  return new UsageError(`no run is played by ${wanted.join(' or ')}`, [
    ...player.slice(0, 1).map((name) => meantOf(name, players, 'players')),
    ...model.slice(0, 1).map((name) => meantOf(name, models, 'models')),
  ]);
}

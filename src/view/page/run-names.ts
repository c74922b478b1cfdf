/**
 * The names of runs in lists to choose from: seed or fork, what distinguishes it from the others, its title.
 */
import type { PageData, PageRun } from '../page-data.js';

type NameList = readonly (readonly [id: string, name: string])[];

/** The number of agents named with their players; the others are counted. */
const MAX_NAMED = 3;

/** Cached, because every frame needs them, and only new data changes them. */
const namesByData = new WeakMap<PageData, NameList>();

export function runNames(data: PageData): NameList {
  const known = namesByData.get(data);
  if (known !== undefined) return known;
  const labels = data.runs.map((run) => labelOf(run, data.runs));
  const names = data.runs.map((run, i): NameList[number] => {
    const isUnique = labels.indexOf(labels[i] ?? '') === labels.lastIndexOf(labels[i] ?? '');
    return [run.id, `${i + 1}. ${labels[i]}${isUnique ? '' : `, ${run.id}`}`];
  });
  namesByData.set(data, names);
  return names;
}

/**
 * The distinguishing facts come first, because the list is narrow; a title that all runs share is left out.
 */
function labelOf(run: PageRun, runs: readonly PageRun[]): string {
  const parent = runs.findIndex(({ id }) => id === run.parent?.run) + 1;
  const ofParent = parent === 0 ? '' : ` of ${parent}`;
  const kind = run.parent === null ? `seed ${run.seed}` : `fork${ofParent} at step ${run.parent.step}`;
  const players = showsPlayers(run, runs) ? [playersOf(run)] : [];
  const change = run.change === '' ? [] : [run.change];
  const title = runs.every((one) => one.title === run.title) ? [] : [run.title];
  return [kind, ...players, ...change, ...title].join(', ');
}

/**
 * For a fork: if its players are not its parent's. For any other run: if another run with the same title has
 * other players.
 */
function showsPlayers(run: PageRun, runs: readonly PageRun[]): boolean {
  const players = playersOf(run);
  const others = runs.filter(({ id, parent, title }) =>
    run.parent === null ? parent === null && title === run.title : id === run.parent.run,
  );
  return players !== '' && others.some((one) => playersOf(one) !== players);
}

/** A single name if one player plays all agents. */
function playersOf({ agents }: PageRun): string {
  const players = agents.filter(({ player }) => player !== '');
  const [first] = players;
  if (first === undefined) return '';
  if (players.every(({ player }) => player === first.player)) return first.player;
  const named = players.slice(0, MAX_NAMED).map(({ name, player }) => `${name} ${player}`);
  const others = players.length > MAX_NAMED ? ` and ${players.length - MAX_NAMED} more` : '';
  return `${named.join(' + ')}${others}`;
}

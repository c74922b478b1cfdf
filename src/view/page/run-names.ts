/**
 * The names of runs in lists to choose from: seed or fork, what distinguishes it from the others, its title.
 * In: all runs of the page; out: short entries, all different.
 */
import type { PageData, PageRun } from '../page-data.js';

type NameList = readonly (readonly [id: string, name: string])[];

/** Agents that are named with their players; the others are counted. */
const NAMED = 3;

/** Every frame asks for them, and only more data changes them. */
const made = new WeakMap<PageData, NameList>();

export function runNames(data: PageData): NameList {
  const known = made.get(data);
  if (known !== undefined) return known;
  const names = namesOf(data.runs);
  made.set(data, names);
  return names;
}

function namesOf(runs: readonly PageRun[]): NameList {
  const words = runs.map((run) => wordsOf(run, runs));
  return runs.map((run, i) => {
    const isAlone = words.indexOf(words[i] ?? '') === words.lastIndexOf(words[i] ?? '');
    return [run.id, `${i + 1}. ${words[i]}${isAlone ? '' : `, ${run.id}`}`];
  });
}

/** What a run is comes before its title, which is left out where all have the same: the list is narrow. */
function wordsOf(run: PageRun, runs: readonly PageRun[]): string {
  const parent = runs.findIndex(({ id }) => id === run.parent?.run) + 1;
  const of = parent === 0 ? '' : ` of ${parent}`;
  const kind = run.parent === null ? `seed ${run.seed}` : `fork${of} at step ${run.parent.step}`;
  const players = arePlayersTold(run, runs) ? [playersOf(run)] : [];
  const change = run.change === '' ? [] : [run.change];
  const title = runs.every((one) => one.title === run.title) ? [] : [run.title];
  return [kind, ...players, ...change, ...title].join(', ');
}

/**
 * For a fork: if its players are not its parent's. For any other run: if another run with the same title has
 * other players.
 */
function arePlayersTold(run: PageRun, runs: readonly PageRun[]): boolean {
  const own = playersOf(run);
  const others = runs.filter(({ id, parent, title }) =>
    run.parent === null ? parent === null && title === run.title : id === run.parent.run,
  );
  return own !== '' && others.some((one) => playersOf(one) !== own);
}

/** One name where one plays them all. */
function playersOf({ agents }: PageRun): string {
  const players = agents.filter(({ player }) => player !== '');
  const [first] = players;
  if (first === undefined) return '';
  if (players.every(({ player }) => player === first.player)) return first.player;
  const told = players.slice(0, NAMED).map(({ name, player }) => `${name} ${player}`);
  const more = players.length > NAMED ? ` and ${players.length - NAMED} more` : '';
  return `${told.join(' + ')}${more}`;
}
